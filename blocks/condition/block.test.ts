import { describe, expect, test } from 'vitest'
import type { DynamicValue } from '../../engine/values/dynamicValue'
import { runKind } from '../../tests/support/conversations'
import { registry } from '../registry'
import { conditionSchema } from './schema'

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
})

test('a comparison that is not finished is false: it closes what wants all, and opens nothing', () => {
  expect(port([branch('x', 'all', is(null, ''), is('a', '1'))], { a: '1' })).toBe('else')
  expect(port([branch('x', 'any', is(null, ''), is('a', '1'))], { a: '1' })).toBe('x')
  expect(port([branch('x', 'any', is(null, ''), is('a', '1'))], { a: '2' })).toBe('else')
})

test('the checker tells the field of each comparison that is not finished', () => {
  const blank = { ...is('a', ''), subject: 'expression' as const }
  const branches = [
    branch('x', 'all', is('a', '1'), is(null, '')),
    branch('y', 'any', blank, is('a', '2')),
    branch('z', 'all'),
  ]
  const { problems } = registry.get('condition')
  expect(problems(conditionSchema.parse({ branches })).map(({ path }) => path)).toEqual([
    'branches.0.comparisons.1.variableId',
    'branches.1.comparisons.0.value',
    'branches.2.comparisons',
  ])
})

test('compares with the value of another variable', () => {
  const value: DynamicValue = { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'b' }] }
  expect(port([branch('x', 'all', { ...is('a', ''), value })], { a: 'Yes', b: 'yes' })).toBe('x')
})

test('patterns on a long text are paid for by the turn, which is stopped when they cost too much', () => {
  const matches = (id: string, pattern: string) =>
    branch(id, 'all', { ...is('a', ''), operator: 'matches', value: still(pattern) })
  const heavy = '(a|b|ab|ba)*(a|b)*(a*b*)*'
  const a = 'ab'.repeat(20_000)
  expect(port([matches('no', `${heavy}c`), matches('x', `${heavy}b$`)], { a })).toBe('x')
  const many = Array.from({ length: 20 }, (_, n) => matches(`b${n}`, `${heavy}c`))
  const { port: left, notes, session } = runKind('condition', { branches: many }, { variables: { a } })
  expect({ left, status: session.status }).toEqual({ left: null, status: 'ended' })
  expect(notes[0]).toContain('more work than one turn may')
})

test('looks at a part of a variable', () => {
  const big = { ...is('order', '10'), path: '.items[0].price', operator: 'greater' }
  expect(port([branch('x', 'all', big)], { order: { items: [{ price: 12 }] } })).toBe('x')
  expect(port([branch('x', 'all', big)], { order: { items: [] } })).toBe('else')
})

test.each([
  ['pt', 'pt-BR', 'x'],
  ['pt', 'PT', 'x'],
  ['pt-br', 'pt', 'else'],
  ['pt', 'ptx', 'else'],
  ['en', null, 'else'],
])('%s is spoken by a visitor whose language is %s: %s', (code, sys_language, taken) => {
  expect(port([branch('x', 'all', { ...is(null, code), subject: 'language' })], { sys_language })).toBe(taken)
})

describe('an expression as a comparison', () => {
  const score: DynamicValue = {
    type: 'dynamic',
    parts: [
      { type: 'variable', variable_id: 'a' },
      { type: 'text', text: ' * 2 >= 10' },
    ],
  }
  const expression = (value: DynamicValue) => ({ ...is(null, ''), subject: 'expression', value })

  test('holds when it is true, together with others', () => {
    expect(port([branch('x', 'all', expression(score), is('b', '1'))], { a: '5', b: 1 })).toBe('x')
    expect(port([branch('x', 'all', expression(score), is('b', '1'))], { a: '4', b: 1 })).toBe('else')
    expect(port([branch('x', 'any', expression(still('now() > "2026"')), is('b', '2'))], { b: 1 })).toBe('x')
  })

  test('does not hold when it fails, and the trace says why', () => {
    const run = runKind(
      'condition',
      { branches: [branch('x', 'all', expression(score))] },
      { variables: { a: 'many' } },
    )
    expect(run.port).toBe('else')
    expect(run.notes).toEqual([
      'A comparison could not be calculated and does not hold: “many” is not a number (character 3).',
    ])
  })

  test('that is blank is unfinished, one that can not be read is refused', () => {
    expect(port([branch('x', 'all', expression(still(' ')))])).toBe('else')
    const data = { branches: [branch('x', 'all', expression(still('1 +')))] }
    expect(conditionSchema.safeParse(data).error?.issues[0]?.path).toEqual(['branches', 0, 'comparisons', 0, 'value'])
  })
})

test('a branch can not have the id of the other exit', () => {
  const branches = [branch('else', 'all', is('a', '1'))]
  expect(registry.get('condition').schema.safeParse({ branches }).error?.issues[0]?.message).toBe(
    'Another exit has this id',
  )
  expect(registry.portsOf({ kind: 'condition', data: { branches } })).toEqual([{ id: 'else', label: 'Else' }])
})
