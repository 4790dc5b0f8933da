import { expect, test } from 'vitest'
import type { Json } from './json'
import { isUnset, MAX_RENDERED, printValue, renderText, resolveValue, variableValue } from './render'
import { renderRichText } from './renderRichText'

test.each<[Json | undefined, string]>([
  [null, ''],
  [undefined, ''],
  ['text', 'text'],
  [0, '0'],
  [-1.5, '-1.5'],
  [false, 'false'],
  [['a', 2, null, ['b', 'c']], 'a, 2, , b, c'],
  [[], ''],
  [{ a: [1] }, '{"a":[1]}'],
])('%j prints as %j', (value, text) => {
  expect(printValue(value)).toBe(text)
})

test('names of the language’s own objects are no variables', () => {
  for (const id of ['constructor', '__proto__', 'toString']) expect(variableValue({}, id)).toBe(null)
  expect(variableValue(JSON.parse('{"__proto__":"mine"}'), '__proto__')).toBe('mine')
})

test('unset are null, nothing, space and an empty list', () => {
  expect([null, '', ' \n', []].every(isUnset)).toBe(true)
  expect([0, false, 'a', ['a'], {}].some(isUnset)).toBe(false)
})

const variable = { type: 'variable' as const, variable_id: 'v' }

test('a dynamic value renders its parts in order; alone a variable keeps its type', () => {
  expect(renderText({ type: 'dynamic', parts: [{ type: 'text', text: 'x=' }, variable] }, { v: [1, 2] })).toBe('x=1, 2')
  expect(resolveValue({ type: 'dynamic', parts: [variable] }, { v: [1, 2] })).toEqual([1, 2])
  expect(resolveValue({ type: 'static', value: '1' }, {})).toBe('1')
})

test('a chip becomes a text that keeps its marks and loses its id', () => {
  const chip = { text: '' as const, variable: true as const, variable_id: 'v', bold: true as const }
  expect(renderRichText([{ type: 'paragraph', children: [chip, { text: '!' }] }], { v: 'Ada' })).toEqual([
    { type: 'paragraph', children: [{ text: 'Ada', bold: true }, { text: '!' }] },
  ])
})

test('many chips of a large value are cut before they fill the memory', () => {
  const chips = Array.from({ length: 2_000 }, () => variable)
  const variables = { v: '😀'.repeat(30_000) }
  const text = renderText({ type: 'dynamic', parts: chips }, variables)
  expect(text.length).toBe(MAX_RENDERED)
  const children = chips.map(() => ({ text: '' as const, variable: true as const, variable_id: 'v' }))
  expect(
    renderRichText([{ type: 'paragraph', children }], variables)[0]
      ?.children.map((child) => child.text)
      .join(''),
  ).toBe(text)
})
