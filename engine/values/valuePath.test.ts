import { expect, test } from 'vitest'
import type { Json } from './json'
import { renderText, resolveValue } from './render'
import { renderRichText } from './renderRichText'
import { isValuePath, readValuePath, splitPath } from './valuePath'

const order: { items: { [key: string]: Json }[]; total: number; length: string } = {
  items: [{ name: 'Tea', 'size in ml': 250 }, { name: 'Cake' }],
  total: 7.5,
  length: 'own',
}

test.each<[string, Json]>([
  ['.total', 7.5],
  ['.items[0].name', 'Tea'],
  ['.items[-1].name', 'Cake'],
  ['.items[0]["size in ml"]', 250],
  ['.items.length', 2],
  ['.items[0].name.length', 3],
  ['.items[0].name[0]', 'T'],
  ['.length', 'own'],
  ['.items[2].name', null],
  ['.items.1', null],
  ['.none.of.this', null],
  ['.constructor', null],
  ['.__proto__', null],
  ['.items.map', null],
  ['.items[0].name.toString', null],
  ['.total.toFixed', null],
])('%s of an order is %j', (path, value) => {
  expect(readValuePath(order, path)).toEqual(value)
})

test('a field that is called like one of the language’s own is read when it is there', () => {
  expect(readValuePath(JSON.parse('{"__proto__":{"constructor":1}}'), '.__proto__.constructor')).toBe(1)
})

test.each(['', 'a', '.', '.a.', '[x]', '[1.5]', '["a"b"]', ".constructor('x')()", '.a b', '[]', `.${'a'.repeat(200)}`])(
  '%j is no path',
  (path) => {
    expect(isValuePath(path)).toBe(false)
  },
)

test('a name is split from its path; what is no path belongs to the name', () => {
  expect(splitPath('order.items[0].name')).toEqual({ name: 'order', path: '.items[0].name' })
  expect(splitPath(' first name ')).toEqual({ name: 'first name', path: undefined })
  expect(splitPath("constructor.constructor('x')()")).toEqual({
    name: "constructor.constructor('x')()",
    path: undefined,
  })
})

test('chips of a part render it, and a lone one keeps its type', () => {
  const part = { type: 'variable' as const, variable_id: 'order', path: '.items[0]' }
  expect(resolveValue({ type: 'dynamic', parts: [part] }, { order })).toEqual(order.items[0])
  expect(
    renderText(
      {
        type: 'dynamic',
        parts: [
          { ...part, path: '.total' },
          { type: 'text', text: ' €' },
        ],
      },
      { order },
    ),
  ).toBe('7.5 €')
  const chip = { text: '' as const, variable: true as const, variable_id: 'order', path: '.items[1].name' }
  expect(renderRichText([{ type: 'paragraph', children: [chip] }], { order })).toEqual([
    { type: 'paragraph', children: [{ text: 'Cake' }] },
  ])
})
