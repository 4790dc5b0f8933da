import { expect, test } from 'vitest'
import { importBlock } from '../../tests/support/typebot'

const conditionOf = (comparisons: unknown[], logicalOperator?: string) =>
  importBlock({ type: 'Condition', items: [{ id: 'i1', content: { comparisons, logicalOperator } }] }, 'Age')

test.each([
  ['Equal to', 'equals'],
  ['Not equal', 'not-equals'],
  ['Contains', 'contains'],
  ['Does not contain', 'not-contains'],
  ['Starts with', 'starts-with'],
  ['Ends with', 'ends-with'],
  ['Is empty', 'is-empty'],
  ['Is set', 'is-set'],
  ['Greater than', 'greater'],
  ['Greater or equal to', 'greater-or-equal'],
  ['Less than', 'less'],
  ['Less or equal to', 'less-or-equal'],
  ['Matches regex', 'matches'],
  ['Does not match regex', 'not-matches'],
])("'%s' becomes %s", (comparisonOperator, operator) => {
  const { kind, data, variable, notes } = conditionOf([
    { id: 'c', variableId: 'v-Age', comparisonOperator, value: '5' },
  ])
  expect(kind).toBe('condition')
  expect(data.branches).toMatchObject([
    { match: 'all', comparisons: [{ variableId: variable, operator, value: { type: 'static', value: '5' } }] },
  ])
  expect(notes).toEqual([])
})

test('OR is any', () => {
  expect(conditionOf([], 'OR').data.branches).toMatchObject([{ match: 'any', comparisons: [] }])
})

test('a comparison without an operator never holds, as in the product, and is noted', () => {
  const { data, notes } = conditionOf([{ id: 'c', variableId: 'v-Age', value: '10' }])
  expect(data.branches).toMatchObject([{ comparisons: [{ variableId: null, value: { value: '10' } }] }])
  expect(notes).toEqual(['A comparison has no operator: it does not hold. Choose its variable and operator.'])
})

test('a pattern that can not be used here is noted', () => {
  const { notes } = conditionOf([{ variableId: 'v-Age', comparisonOperator: 'Matches regex', value: '(?<=a)b' }])
  expect(notes).toEqual(["The pattern '(?<=a)b' can't be used here and matches nothing."])
})
