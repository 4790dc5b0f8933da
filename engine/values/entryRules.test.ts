import { expect, test } from 'vitest'
import { agentInputProblem, entryMessages, entryTooLong } from './entryRules'

test.each<[string, string, string | null]>([
  ['ada', 'text', null],
  [' ada ', 'text', null],
  ['', 'text', 'Enter a value'],
  [' \n', 'email', 'Enter a value'],
  ['ada@home.co', 'email', null],
  ['ada', 'email', 'Enter a valid email address'],
  ['{{email}}', 'email', null],
  ['{{first name}}@home.co', 'email', null],
  ['{email}', 'email', 'Enter a valid email address'],
  ['{{}}', 'email', 'Enter a valid email address'],
  ['x'.repeat(50), 'text', null],
  [` ${'x'.repeat(50)} `, 'text', null],
  ['x'.repeat(51), 'text', 'Must not exceed 50 characters'],
  [`{{${'x'.repeat(47)}}}`, 'email', 'Must not exceed 50 characters'],
])('an agent’s variable input %j of type %s: %j', (value, type, problem) => {
  expect(agentInputProblem(value, { type, max: 50 })).toBe(problem)
})

test('the messages of a visitor’s form are those of the specification', () => {
  expect(entryMessages).toEqual({
    required: 'Required',
    email: 'Enter a valid email address',
    form: 'Fix the errors in the form and retry',
  })
  expect(entryTooLong(1_234_566)).toBe('Must be less than 1234567 characters')
})
