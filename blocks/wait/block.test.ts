import { expect, test } from 'vitest'
import { runKind } from '../../tests/support/conversations'
import { waitDefaults, waitSchema } from './schema'

const data = (change: object = {}) => ({ ...waitDefaults(), ...change })
const seconds = (change: object, v: string | number | string[] = '') =>
  runKind('wait', data(change), { variables: { v } }).request

test.each([
  [{ amount: 3, unit: 'seconds' }, 3],
  [{ amount: 1.5, unit: 'minutes' }, 90],
  [{ amount: 2, unit: 'hours' }, 7_200],
  [{ amount: 30, unit: 'days' }, 2_592_000],
  [{ amount: 1.2, unit: 'seconds' }, 2],
])('waits %o: %d seconds', (change, timeout) => {
  expect(seconds(change)).toEqual({ input: 'wait', timeout })
})

test('goes on when the time has passed', () => {
  expect(runKind('wait', data(), { replies: [{ type: 'timeout' }] })).toMatchObject({ port: 'next', request: null })
})

test.each([
  [5, 300],
  ['0.1', 6],
  [1e9, 2_592_000],
])('a variable may say how long: %j minutes', (value, timeout) => {
  expect(seconds({ unit: 'minutes', variableId: 'v' }, value)).toEqual({ input: 'wait', timeout })
})

test.each(['', 'soon', 0, -5, ['a']])('a variable that holds no time lets none pass: %j', (value) => {
  const run = runKind('wait', data({ variableId: 'v' }), { variables: { v: value } })
  expect(run).toMatchObject({ port: 'next', request: null })
})

test('waits between a second and 30 days', () => {
  const message = (amount: number, unit: string) => waitSchema.safeParse(data({ amount, unit })).error?.issues[0]
  const refused = { path: ['amount'], message: 'Must be between 1 second and 30 days' }
  for (const [amount, unit] of [
    [0, 'seconds'],
    [0.5, 'seconds'],
    [-1, 'days'],
    [31, 'days'],
  ] as const)
    expect(message(amount, unit)).toMatchObject(refused)
  for (const [amount, unit] of [
    [1, 'seconds'],
    [0.5, 'minutes'],
    [720, 'hours'],
  ] as const)
    expect(message(amount, unit)).toBeUndefined()
})
