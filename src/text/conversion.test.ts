import { expect, test } from 'vitest'
import { type DynamicPart, type DynamicValue, dynamicValueLength } from '../../engine/values/dynamicValue'
import { type RichText, type RichTextInline, richTextLength } from '../../engine/values/richText'
import {
  chip,
  dynamicToNodes,
  nodesToDynamic,
  nodesToPlainText,
  nodesToRichText,
  plainTextToNodes,
  richTextToNodes,
} from './conversion'

/** A seeded random generator, so that failures are reproducible. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function randomInline(pick: (below: number) => number): RichTextInline {
  const style = {
    ...(pick(3) === 0 && { bold: true as const }),
    ...(pick(4) === 0 && { italic: true as const }),
    ...(pick(5) === 0 && { link: 'https://x.org' }),
  }
  if (pick(3) === 0) return { text: '', variable: true, variable_id: `v${pick(3)}`, ...style }
  return { text: 'lorem {ipsum} ü名'.slice(0, 1 + pick(14)), ...style }
}

test('random rich texts survive the way to the editor and back, and keep their length', () => {
  for (let seed = 0; seed < 300; seed++) {
    const pick = random(seed)
    const value: RichText = Array.from({ length: 1 + pick(4) }, () => {
      const children = Array.from({ length: pick(6) }, () => randomInline(pick))
      return { type: 'paragraph' as const, children: children.length > 0 ? children : [{ text: '' as const }] }
    })
    const back = nodesToRichText(richTextToNodes(value))
    expect(back, `seed ${seed}`).toEqual(value)
    expect(richTextLength(back)).toBe(richTextLength(value))
  }
})

test('the cursor has a place before, between and behind chips', () => {
  const variable = { text: '' as const, variable: true as const, variable_id: 'v1' }
  const [paragraph] = richTextToNodes([{ type: 'paragraph', children: [variable, variable] }])
  expect(paragraph?.children).toEqual([{ text: '' }, chip('v1'), { text: '' }, chip('v1'), { text: '' }])
})

test('random dynamic values survive the way to the editor and back', () => {
  for (let seed = 0; seed < 300; seed++) {
    const pick = random(seed)
    const parts: DynamicPart[] = []
    for (let n = pick(6); n >= 0; n--) {
      if (pick(2) === 0 || parts.at(-1)?.type === 'text') parts.push({ type: 'variable', variable_id: `v${pick(3)}` })
      else parts.push({ type: 'text', text: ['a', 'two\nlines', '{x}', '\n', 'end '][pick(5)] ?? '' })
    }
    const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
    const value: DynamicValue = parts.some(({ type }) => type === 'variable')
      ? { type: 'dynamic', parts }
      : { type: 'static', value: text }
    const back = nodesToDynamic(dynamicToNodes(value))
    expect(back, `seed ${seed}`).toEqual(value)
    expect(dynamicValueLength(back)).toBe(text.length)
  }
})

test('a value without a variable is static, an empty one too', () => {
  expect(nodesToDynamic(dynamicToNodes({ type: 'dynamic', parts: [{ type: 'text', text: 'x' }] }))).toEqual({
    type: 'static',
    value: 'x',
  })
  expect(nodesToDynamic(dynamicToNodes({ type: 'static', value: '' }))).toEqual({ type: 'static', value: '' })
})

const idOf = (name: string) => ({ Score: 'v1' })[name]
const nameOf = (id: string) => ({ v1: 'Score' })[id]

test('pasted text becomes paragraphs; {Name} a chip where the name is known; what nobody can see goes', () => {
  const nodes = plainTextToNodes('a\u0000b\r\n{Score} of {Nobody}\u001b\n', idOf)
  expect(nodesToRichText(nodes)).toEqual([
    { type: 'paragraph', children: [{ text: 'ab' }] },
    { type: 'paragraph', children: [{ text: '', variable: true, variable_id: 'v1' }, { text: ' of {Nobody}' }] },
    { type: 'paragraph', children: [{ text: '' }] },
  ])
})

test('a chip is copied as {Name}, and copying then pasting gives the same', () => {
  const nodes = [{ type: 'paragraph' as const, children: [{ text: 'Hi ' }, chip('v1'), { text: '!' }] }]
  expect(nodesToPlainText(nodes, nameOf)).toBe('Hi {Score}!')
  expect(plainTextToNodes(nodesToPlainText(nodes, nameOf), idOf)).toEqual(nodes)
})

test('a chip keeps the part of its variable that it names, both ways and as text', () => {
  const children = [{ text: 'A ' }, { text: '' as const, variable: true as const, variable_id: 'o', path: '.items[0]' }]
  const value: RichText = [{ type: 'paragraph', children }]
  expect(nodesToRichText(richTextToNodes(value))).toEqual(value)
  const dynamic: DynamicValue = { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'o', path: '.items[0]' }] }
  expect(nodesToDynamic(dynamicToNodes(dynamic))).toEqual(dynamic)
  expect(nodesToPlainText(richTextToNodes(value), () => 'order')).toBe('A {order.items[0]}')
  const pasted = plainTextToNodes('A {order.items[0]}', (name) => (name === 'order' ? 'o' : undefined))
  expect(nodesToRichText(pasted)).toEqual(value)
})
