import { expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { createDocument } from '../document/createDocument'
import { type Block, emptyFlow, type Flow } from '../flow/schema'
import type { Json } from '../values/json'
import { findText, replaceText, type Search } from './findText'

const search = (text: string, more: Partial<Search> = {}): Search => ({
  text,
  matchCase: false,
  wholeWord: false,
  ...more,
})
const block = (id: string, kind: string, data: Record<string, unknown>): Block => {
  const definition = registry.get(kind)
  const defaults = definition.defaults(() => `${id}-item`) as object
  return { id, kind, version: definition.migrations.length, data: { ...defaults, ...data } as Record<string, Json> }
}
const paragraph = (...children: object[]) => [{ type: 'paragraph', children }]

function open(blocks: Block[], title = 'Greeting') {
  const document = createDocument({ registry })
  const flow: Flow = {
    ...emptyFlow(),
    groups: [{ id: 'g', title, position: { x: 0, y: 0 }, blocks }],
    edges: [],
    variables: [{ id: 'v', name: 'Name', value: null }],
  }
  document.commands.replaceFlow(flow)
  return document
}
const replace = (document: ReturnType<typeof open>, find: Search, by: string) =>
  replaceText({ projection: document.projection(), commands: document.commands }, registry, find, by)

test('finds titles and texts in the order in which they stand, whatever their case', () => {
  const document = open([
    block('a', 'text', { content: paragraph({ text: 'Good greeting, ' }, { text: 'GREETING', bold: true }) }),
  ])
  const found = findText(document.projection(), search('greeting'))
  expect(found.map(({ blockId, start }) => [blockId, start])).toEqual([
    [undefined, 0],
    ['a', 5],
    ['a', 15],
  ])
  expect(findText(document.projection(), search('greeting', { matchCase: true }))).toHaveLength(1)
  expect(findText(document.projection(), search(''))).toEqual([])
})

test('whole words are not parts of words, in any script', () => {
  const document = open([block('a', 'text', { content: paragraph({ text: 'cat concat cat’s ñcat кот котик' }) })], '')
  expect(findText(document.projection(), search('cat', { wholeWord: true })).map(({ start }) => start)).toEqual([0, 11])
  expect(findText(document.projection(), search('кот', { wholeWord: true }))).toHaveLength(1)
})

test('finds labels and lines of buttons, and not their ids', () => {
  const items = [{ id: 'yes', label: 'Yes please' }]
  const document = open([block('a', 'buttons', { options: items })])
  const found = findText(document.projection(), search('yes'))
  expect(found).toHaveLength(1)
  expect(found[0]?.line).toBe('Yes please')
})

test('replaces in titles, formatted texts and lists as one step, and leaves variables where they are', () => {
  const content = paragraph(
    { text: 'Hello ' },
    { text: '', variable: true, variable_id: 'v' },
    { text: ', hel', bold: true },
    { text: 'lo again' },
  )
  const document = open(
    [block('a', 'text', { content }), block('b', 'buttons', { options: [{ id: 'o', label: 'Hello!' }] })],
    'Hello',
  )
  expect(replace(document, search('hello'), 'Good day')).toEqual({ replaced: 4, tooLong: 0 })
  const { groups, blocks } = document.projection()
  expect(groups.get('g')?.title).toBe('Good day')
  expect(blocks.get('a')?.data.content).toEqual(
    paragraph(
      { text: 'Good day ' },
      { text: '', variable: true, variable_id: 'v' },
      { text: ', Good day', bold: true },
      { text: ' again' },
    ),
  )
  expect(blocks.get('b')?.data.options).toMatchObject([{ id: 'o', label: 'Good day!' }])
  document.undo.undo()
  expect(findText(document.projection(), search('hello'))).toHaveLength(4)
})

test('a replacement that holds what is searched for is put in once', () => {
  const document = open([block('a', 'text', { content: paragraph({ text: 'a b a' }) })], '')
  expect(replace(document, search('a'), 'aa').replaced).toBe(2)
  expect(findText(document.projection(), search('aa'))).toHaveLength(2)
})

test('replaces one match alone, and none that has changed meanwhile', () => {
  const document = open([block('a', 'text', { content: paragraph({ text: 'one one' }) })], '')
  const [first, second] = findText(document.projection(), search('one'))
  const only = (match: typeof first) =>
    replaceText(
      { projection: document.projection(), commands: document.commands },
      registry,
      search('one'),
      'two',
      match ? [match] : [],
    )
  expect(only(second).replaced).toBe(1)
  expect(only(first).replaced).toBe(0)
  expect(document.projection().blocks.get('a')?.data.content).toEqual(paragraph({ text: 'one two' }))
})

test('a title that would get too long stays as it is, and is counted', () => {
  const document = open([], 'x'.repeat(60))
  expect(replace(document, search('x'), 'xx')).toEqual({ replaced: 0, tooLong: 60 })
  expect(document.projection().groups.get('g')?.title).toBe('x'.repeat(60))
})
