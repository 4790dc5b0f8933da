import type { ComparisonOperator } from '../../engine/values/compare'

/** Without a value to compare with: these look at the variable alone. */
const alone: ReadonlySet<ComparisonOperator> = new Set(['is-empty', 'is-set'])

export const needsValue = (operator: ComparisonOperator): boolean => !alone.has(operator)

/** The key of an operator's words, as they stand between a variable and a value. */
export const operatorText = (operator: ComparisonOperator): string =>
  `condition.fields.branches-comparisons-operator.options.${operator}`
