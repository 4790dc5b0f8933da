import { describe, expect, test } from 'vitest'
import { Budget, BudgetSpent, charge, SHARE_UNITS } from './budget'
import { evaluate } from './expression/evaluate'
import { parseExpression } from './expression/parseExpression'
import { VariableStore } from './run/variables'
import { compare } from './values/compare'
import { findPart, splitAt } from './values/findPart'
import type { Json } from './values/json'
import { jsonPathProblem, readJsonPath } from './values/jsonPath'
import { normalText } from './values/normalText'
import { matchesPattern } from './values/pattern'
import { renderJson, renderUrl } from './values/places'
import { renderText } from './values/render'
import { renderRichText } from './values/renderRichText'
import { isValuePath, PATH_CAP, readValuePath } from './values/valuePath'

const costOf = (work: () => unknown): number => {
  const budget = new Budget(Number.MAX_SAFE_INTEGER)
  budget.during(work)
  return budget.spent
}
const calculate = (source: string, variables: Record<string, Json> = {}) => {
  const parsed = parseExpression({ type: 'static', value: source })
  return parsed.ok ? evaluate(parsed.expression, { variables }) : parsed
}

describe('a budget', () => {
  test('is charged for what is done within it, and throws before it goes below nothing', () => {
    const budget = new Budget(10)
    budget.during(() => charge(10))
    expect([budget.spent, budget.isSpent]).toEqual([10, false])
    expect(() => budget.during(() => charge(1))).toThrow(BudgetSpent)
    expect(budget.isSpent).toBe(true)
    // catching the error does not help
    expect(() => budget.during(() => charge(0))).toThrow(BudgetSpent)
  })

  test('within another one is a share of it, and names itself when it is spent', () => {
    const [whole, share] = [new Budget(100), new Budget(10)]
    const spend = () => whole.during(() => share.during(() => charge(20)))
    expect(spend).toThrow(expect.objectContaining({ budget: share }))
    expect(whole.isSpent).toBe(false)
    const rest = new Budget(1_000)
    expect(() => whole.during(() => rest.during(() => charge(101)))).toThrow(expect.objectContaining({ budget: whole }))
  })

  test('ends with what it was for', () => {
    const budget = new Budget(10)
    expect(() => budget.during(() => charge(11))).toThrow(BudgetSpent)
    charge(1_000)
    expect(budget.during(() => 'x')).toBe('x')
  })

  test('refuses what is no number of units', () => {
    expect(() => new Budget(10).during(() => charge(Number.NaN))).toThrow(BudgetSpent)
  })
})

describe('costs grow with the work', () => {
  const list = (size: number) => Array.from({ length: size }, (_, n) => `w${n}`)
  const chips = (size: number) => Array.from({ length: size }, () => ({ type: 'variable' as const, variable_id: 'v' }))
  const v = list(500)
  const works: [string, (size: number) => unknown][] = [
    ['a pattern by the text', (size) => matchesPattern('(a|b)+c', 'ab'.repeat(size))],
    ['a pattern by its own length', (size) => matchesPattern(`${'a?'.repeat(size / 20)}b`, 'ab'.repeat(10))],
    [
      'a pattern by the items of its classes',
      (size) => matchesPattern(`[${'xyz'.repeat(size / 40)}]q`, 'x'.repeat(200)),
    ],
    ['a comparison by the items of a list', (size) => compare(list(size), 'contains', 'none')],
    ['a comparison by the text', (size) => compare('ab'.repeat(size), 'equals', 'none')],
    ['a comparison by the operand', (size) => compare('a', 'equals', 'ab'.repeat(size))],
    [
      'reading an expression by its source',
      (size) => parseExpression({ type: 'static', value: `"${'a'.repeat(size)}"` }),
    ],
    ['a text by its variables', (size) => renderText({ type: 'dynamic', parts: chips(size) }, { v })],
    ['an address by its variables', (size) => renderUrl({ type: 'dynamic', parts: chips(size) }, { v: 'ab' })],
    [
      'JSON by its variables',
      (size) => renderJson({ type: 'dynamic', parts: chips(size / 10) }, { v: 'ab'.repeat(20) }),
    ],
    [
      'a rich text by its pieces',
      (size) => renderRichText([{ type: 'paragraph', children: list(size).map((text) => ({ text })) }], {}),
    ],
    ['a JSONPath by the document', (size) => readJsonPath('$..name', list(size))],
    [
      'a JSONPath by its selectors',
      (size) => readJsonPath(`$[*][${list(size / 50).map((name) => `'${name}'`)}]`, list(1_000)),
    ],
    ['a JSONPath by the texts that it searches', (size) => readJsonPath('$[?search(@, "x+y")]', ['x'.repeat(size)])],
    ['setting a variable by its size', (size) => new VariableStore({}).set('v', 'x'.repeat(size))],
    [
      'setting a variable by how many there are',
      (size) => new VariableStore(Object.fromEntries(list(size).map((id) => [id, 1]))).set('v', 1),
    ],
  ]
  test.each(works)('%s', (_name, work) => {
    const [small, large] = [400, 4_000].map((size) => costOf(() => work(size)))
    expect(large).toBeGreaterThan(5 * (small ?? 0))
  })
})

