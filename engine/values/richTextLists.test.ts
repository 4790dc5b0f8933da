import { expect, test } from 'vitest'
import { type RichText, richTextLength, richTextSchema, richTextToString } from './richText'
import { type ListPlace, listMarkers, listPlaceOf, type NestedList, nestLists } from './richTextLists'

const line = (text: string, place: ListPlace = {}) => ({ type: 'paragraph' as const, ...place, children: [{ text }] })
const bullet = (text: string, level?: number) => line(text, { list: 'bullet', ...(level && { level }) })
const number = (text: string, level?: number) => line(text, { list: 'number', ...(level && { level }) })

test('numbers go on over what is deeper, and begin anew behind what is no item or another kind of list', () => {
  const value = [
    number('a'),
    number('b', 1),
    number('c', 1),
    number('d'),
    line('e'),
    number('f'),
    bullet('g'),
    number('h'),
  ]
  expect(listMarkers(value)).toEqual(['1.', '1.', '2.', '2.', null, '1.', '•', '1.'])
  expect(listMarkers([number('a'), number('b', 1), number('c'), number('d', 1)])).toEqual(['1.', '1.', '2.', '1.'])
})

test('as plain text an item has its bullet or number before it, an empty one nothing', () => {
  const value: RichText = [
    line('Bring:'),
    bullet('bread'),
    bullet('white', 1),
    bullet(''),
    number('one'),
    number('two'),
  ]
  expect(richTextToString(value, () => '')).toBe('Bring:\n• bread\n  • white\n\n1. one\n2. two')
})

test('markers do not count toward the length', () => {
  expect(richTextLength([bullet('abc'), number('de')])).toBe(5)
  expect(richTextSchema(3).safeParse([bullet('abc', 3)]).success).toBe(true)
})

test('a list of another kind and a level that is too deep are refused', () => {
  const refused = (place: object) => !richTextSchema(9).safeParse([{ ...line('a'), ...place }]).success
  expect(refused({ list: 'square' })).toBe(true)
  expect(refused({ list: 'bullet', level: 4 })).toBe(true)
  expect(refused({ list: 'bullet', level: 1.5 })).toBe(true)
})

test('what somebody else wrote as a place is read as far as it makes sense', () => {
  expect(listPlaceOf({ list: 'bullet', level: 9 })).toEqual({ list: 'bullet', level: 3 })
  expect(listPlaceOf({ list: 'number', level: '2' })).toEqual({ list: 'number' })
  expect(listPlaceOf({ list: 'number', level: -1 })).toEqual({ list: 'number' })
  expect(listPlaceOf({ list: 'x', level: 1 })).toEqual({})
  expect(listPlaceOf({ level: 2 })).toEqual({})
})

const shown = (blocks: (ReturnType<typeof line> | NestedList<ReturnType<typeof line>>)[]): unknown[] =>
  blocks.map((block) =>
    'items' in block
      ? { [block.kind]: block.items.map(({ content, lists }) => [content.children[0]?.text, ...shown(lists)]) }
      : block.children[0]?.text,
  )

test('flat items nest as HTML wants them, and one that is too deep hangs under the item before it', () => {
  const value = [line('t'), bullet('a'), number('b', 1), number('c', 3), bullet('d'), number('e'), line('f')]
  expect(shown(nestLists(value))).toEqual([
    't',
    { bullet: [['a', { number: [['b', { number: [['c']] }]] }], ['d']] },
    { number: [['e']] },
    'f',
  ])
  expect(shown(nestLists([bullet('deep', 2), bullet('a')]))).toEqual([{ bullet: [['deep'], ['a']] }])
})
