import type { DynamicValue } from '../values/dynamicValue'
import { parseExpression } from './parseExpression'
import { describeProblem } from './problem'

/** What a form says at an expression's field, null when it can be read. */
export function expressionIssue(value: DynamicValue): string | null {
  const parsed = parseExpression(value)
  return parsed.ok ? null : describeProblem(parsed.problem)
}

/** Nothing but blanks: an expression that has not been written yet. */
export const isBlankExpression = (value: DynamicValue): boolean =>
  value.type === 'static'
    ? value.value.trim() === ''
    : value.parts.every((part) => part.type === 'text' && part.text.trim() === '')
