import { expect, test } from 'vitest'
import { actionConfigs } from './agentActions'

const mail = { from_name: '', to: ['ada@example.org'], reply_to: '', subject: 'Hello', message: 'Hi' }
const problemsOf = (change: Partial<typeof mail>) =>
  actionConfigs['send-email'].safeParse({ ...mail, ...change }).error?.issues.map(({ message }) => message) ?? []

test.each<[string, string[]]>([
  [' ada@example.org ', []],
  ['{{email}}', []],
  ['   ', ['Enter a value']],
  ['nobody', ['Enter a valid email address']],
  ['{email}', ['Enter a valid email address']],
  [`{{name}}${'x'.repeat(248)}`, ['Must not exceed 255 characters']],
])('the mail of an action is refused with the texts of an agent’s input: %j: %j', (address, problems) => {
  expect(problemsOf({ to: [address] })).toEqual(problems)
})

test('an address that may be left out may be empty', () => {
  expect(problemsOf({ reply_to: '  ' })).toEqual([])
  expect(problemsOf({ reply_to: 'nobody' })).toEqual(['Enter a valid email address'])
})
