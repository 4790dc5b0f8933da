import type { ComparisonOperator } from '../../engine/values/compare'

/** The key of an operator's words, as they stand between a variable and a value. */
export const operatorText = (operator: ComparisonOperator): string => `text:operators.${operator}`
