import type { DynamicValue } from '../values/dynamicValue'
import { parseExpression } from './parseExpression'
import { describeProblem } from './problem'

/** The message of a form for an expression's field; null if it can be parsed. */
export function expressionIssue(value: DynamicValue): string | null {
  const parsed = parseExpression(value)
  return parsed.ok ? null : describeProblem(parsed.problem)
}

/** Only whitespace: no expression has been written yet. */
export const isBlankExpression = (value: DynamicValue): boolean =>
  value.type === 'static'
    ? value.value.trim() === ''
    : value.parts.every((part) => part.type === 'text' && part.text.trim() === '')
