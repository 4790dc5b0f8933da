import { expect, test } from 'vitest'
import type { DynamicValue } from '../../engine/values/dynamicValue'
import type { Json } from '../../engine/values/json'
import { runKind } from '../../tests/support/conversations'
import { setVariableSchema } from './schema'

const still = (value: string): DynamicValue => ({ type: 'static', value })
const variable: DynamicValue = { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'other' }] }
const after = (mode: string, value: DynamicValue, v: Json = null, other: Json = null) => {
  const run = runKind('set-variable', { variableId: 'v', mode, value }, { variables: { v, other } })
  expect(run.port).toBe('next')
  return run.variables.v
}

test('sets a text; a lone variable keeps its type', () => {
  expect(after('set', still('5'))).toBe('5')
  expect(after('set', variable, null, ['a', 1])).toEqual(['a', 1])
  expect(after('set', variable, 'before', null)).toBe(null)
})

test('appends to a text, to a list, to nothing', () => {
  expect(after('append', still('b'), 'a')).toBe('ab')
  expect(after('append', still('b'), ['a'])).toEqual(['a', 'b'])
  expect(after('append', still('b'))).toBe('b')
  expect(after('append', variable, ['a'], ['b'])).toEqual(['a', ['b']])
})

test.each<[string, Json, Json]>([
  ['', null, 1],
  ['2', '40', 42],
  ['-0.5', 1, 0.5],
  ['0.2', 0.1, 0.3],
  ['many', 7, 7],
  ['3', 'no number', 3],
  ['', 1_000_000_000, 1_000_000_001],
  ['-1', '2000000000', 1_999_999_999],
  ['1', 1e21, 1e21],
])('counts up by %j from %j to %j', (step, from, to) => {
  expect(after('increment', still(step), from)).toBe(to)
})

test('clears, tells the time, makes an id', () => {
  expect(after('clear', still('ignored'), 'before')).toBe(null)
  expect(after('now', still(''))).toBe('2026-11-21T10:00:00.000Z')
  expect(after('random', still(''))).toMatch(/^[0-9a-z]{16}$/)
})

test('without a variable it does nothing', () => {
  expect(runKind('set-variable', { variableId: null, mode: 'set', value: still('x') })).toMatchObject({
    port: 'next',
    variables: {},
  })
})

test('the value is capped at 3000 characters', () => {
  const valid = (length: number) =>
    setVariableSchema.safeParse({ variableId: null, mode: 'set', value: still('x'.repeat(length)) }).success
  expect([valid(3_000), valid(3_001)]).toEqual([true, false])
})
