import { expect, test } from 'vitest'
import { importBlock } from '../../tests/support/typebot'

const setting = (options: Record<string, unknown>) =>
  importBlock({ type: 'Set variable', options: { variableId: 'v-Score', ...options } }, 'Score', 'Other')
const custom = (expressionToEvaluate: string, more = {}) => setting({ expressionToEvaluate, ...more })
const text = (value: string) => ({ type: 'static', value })

test.each([
  ['0', '0'],
  ['he', 'he'],
  ["'quoted'", 'quoted'],
  ['Thanks (really), see you', 'Thanks (really), see you'],
  ['2024-01-01 at noon', '2024-01-01 at noon'],
])('the text %s is set as %s', (expression, value) => {
  expect(custom(expression).data).toMatchObject({ mode: 'set', value: text(value) })
})

test('a variable alone is set as it is', () => {
  const { data, flow } = custom('{{Other}}')
  expect(data).toMatchObject({
    mode: 'set',
    value: { type: 'dynamic', parts: [{ type: 'variable', variable_id: flow.variables[1]?.id }] },
  })
})

test.each([
  ['{{Score}} + 10', '10'],
  ['{{Score}}+1.5', '1.5'],
  ['10 + {{Score}}', '10'],
  ['{{Score}} - 3', '-3'],
])('%s counts by %s', (expression, step) => {
  expect(custom(expression).data).toMatchObject({ mode: 'increment', value: text(step) })
})

test.each(['{{Other}} + 1', '{{Score}} * 2', 'new Date().getFullYear()', 'return 5;', '{{Score}} > 3 && true'])(
  'the code %s is kept as a placeholder that says so',
  (expression) => {
    const { kind, data } = custom(expression)
    expect(kind).toBe('placeholder')
    expect(data).toMatchObject({
      reason: 'Its value is computed by code.',
      data: { options: { expressionToEvaluate: expression } },
    })
  },
)

test('what the file says to be no code is a text', () => {
  expect(custom('{{Score}} + 10', { isCode: false }).data).toMatchObject({ mode: 'set', value: { type: 'dynamic' } })
})

test.each([
  ['Empty', 'clear'],
  ['Now', 'now'],
  ['Random ID', 'random'],
])('%s becomes %s', (type, mode) => {
  expect(setting({ type }).data).toMatchObject({ mode, value: text('') })
})

test('appending makes a list: the variable starts as an empty one', () => {
  const { data, flow } = setting({ type: 'Append value(s)', item: '{{Other}}' })
  expect(data).toMatchObject({ mode: 'append', value: { type: 'dynamic' } })
  expect(flow.variables.map(({ value }) => value)).toEqual([[], null])
})

test('a value that Parley does not have is a placeholder', () => {
  expect(setting({ type: 'Yesterday' }).data).toMatchObject({
    reason: "The value 'Yesterday' has no counterpart here.",
  })
})

test('without a variable it does nothing, as in the product', () => {
  expect(importBlock({ type: 'Set variable', options: {} })).toMatchObject({
    kind: 'set-variable',
    data: { variableId: null },
    notes: [],
  })
})
