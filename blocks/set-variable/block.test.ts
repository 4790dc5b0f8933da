import { describe, expect, test } from 'vitest'
import type { DynamicValue } from '../../engine/values/dynamicValue'
import type { Json } from '../../engine/values/json'
import { runKind } from '../../tests/support/conversations'
import { setVariableSchema } from './schema'

const still = (value: string): DynamicValue => ({ type: 'static', value })
const variable: DynamicValue = { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'other' }] }
const after = (mode: string, value: DynamicValue, v: Json = null, other: Json = null) => {
  const run = runKind('set-variable', { variableId: 'v', mode, value, takeTo: null }, { variables: { v, other } })
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
  expect(runKind('set-variable', { variableId: null, mode: 'set', value: still('x'), takeTo: null })).toMatchObject({
    port: 'next',
    variables: {},
  })
})

test('the value is capped at 3000 characters', () => {
  const valid = (length: number) =>
    setVariableSchema.safeParse({ variableId: null, mode: 'set', value: still('x'.repeat(length)), takeTo: null })
      .success
  expect([valid(3_000), valid(3_001)]).toEqual([true, false])
})

describe('an expression', () => {
  const calculate = (value: DynamicValue, variables: Record<string, Json>) =>
    runKind('set-variable', { variableId: 'v', mode: 'expression', value, takeTo: null }, { variables })
  const times = (factor: string): DynamicValue => ({
    type: 'dynamic',
    parts: [
      { type: 'variable', variable_id: 'other', path: '.price' },
      { type: 'text', text: ` * ${factor}` },
    ],
  })

  test('is calculated with the values of now, and gives values of any type', () => {
    expect(calculate(times('3'), { v: 1, other: { price: 2.5 } }).variables.v).toBe(7.5)
    expect(calculate(still('[1, {a: now()}]'), { v: 1 }).variables.v).toEqual([1, { a: '2026-11-21T10:00:00.000Z' }])
    expect(calculate(still('random(1, 6)'), { v: 0 }).variables.v).toBeOneOf([1, 2, 3, 4, 5, 6])
  })

  test('that fails leaves the variable as it is, goes on, and says why in the trace', () => {
    const run = calculate(times('3'), { v: 'before', other: { price: 'free' } })
    expect(run).toMatchObject({ port: 'next', variables: { v: 'before' } })
    expect(run.notes).toEqual(['The expression could not be calculated: “free” is not a number (character 3).'])
  })

  test('that can not be read is refused where it is wrong; the same text as a value is taken', () => {
    const issues = (mode: string) =>
      setVariableSchema.safeParse({ variableId: 'v', mode, value: still('1 +'), takeTo: null }).error?.issues
    expect(issues('expression')).toMatchObject([
      { path: ['value'], message: 'Something is missing at the end (character 4)' },
    ])
    expect(issues('set')).toBe(undefined)
  })
})

test('takes the first or the last item of a list for another variable', () => {
  const take = (mode: string, v: Json) =>
    runKind('set-variable', { variableId: 'v', mode, value: still(''), takeTo: 'item' }, { variables: { v, item: 0 } })
      .variables
  expect(take('take-first', ['a', 'b'])).toEqual({ v: ['b'], item: 'a' })
  expect(take('take-last', ['a', 'b'])).toEqual({ v: ['a'], item: 'b' })
  expect(take('take-last', [])).toEqual({ v: [], item: null })
  expect(take('take-first', 'text')).toEqual({ v: 'text', item: null })
})

test('what the runtime gives can not be set', () => {
  const data = { variableId: 'sys_user_id', mode: 'clear', value: still(''), takeTo: null }
  expect(setVariableSchema.safeParse(data).error?.issues[0]?.message).toBe('System variables can’t be set')
})