describe('what held the process for seconds', () => {
  const TEN_MILLION = 10_000_000

  test('a long path for each item of a long list', () => {
    expect(calculate('length(pluck(range(1,20000), repeat("[0]",100000)))')).toEqual({
      ok: false,
      problem: { message: `A path has at most ${PATH_CAP} characters, this one has 300000: name a shorter way`, at: 7 },
    })
    expect(costOf(() => calculate('length(pluck(range(1,20000), repeat("[0]",60)))'))).toBeGreaterThan(1_000_000)
    let nested: Json = 'end'
    for (let level = 0; level < 70; level++) nested = [nested]
    expect(readValuePath(nested, '[0]'.repeat(66))).not.toBe(null)
    expect(readValuePath(nested, '[0]'.repeat(67))).toBe(null)
    expect([isValuePath('.a'.repeat(PATH_CAP / 2)), isValuePath('.a'.repeat(PATH_CAP / 2 + 1))]).toEqual([true, false])
  })

  test('classes of many characters, tested for each character of a text', () => {
    const heavy = `[${'b-y'.repeat(160)}]{900}`
    expect(matchesPattern(heavy, 'z'.repeat(2_000))).toBe(false)
    expect(costOf(() => matchesPattern(`[${'b-y'.repeat(100)}]{9}`, 'z'.repeat(1_000)))).toBeGreaterThan(TEN_MILLION)
  })

  test('a JSONPath that searches every text with a pattern', () => {
    const body = Array.from({ length: 3_000 }, () => 'ab'.repeat(500))
    const path = `$[?search(@, '${'(a|b)*'.repeat(20)}c')]`
    expect(readJsonPath(path, body)).toBe(null)
    expect(costOf(() => readJsonPath(path, body))).toBeLessThanOrEqual(SHARE_UNITS)
  })

  test('a JSONPath that goes to every depth again and again', () => {
    expect(jsonPathProblem('$..a..b..c')).toBe(null)
    expect(jsonPathProblem("$..a['..']..b")).toBe(null)
    expect(jsonPathProblem('$..a..b[?@..c == $..d]')).toBe(
      'This JSONPath has 4 “..”; at most 3 are taken: name the fields on the way instead',
    )
  })

  test('a long text that is looked for in a longer one', () => {
    const [text, part] = ['a'.repeat(2_000_000), `${'a'.repeat(200_000)}b${'a'.repeat(200_000)}`]
    expect(findPart(text, part)).toBe(-1)
    expect(findPart(`${text}b${text}`, part)).toBe(1_800_000)
    expect(splitAt(`x${part}y${part}`, part)).toEqual(['x', 'y', ''])
  })

  test('heaps of marks over one letter', () => {
    const heap = `a${'\u0301'.repeat(100_000)}${'\u0316'.repeat(100_000)}`
    expect(normalText(heap, 'NFC')).toHaveLength(30)
    expect(normalText(`e\u0301${'x'.repeat(50)}`, 'NFC')).toBe(`é${'x'.repeat(50)}`)
    expect(compare(heap, 'equals', heap)).toBe(true)
  })

  test('lists in lists, deeper than anything can print', () => {
    expect(calculate('parseJson(concat(repeat("[",30000),repeat("]",30000)))')).toMatchObject({
      ok: false,
      problem: { message: 'A value is nested too deeply' },
    })
    let deep: Json = 1
    for (let level = 0; level < 30_000; level++) deep = [deep]
    const store = new VariableStore({ v: 'old' })
    expect(store.set('v', deep)).toContain('was not kept')
    expect(store.present).toEqual({ v: 'old' })
  })
})
