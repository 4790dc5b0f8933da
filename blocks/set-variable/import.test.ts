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
  ['{{Score}} > 3 && true', '(_ > 3) && true'],
  ['{{Score}} >= 18 ? "adult" : "minor"', '(_ >= 18) ? "adult" : "minor"'],
  ['{{Other}}.length', '_.length'],
  ['{{Other}}[1]', '_[1]'],
  ['{{Other}}.at(-1)', '_[-1]'],
  ['["a", {{Other}}]', '["a", _]'],
  ['!{{Other}}', '!_'],
  ['{{Other}} ?? "none"', '_ ?? "none"'],
  ['{{Score}} ** 2', 'pow(_, 2)'],
  ['{{Other}}.toUpperCase() + "!"', 'concat(_.toUpperCase(), "!")'],
  ['`Dear ${{{Other}}}`', 'concat("", "Dear ", _)'],
  ['"Hello " + {{Other}}', 'concat("Hello ", _)'],
  ['{{Score}} + " of " + {{Other}}', 'concat(_, " of ", _)'],
  ['Math.round({{Score}} / 3)', 'round(_ / 3)'],
  ['new Date().getFullYear() - {{Score}}', 'year(now()) - _'],
  ['new Date().toISOString()', 'date(now())'],
  ['new Date().getTime()', 'timestamp(now())'],
  ['new Date({{Other}}) - new Date()', 'timestamp(date(_)) - timestamp(now())'],
  [
    'new Date().toLocaleString("de", {timeZone: "Europe/Berlin"})',
    'toLocaleString(now(), "de", {"timeZone": "Europe/Berlin"})',
  ],
  ['new Date({{Other}}).toISOString()', 'date(timestamp(date(_)))'],
  ['Boolean({{Other}})', '!(!_)'],
  ['encodeURIComponent({{Other}})', 'urlEncode(_)'],
  ['{{Other}}.concat("x")', 'concat(_, "x")'],
  ['const a = {{Score}} + 1; return a', '_ + 1'],
  ['let a = {{Other}}; a.push("x"); return a', 'append(_, "x")'],
  ['if ({{Score}} > 3) { return "many" } else { return "few" }', '(_ > 3) ? "many" : "few"'],
  ['let a = 1\nif ({{Score}} > 3) a = 2\nreturn a', '(_ > 3) ? 2 : 1'],
  ['{{Other}}.map(x => x + 1)', '_.map(x_ => x_ + 1)'],
  ['return {{Other}}.filter(function (x) { return x.size === "L" })', '_.filter(x_ => x_.size == "L")'],
])('the code %s becomes the expression %s', (expression, source) => {
  for (const more of [{}, { isCode: true }, { isCode: false }]) {
    const { data } = custom(expression, more)
    expect(data.mode).toBe('expression')
    expect(printed(data.value as DynamicValue)).toBe(source)
  }
})

test.each([
  ['fetch("https://a.example")', 'calls “fetch”'],
  ['{{Other}}.replace(/a/g, "b")', 'uses a pattern'],
  ['for (const a of {{Other}}) { b = a } return b', 'repeats something'],
  ["constructor.constructor('x')()", 'calls a function by code'],
  ['{{Other}}.map((x, i) => i)', 'function of several values'],
  ['new Date() + ""', 'prints a date without saying how'],
  ['{{Go-ne}} + 1', 'uses a variable that the file does not have'],
  ['"{{Other}}" + "!"', 'has a variable between quotes'],
  ['`{{Other}}!`', 'has a variable between quotes'],
  ['({{Score}} > 10) + 1', 'adds true or false to something'],
  ['Math.max(...{{Other}})', 'hands the items of a list to a call'],
  ['await fetch("https://a.example")', 'waits for something'],
  [`let a = {{Other}}; ${'a = a + a; '.repeat(40)} return a`, 'too long'],
  [`${'if ({{Score}}) { b = 1 } '.repeat(3)}return 1`, 'changes something elsewhere'],
  [`let b = 0; ${'if ({{Score}}) { b = 1 } '.repeat(40)}return b`, 'too long'],
  [`${'('.repeat(60)}1${')'.repeat(60)}`, 'nested too deeply'],
])('the code %s is kept as a placeholder that says why', (expression, because) => {
  const { kind, data } = custom(expression)
  expect(kind).toBe('placeholder')
  expect(data).toMatchObject({
    reason: expect.stringContaining(because),
    data: { options: { expressionToEvaluate: expression } },
  })
})

test.each([
  'he',
  'Hello-world',
  'yes, no',
  'N/A',
  'example.com',
  'https://a.example/x',
  'Hi {{Other}}!',
  '{{Other}} {{Score}}',
  '50%',
  'a@b.example',
])('the product fails to run %s, and takes the text: so it is one here', (expression) =>
  expect(custom(expression).data.mode).toBe('set'),
)

test.each(['"Hello " + {{Other', '{{Other}}.trim(', 'return {{Other}} +', '{{Other}}[0'])(
  '%s is code with a mistake: a text there and here, which the report says',
  (expression) => {
    const { data, notes } = custom(expression)
    expect(data.mode).toBe('set')
    expect(notes).toEqual([expect.stringContaining('It reads like code with a mistake')])
  },
)

test('a day was calculated there, and the report says so', () => {
  const { data, notes } = custom('2024-01-01')
  expect(data).toMatchObject({ mode: 'set', value: text('2024-01-01') })
  expect(notes).toEqual([expect.stringContaining('was calculated')])
})

test.each([
  ['Yesterday', 'addDays(now(), -1)'],
  ['Tomorrow', 'addDays(now(), 1)'],
  ['Moment of the day', 'hour(now()) < 12 ? "morning" : hour(now()) < 18 ? "afternoon" : "evening"'],
])('%s becomes %s', (type, source) => {
  expect(setting({ type }).data).toMatchObject({ mode: 'expression', value: text(source) })
})

test.each([
  ['User ID', 'sys_user_id'],
  ['Environment name', 'sys_channel'],
  ['Phone number', 'sys_contact_phone'],
  ['Contact name', 'sys_contact_name'],
  ['Transcript', 'sys_transcript'],
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

test('what the file says to be no code is counted and calculated all the same, as in the product', () => {
  expect(custom('{{Score}} + 10', { isCode: false }).data).toMatchObject({ mode: 'increment' })
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
  expect(setting({ type: 'Weather' }).data).toMatchObject({
    reason: "The value 'Weather' has no counterpart here.",
  })
})

test('without a variable it does nothing, as in the product', () => {
  expect(importBlock({ type: 'Set variable', options: {} })).toMatchObject({
    kind: 'set-variable',
    data: { variableId: null },
    notes: [],
  })
})
