import { expect, test } from 'vitest'
import type { DynamicValue } from '../../engine/values/dynamicValue'
import { runKind } from '../../tests/support/conversations'

const still = (value: string): DynamicValue => ({ type: 'static', value })
const is = (variableId: string | null, value: string) => ({
  id: `${variableId}${value}`,
  variableId,
  operator: 'equals',
  value: still(value),
})
const branch = (id: string, match: string, ...comparisons: object[]) => ({ id, match, comparisons })
const port = (branches: object[], variables = {}) => runKind('condition', { branches }, { variables }).port

test('takes the first branch that holds, else the last port', () => {
  const branches = [
    branch('one', 'all', is('a', '1')),
    branch('also', 'all', is('a', '1')),
    branch('two', 'all', is('a', '2')),
  ]
  expect(port(branches, { a: '1' })).toBe('one')
  expect(port(branches, { a: 2 })).toBe('two')
  expect(port(branches, { a: '3' })).toBe('else')
})

test('all wants every comparison, any wants one', () => {
  const comparisons = [is('a', '1'), is('b', '1')]
  expect(port([branch('x', 'all', ...comparisons)], { a: '1', b: '2' })).toBe('else')
  expect(port([branch('x', 'any', ...comparisons)], { a: '1', b: '2' })).toBe('x')
  expect(port([branch('x', 'all', ...comparisons)], { a: '1', b: '1' })).toBe('x')
})

test('a branch without a finished comparison never holds', () => {
  expect(port([branch('x', 'all'), branch('y', 'all', is(null, ''))])).toBe('else')
  expect(port([branch('x', 'all', is(null, ''), is('a', '1'))], { a: '1' })).toBe('x')
})

test('compares with the value of another variable', () => {
  const value: DynamicValue = { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'b' }] }
  expect(port([branch('x', 'all', { ...is('a', ''), value })], { a: 'Yes', b: 'yes' })).toBe('x')
})

test('patterns on a long text share what one block may cost: past it they match nothing', () => {
  const matches = (id: string, pattern: string) =>
    branch(id, 'all', { ...is('a', ''), operator: 'matches', value: still(pattern) })
  const heavy = '(a|b|ab|ba)*(a|b)*(a*b*)*'
  const a = 'ab'.repeat(20_000)
  expect(port([matches('x', `${heavy}b$`)], { a })).toBe('x')
  expect(port([matches('no', `${heavy}c`), matches('x', `${heavy}b$`)], { a })).toBe('else')
  expect(port([matches('no', `${heavy}c`), matches('x', `${heavy}b$`), matches('light', 'b$')], { a })).toBe('light')
})
