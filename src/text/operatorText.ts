import type { ComparisonOperator } from '../../engine/values/compare'

/** The text key of an operator, as displayed between a variable and a value. */
export const operatorText = (operator: ComparisonOperator): string => `text:operators.${operator}`

/** All operators in display order; group titles are `operatorGroups.<id>` of the namespace `text`. */
export const operatorGroups: readonly { readonly id: string; readonly operators: readonly ComparisonOperator[] }[] = [
  { id: 'equality', operators: ['equals', 'not-equals'] },
  { id: 'presence', operators: ['is-set', 'is-empty'] },
  { id: 'text', operators: ['contains', 'not-contains', 'starts-with', 'ends-with', 'matches', 'not-matches'] },
  { id: 'number', operators: ['greater', 'greater-or-equal', 'less', 'less-or-equal'] },
]
