import { expect, test } from 'vitest'
import type { DynamicValue } from './dynamicValue'
import type { Json } from './json'
import { ANY_VALUE, jsonProblem } from './jsonProblem'
import { renderHeader, renderJson, renderUrl } from './places'

/** `{v}` in a text is the variable v. */
const template = (text: string): DynamicValue => ({
  type: 'dynamic',
  parts: text
    .split(/(\{v\})/)
    .filter((part) => part !== '')
    .map((part) => (part === '{v}' ? { type: 'variable', variable_id: 'v' } : { type: 'text', text: part })),
})

test.each<[string, Json, string | null]>([
  ['https://a.example/{v}', 'a b/ü?&#', 'https://a.example/a%20b%2F%C3%BC%3F%26%23'],
  ['https://a.example/?q={v}', 'x&admin=1', 'https://a.example/?q=x%26admin%3D1'],
  ['https://a.example/?q={v}', '..', 'https://a.example/?q=..'],
  ['https://a.example/users/{v}/x', '..', null],
  ['https://a.example/users/{v}', '.', null],
  ['https://a.example/users/{v}', '../admin', 'https://a.example/users/..%2Fadmin'],
  ['https://a.example/users/x{v}', '..', 'https://a.example/users/x..'],
  ['https://{v}/x', 'b.example:8080', 'https://b.example:8080/x'],
  ['https://{v}.a.example/x', 'evil.example/', 'https://evil.example%2F.a.example/x'],
  ['https://a.example{v}', '@evil.example', 'https://a.example%40evil.example'],
  ['{v}/x', ' https://b.example/base ', 'https://b.example/base/x'],
  ['{v}', 'https://b.example/?a=b&c', 'https://b.example/?a=b&c'],
  ['https://a.example/{v}', null, 'https://a.example/'],
  ['https://a.example/{v}', '\ud800', 'https://a.example/%EF%BF%BD'],
])('the address %s with %j is %s', (url, v, rendered) => {
  expect(renderUrl(template(url), { v })).toBe(rendered)
})

test('a part of a variable is what is put there', () => {
  const part = { type: 'variable' as const, variable_id: 'o', path: '.id' }
  const value = (before: string): DynamicValue => ({ type: 'dynamic', parts: [{ type: 'text', text: before }, part] })
  expect(renderUrl(value('https://a.example/'), { o: { id: 7 } })).toBe('https://a.example/7')
  expect(renderJson(value(' '), { o: { id: 7 } })).toBe(' 7')
})

test('a header stays one line', () => {
  expect(renderHeader(template('Bearer {v}'), { v: 'a\r\nX-Evil: 1\0' })).toBe('Bearer a X-Evil: 1')
})

test.each<[string, Json, string]>([
  ['{"a": {v}}', 'text "quoted"\n', '{"a": "text \\"quoted\\"\\n"}'],
  ['{"a": {v}}', 7, '{"a": 7}'],
  ['{"a": {v}}', ['x', 1], '{"a": ["x",1]}'],
  ['{"a": {v}}', null, '{"a": null}'],
  ['{"a": "{v}"}', 'x", "admin": true, "b": "', '{"a": "x\\", \\"admin\\": true, \\"b\\": \\""}'],
  ['{"a": "Hi {v}!"}', 7, '{"a": "Hi 7!"}'],
  ['{"a": "{v}"}', null, '{"a": ""}'],
  ['{"a\\"": {v}}', 'x', '{"a\\"": "x"}'],
  ['{"a\\\\": "{v}"}', '"', '{"a\\\\": "\\""}'],
  ['{v}', { deep: true }, '{"deep":true}'],
])('the JSON %s with %j', (json, v, rendered) => {
  expect(renderJson(template(json), { v })).toBe(rendered)
  expect(() => JSON.parse(rendered)).not.toThrow()
})

test('variables add at most 100,000 characters', () => {
  expect(renderJson(template('[{v},{v}]'), { v: 'x'.repeat(60_000) })).toBe(null)
  expect(renderUrl(template('https://a.example/{v}{v}'), { v: 'x'.repeat(60_000) })).toHaveLength(100_018)
})

test.each([
  ['{}', null],
  [' [1, -2.5e3, true, null, "a\\u00fc\\n", {"a": []}] ', null],
  [`{"a": ${ANY_VALUE}, "b": "x${ANY_VALUE}"}`, null],
  ['', 'line 1, column 1 should be a value, but it ends there'],
  ['{"a": 1,}', 'line 1, column 9 should be a name in quotes, not “}”'],
  ['{\n  "a" 1}', 'line 2, column 7 should be a colon, not “1”'],
  ['{"a": 1 "b": 2}', 'line 1, column 9 should be a comma or }, not “"”'],
  ['[1, 2', 'line 1, column 6 should be a comma or ], but it ends there'],
  ['{a: 1}', 'line 1, column 2 should be a name in quotes, not “a”'],
  ["{'a': 1}", "line 1, column 2 should be a name in quotes, not “'”"],
  ['{"a": "b\n"}', 'line 1, column 9 should be the end of the text in quotes, not “\n”'],
  ['{"a": tru}', 'line 1, column 7 should be a value, not “t”'],
  ['[01]', 'line 1, column 3 should be a comma or ], not “1”'],
  ['{} x', 'line 1, column 4 should be nothing more, not “x”'],
  [`{${ANY_VALUE}: 1}`, 'line 1, column 2 should be a name in quotes, not a variable'],
  [`{"a": 1${ANY_VALUE}}`, 'line 1, column 8 should be a comma or }, not a variable'],
  ['['.repeat(70), 'line 1, column 66 should be no deeper nesting, not “[”'],
])('%j: %s', (text, problem) => {
  expect(jsonProblem(text)).toBe(problem && `This is not valid JSON: ${problem}`)
})

test('it agrees with JavaScript on what is JSON', () => {
  const pieces = ['{', '}', '[', ']', ',', ':', '"a"', '"', '1', '-', '.5', 'null', ' ', '\\', 'e1']
  let seed = 7
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
  for (let n = 0; n < 20_000; n++) {
    const text = Array.from({ length: 1 + next(7) }, () => pieces[next(pieces.length)]).join('')
    let valid = true
    try {
      JSON.parse(text)
    } catch {
      valid = false
    }
    expect([text, jsonProblem(text) === null]).toEqual([text, valid])
  }
})
