import { expect, test } from 'vitest'
import { Budget } from '../budget'
import type { Json } from '../values/json'
import { evaluate } from './evaluate'
import { functions } from './functions'
import { parseExpression } from './parseExpression'

const text = (size: number) => 'ab'.repeat(size / 2)
const list = (size: number) => Array.from({ length: size }, (_, n) => `w${n}`)
const rows = (size: number) => Array.from({ length: size }, (_, n) => ({ name: `w${n}` }))

/**
 * By function: an operand of a given size, and the call with it. Functions whose operand is a number or a date are in
 * `SMALL`.
 */
const CALLS: Record<string, [make: (size: number) => Json, call: string]> = {
  ...each(
    ['text', 'upper', 'lower', 'trim', 'capitalize', 'urlEncode', 'encodeURIComponent', 'String', 'toString'],
    text,
    '#(§)',
  ),
  ...each(['toUpperCase', 'toLowerCase'], text, '#(§)'),
  ...each(['concat', 'startsWith', 'endsWith', 'contains', 'includes', 'split', 'indexOf'], text, '#(§, "b")'),
  ...each(['replace', 'replaceAll'], text, '#(§, "a", "c")'),
  ...each(['slice', 'substring'], text, '#(§, 1)'),
  ...each(['padStart', 'padEnd'], (size) => size, '#("x", §)'),
  ...each(['repeat'], (size) => size, '#("x", §)'),
  ...each(['matches'], (size) => text(size / 10), '#(§, "a+c")'),
  ...each(['parseJson'], (size) => JSON.stringify(list(size)), '#(§)'),
  ...each(['toJson', 'list', 'first', 'last', 'reverse', 'sort', 'join', 'unique'], list, '#(§)'),
  ...each(['keys', 'values'], (size) => Object.fromEntries(list(size).map((name) => [name, 1])), '#(§)'),
  ...each(['length', 'count'], (size) => Object.fromEntries(list(size).map((name) => [name, 1])), '#(§)'),
  ...each(['at'], list, '#(§, 1)'),
  ...each(['append', 'push', 'without', 'has'], list, '#(§, "x")'),
  ...each(['range'], (size) => size, '#(1, §)'),
  ...each(['pluck'], rows, '#(§, "name")'),
  ...each(['where'], rows, '#(§, "name", "x")'),
  ...each(['lookup'], list, '#("x", §, §)'),
  ...each(['min', 'max', 'sum', 'average'], (size) => list(size).map((_, n) => n), '#(§)'),
  ...each(['isEmpty', 'if', 'default', 'get'], list, '[#(§, "a", "b")]'),
}
CALLS.isEmpty = [list, '[isEmpty(§), §]']
CALLS.default = [list, '[default(§, "a")]']
CALLS.if = [list, '[if(true, §, "b")]']
CALLS.get = [(size) => ({ a: list(size) }), 'get(§, "a")']

/** Functions of constant cost: their operand is a number, a date, or the name of a zone. */
const SMALL = new Set(
  `number Number parseFloat parseInt round floor ceil trunc abs sqrt pow power fixed toFixed isNumber random now today date addDays
   addMonths addYears addHours addMinutes daysBetween year month day hour minute weekday formatDate timeOfDay timestamp toLocaleString toLocaleDateString toLocaleTimeString`.split(
    /\s+/,
  ),
)

function each(names: string[], make: (size: number) => Json, call: string): typeof CALLS {
  return Object.fromEntries(names.map((name) => [name, [make, call.replace('#', name)]]))
}

function costOf(call: string, value: Json): number {
  const parts = call
    .split(/(§)/)
    .map((piece) =>
      piece === '§' ? { type: 'variable' as const, variable_id: 'v' } : { type: 'text' as const, text: piece },
    )
  const parsed = parseExpression({ type: 'dynamic', parts })
  if (!parsed.ok) throw new Error(parsed.problem.message)
  const budget = new Budget(Number.MAX_SAFE_INTEGER)
  const result = budget.during(() => evaluate(parsed.expression, { variables: { v: value } }))
  expect(result).toMatchObject({ ok: true })
  return budget.spent
}

test('every function is known to grow with what it works on, or to be small', () => {
  expect([...functions.keys()].filter((name) => !(name in CALLS) && !SMALL.has(name))).toEqual([])
})

test.each(Object.entries(CALLS))('%s is charged by the size of what it works on', (_name, [make, call]) => {
  const [small, large] = [2_000, 20_000].map((size) => costOf(call, make(size)))
  // ten times the size costs at least nine times as much, apart from a small constant
  expect(large).toBeGreaterThanOrEqual(9 * (small ?? 0) - 2_000)
  // and every character or item costs something
  expect(large).toBeGreaterThan(2_000)
})

test.each([...SMALL].filter((name) => functions.get(name)?.min === 1 || functions.get(name)?.min === 2))(
  '%s of a large value costs no more than printing it, and says that it is wrong',
  (name) => {
    const call = functions.get(name)?.min === 1 ? `${name}(§)` : `${name}(§, 1)`
    const parsed = parseExpression({
      type: 'dynamic',
      parts: call
        .split(/(§)/)
        .map((piece) =>
          piece === '§' ? { type: 'variable' as const, variable_id: 'v' } : { type: 'text' as const, text: piece },
        ),
    })
    const budget = new Budget(Number.MAX_SAFE_INTEGER)
    const v = list(20_000)
    if (parsed.ok) budget.during(() => evaluate(parsed.expression, { variables: { v }, now: '2026-01-01T00:00:00Z' }))
    expect(budget.spent).toBeLessThan(2_000_000)
    if (name !== 'isNumber') expect(budget.spent).toBeGreaterThan(100_000)
  },
)
