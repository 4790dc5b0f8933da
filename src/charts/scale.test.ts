import { expect, test } from 'vitest'
import { niceTop, ticksOf } from './scale'

test.each([
  [0, 4],
  [1, 4],
  [4, 4],
  [5, 8],
  [9, 20],
  [37, 40],
  [81, 100],
  [1_234, 2_000],
])('an axis for %i ends at %i', (value, top) => {
  expect(niceTop(value)).toBe(top)
})

test('the marks of an axis are whole numbers, whatever it shows', () => {
  for (let value = 0; value < 5_000; value++) {
    expect(niceTop(value)).toBeGreaterThanOrEqual(value)
    expect(ticksOf(niceTop(value)).every(Number.isInteger)).toBe(true)
  }
})
