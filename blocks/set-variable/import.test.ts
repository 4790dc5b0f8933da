// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the code of other products has such placeholders
import { expect, test } from 'vitest'
import { type DynamicValue, dynamicValueToString } from '../../engine/values/dynamicValue'
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

const printed = (value: DynamicValue) => dynamicValueToString(value, () => '_')

test.each([
  ['{{Other}} + 1', '_ + 1'],
  ['{{Score}} * 2', '_ * 2'],
  ['return {{Score}} * 5;', '_ * 5'],
  ['{{Score}} > 3 && true', '_ > 3 && true'],
  ['{{Score}} >= 18 ? "adult" : "minor"', '_ >= 18 ? "adult" : "minor"'],
  ['{{Other}}.length', '_.length'],
  ['{{Other}}.toUpperCase() + "!"', '_.toUpperCase() + "!"'],
  ['`Dear ${{{Other}}}`', '`Dear ${_}`'],
  ['Math.round({{Score}} / 3)', 'Math.round(_ / 3)'],
  ['new Date().getFullYear() - {{Score}}', 'year(now()) - _'],
  ['new Date().toISOString()', 'now()'],
])('the code %s becomes the expression %s', (expression, source) => {
  const { data } = custom(expression)
  expect(data.mode).toBe('expression')
  expect(printed(data.value as DynamicValue)).toBe(source)
})

test.each([
  'const a = 1; return a',
  'fetch("https://a.example")',
  '{{Other}}.map(x => x + 1)',
  'new Date().getTime()',
  "constructor.constructor('x')()",
  '{{Go-ne}} + 1',
])('the code %s is kept as a placeholder that says so', (expression) => {
  const { kind, data } = custom(expression, { isCode: true })
  expect(kind).toBe('placeholder')
  expect(data).toMatchObject({
    reason: 'Its value is computed by code.',
    data: { options: { expressionToEvaluate: expression } },
  })
})

test.each([
  ['Yesterday', 'addDays(now(), -1)'],
  ['Tomorrow', 'addDays(now(), 1)'],
  ['Moment of the day', 'timeOfDay(now())'],
])('%s becomes %s', (type, source) => {
  expect(setting({ type }).data).toMatchObject({ mode: 'expression', value: text(source) })
})

test.each([
  ['User ID', 'sys_user_id'],
  ['Environment name', 'sys_channel'],
  ['Phone number', 'sys_contact_phone'],
  ['Contact name', 'sys_contact_name'],
])('%s becomes the system variable %s', (type, variable_id) => {
  const value = { type: 'dynamic', parts: [{ type: 'variable', variable_id }] }
  expect(setting({ type }).data).toMatchObject({ mode: 'set', value })
})

test('items are taken out of lists and looked up by their place', () => {
  const { data, flow } = setting({ type: 'Shift', saveItemInVariableId: 'v-Other' })
  expect(data).toMatchObject({ mode: 'take-first', takeTo: flow.variables[1]?.id })
  expect(setting({ type: 'Pop' }).data).toMatchObject({ mode: 'take-last', takeTo: null })
  const mapListItemParams = {
    baseItemVariableId: 'v-Score',
    baseListVariableId: 'v-Other',
    targetListVariableId: 'v-Other',
  }
  const looked = setting({ type: 'Map item with same index', mapListItemParams }).data
  expect(looked.mode).toBe('expression')
  expect(printed(looked.value as DynamicValue)).toBe('lookup(_, _, _)')
})

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
  expect(setting({ type: 'Transcript' }).data).toMatchObject({
    reason: "The value 'Transcript' has no counterpart here.",
  })
})

test('without a variable it does nothing, as in the product', () => {
  expect(importBlock({ type: 'Set variable', options: {} })).toMatchObject({
    kind: 'set-variable',
    data: { variableId: null },
    notes: [],
  })
})
