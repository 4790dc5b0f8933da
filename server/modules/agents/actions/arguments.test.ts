import { expect, test } from 'vitest'
import type { ActionParameter } from '../../../../engine/values/agentActions'
import { readArguments, toolNames } from './arguments'

const parameter = (type: ActionParameter['type'], rest: Partial<ActionParameter> = {}): ActionParameter => ({
  name: 'value',
  type,
  description: '',
  required: true,
  choices: ['Small', 'Large'],
  ...rest,
})
const read = (type: ActionParameter['type'], value: unknown, rest: Partial<ActionParameter> = {}) => {
  const result = readArguments([parameter(type, rest)], { value })
  return 'problem' in result ? result.problem : result.values.value
}

test.each<[ActionParameter['type'], given: unknown, value: unknown]>([
  ['text', ' a\u0000b ', 'ab'],
  ['number', '007.5', 7.5],
  ['number', 7, 7],
  ['yes-no', 'Yes', true],
  ['yes-no', false, false],
  ['email', ' ada@example.org ', 'ada@example.org'],
  ['phone', '+49 30 123456', '+4930123456'],
  ['url', 'https://example.com/a', 'https://example.com/a'],
  ['date', '2026-11-22', '2026-11-22'],
  ['choice', 'large', 'Large'],
])('of the type %s, %j is %j', (type, given, value) => expect(read(type, given)).toEqual(value))

test.each<[ActionParameter['type'], given: unknown, problem: string]>([
  ['text', '', 'value: Enter a value'],
  ['text', 'x'.repeat(3_001), 'value: Must not exceed 3000 characters'],
  ['text', { a: 1 }, 'value: Enter a value'],
  ['number', 'many', 'value: Enter a valid number'],
  ['yes-no', 'perhaps', 'value: Must be true or false'],
  ['email', 'nobody', 'value: Enter a valid email address'],
  ['email', 'ada@example.org, eve@example.org', 'value: Enter a valid email address'],
  ['phone', 'call me', 'value: Enter a valid phone number'],
  ['url', 'javascript:alert(1)', 'value: Enter a valid URL (must start with https:// or http://)'],
  ['date', 'tomorrow', 'value: Enter a valid date'],
  ['choice', 'Huge', 'value: Must be one of Small, Large'],
])('of the type %s, %j is refused', (type, given, problem) => expect(read(type, given)).toBe(problem))

test('what need not be given is nothing, and what there is no parameter for is refused', () => {
  expect(read('email', undefined, { required: false })).toBeNull()
  expect(readArguments([], { to: 'x' })).toEqual({ problem: 'to: There is no such argument' })
  expect(readArguments([parameter('text')], 'not an object')).toEqual({ problem: 'value: Enter a value' })
})

test('names fit every provider, and each is there once', () => {
  expect(toolNames(['Größe prüfen!', 'größe prüfen', '订单', ''], 'action')).toEqual([
    'Gro_e_prufen',
    'gro_e_prufen_2',
    'action',
    'action_2',
  ])
})
