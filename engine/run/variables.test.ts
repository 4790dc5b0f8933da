import { describe, expect, test } from 'vitest'
import { Budget } from '../budget'
import type { Json } from '../values/json'
import { ownPart, systemPart, VariableStore, variableCaps } from './variables'

const FULL = 'The variables are full (1 MB); the value was not kept.'
/** A text whose JSON has this many characters. */
const text = (size: number) => 'x'.repeat(size - 2)
const VALUES = variableCaps.total / variableCaps.value

describe('the variables of a session', () => {
  test('a value that replaces another one takes its room, however often it is set', () => {
    const store = new VariableStore({})
    for (let time = 0; time < VALUES * 2; time++) expect(store.set('v', text(variableCaps.value))).toBeNull()
    for (let count = 0; count < 10; count++) expect(store.set('count', count)).toBeNull()
    expect(store.present.count).toBe(9)
  })

  test('fill 1 MB to the last character, and no more', () => {
    const store = new VariableStore({})
    for (let n = 0; n < VALUES; n++) expect(store.set(`v${n}`, text(variableCaps.value))).toBeNull()
    expect(store.set('more', 1)).toBe(FULL)
    expect(store.present).not.toHaveProperty('more')
    expect(store.set('v0', text(variableCaps.value - 1))).toBeNull()
    expect(store.set('more', 1)).toBeNull()
    expect(store.set('more', 12)).toBe(FULL)
    expect(store.present.more).toBe(1)
  })

  test('a list that is too large loses its end, from the first item on that does not fit', () => {
    const item = text(1_000)
    const items = Array.from({ length: 65 }, () => item)
    // the brackets, and each item with a comma
    const room = variableCaps.value - 2 - items.length * 1_001 - 1
    const store = new VariableStore({})
    expect(store.set('list', [...items, text(room), item, 1])).toContain('was cut')
    expect(store.present.list).toEqual([...items, text(room)])
    expect(store.set('list', [...items, text(room + 1), item, 1])).toContain('was cut')
    expect(store.present.list).toEqual(items)
  })

  test('a text that is too large loses its end, by its length in JSON', () => {
    const store = new VariableStore({})
    for (const character of ['x', '"', '\u0001', 'é']) {
      expect(store.set('text', character.repeat(variableCaps.value))).toContain('was cut')
      const size = JSON.stringify(character).length - 2
      expect(String(store.present.text)).toHaveLength(Math.floor((variableCaps.value - 2) / size))
    }
    expect(store.set('object', { text: text(variableCaps.value) })).toContain('was cut')
    expect(store.present.object).toBeNull()
  })

  test('take a value of 500 lists in one another, and none that is deeper', () => {
    const nest = (levels: number): Json => (levels === 0 ? 'core' : [nest(levels - 1)])
    const store = new VariableStore({})
    expect(store.set('deep', nest(500))).toBeNull()
    expect(store.set('deeper', nest(501))).toContain('more than 500 lists')
    expect(Object.keys(store.present)).toEqual(['deep'])
  })

  test('what is kept elsewhere in the session counts, and what is gone back to is measured anew', () => {
    const others = Array.from({ length: VALUES - 1 }, () => text(variableCaps.value))
    const store = new VariableStore({}, [Object.fromEntries(others.entries())])
    expect(store.set('v', text(variableCaps.value))).toBe(FULL)
    expect(store.set('v', text(variableCaps.value / 2))).toBeNull()
    store.restore({})
    expect(store.set('w', text(variableCaps.value / 2))).toBeNull()
  })
})

test('picking variables costs by how many there are, also of those that are left out', () => {
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`v${n}`, n]))
  const costOf = (pick: (variables: Record<string, Json>) => unknown, variables: Record<string, Json>) => {
    const budget = new Budget(1_000_000)
    budget.during(() => pick(variables))
    return budget.spent
  }
  for (const pick of [systemPart, ownPart]) {
    expect(costOf(pick, many)).toBeGreaterThanOrEqual(1_000)
    expect(costOf(pick, {})).toBe(0)
  }
})
