import { expect, test } from 'vitest'
import { type ComparisonOperator, compare, comparisonOperators } from './compare'
import type { Json } from './json'

test.each<[Json, ComparisonOperator, string, boolean]>([
  ['Yes', 'equals', ' yes ', true],
  ['Yes', 'equals', 'no', false],
  [1, 'equals', '1.0', true],
  ['01', 'equals', '1', true],
  [null, 'equals', '', true],
  [['a', 'b'], 'equals', 'B', true],
  [true, 'equals', 'true', true],
  ['Yes', 'not-equals', 'yes', false],
  [['a', 'b'], 'not-equals', 'b', false],
  [null, 'not-equals', 'x', true],
  ['Black coffee', 'contains', 'COFFEE', true],
  [null, 'contains', 'x', false],
  [['tea', 'coffee'], 'contains', 'cof', true],
  [null, 'not-contains', 'x', true],
  ['xyz', 'not-contains', 'Y', false],
  ['Hello', 'starts-with', 'he', true],
  ['Hello', 'ends-with', 'LO', true],
  ['Hello', 'ends-with', 'he', false],
  [null, 'is-empty', '', true],
  [' ', 'is-empty', '', true],
  [[], 'is-empty', '', true],
  [0, 'is-empty', '', false],
  [0, 'is-set', '', true],
  [null, 'is-set', '', false],
  ['10', 'greater', '9', true],
  [9, 'greater', '9', false],
  [9, 'greater-or-equal', '9', true],
  ['-1', 'less', '0', true],
  [0, 'less-or-equal', '0', true],
  ['many', 'greater', '0', false],
  ['many', 'less-or-equal', '0', false],
  [null, 'less', '1', false],
  [null, 'greater-or-equal', '0', false],
  [5, 'less', 'many', false],
  ['2000000000', 'greater', '1999999999', true],
  [1e21, 'greater', '1', true],
  [0.0000001, 'less', '1', true],
  [[1e21], 'equals', '1000000000000000000000', true],
  ['tea', 'contains', '', false],
  ['tea', 'not-contains', ' ', true],
  ['tea', 'starts-with', '', false],
  ['tea', 'ends-with', '', false],
  ['AB-12', 'matches', '^[A-Z]{2}-\\d+$', true],
  ['ab-12', 'matches', '^[A-Z]{2}-\\d+$', false],
  ['ab-12', 'matches', '/^[A-Z]{2}-\\d+$/i', true],
  ['x', 'matches', '(', false],
  ['x', 'not-matches', '(', true],
  [['a', 'b1'], 'matches', '\\d', true],
])('%j %s %j is %j', (value, operator, operand, expected) => {
  expect(compare(value, operator, operand)).toBe(expected)
})

test('an unset value is never an exception', () => {
  for (const operator of comparisonOperators) {
    for (const value of [null, [], {}, [null]]) expect(typeof compare(value, operator, '')).toBe('boolean')
  }
})
