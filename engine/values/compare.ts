import type { Json } from './json'
import { matchesPattern } from './pattern'
import { isUnset, printValue } from './render'
import { parseNumber } from './rules'

/** The comparisons of PRODUCT.md (blocks, condition), and the opposite of `matches`. */
export const comparisonOperators = [
  'equals',
  'not-equals',
  'contains',
  'not-contains',
  'starts-with',
  'ends-with',
  'is-empty',
  'is-set',
  'greater',
  'greater-or-equal',
  'less',
  'less-or-equal',
  'matches',
  'not-matches',
] as const
export type ComparisonOperator = (typeof comparisonOperators)[number]

/**
 * Compares a variable's value with a text. Never throws, whatever the value is:
 * - texts are compared without regard to case and to space around them; two numbers as numbers (`1.0` equals `1`);
 * - of a list, one item that fits is enough, and none may fit for a negative;
 * - an unset value is empty text: it equals an empty text, and contains nothing else;
 * - >, >=, <, <= hold only between two numbers: with an unset value or a text each of them is false;
 * - `matches` minds case; what is no valid pattern matches nothing.
 */
export function compare(value: Json, operator: ComparisonOperator, operand: string): boolean {
  const items = Array.isArray(value) && value.length > 0 ? value.map(printValue) : [printValue(value)]
  const some = (test: (item: string) => boolean): boolean => items.some(test)
  const order = (test: (left: number, right: number) => boolean): boolean => {
    const left = number(printValue(value))
    const right = number(operand)
    return left !== null && right !== null && test(left, right)
  }
  const text = fold(operand)
  switch (operator) {
    case 'equals':
      return some((item) => equal(item, operand))
    case 'not-equals':
      return !some((item) => equal(item, operand))
    case 'contains':
      return some((item) => fold(item).includes(text))
    case 'not-contains':
      return !some((item) => fold(item).includes(text))
    case 'starts-with':
      return some((item) => fold(item).startsWith(text))
    case 'ends-with':
      return some((item) => fold(item).endsWith(text))
    case 'is-empty':
      return isUnset(value)
    case 'is-set':
      return !isUnset(value)
    case 'greater':
      return order((left, right) => left > right)
    case 'greater-or-equal':
      return order((left, right) => left >= right)
    case 'less':
      return order((left, right) => left < right)
    case 'less-or-equal':
      return order((left, right) => left <= right)
    case 'matches':
      return some((item) => matchesPattern(operand, item))
    case 'not-matches':
      return !some((item) => matchesPattern(operand, item))
  }
}

const fold = (text: string): string => text.trim().normalize('NFC').toLowerCase()

const number = (text: string): number | null => parseNumber(text, { min: -Number.MAX_VALUE, max: Number.MAX_VALUE })

function equal(left: string, right: string): boolean {
  const [a, b] = [number(left), number(right)]
  return a !== null && b !== null ? a === b : fold(left) === fold(right)
}
