import { charge } from '../budget'
import { findPart } from './findPart'
import type { Json } from './json'
import { normalText } from './normalText'
import { valueAsNumber } from './number'
import { matchesPattern } from './pattern'
import { isUnset, printValue } from './render'

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
 * - an unset value is empty text: it equals an empty text and contains nothing; an empty text is contained in nothing;
 * - >, >=, <, <= hold only between two numbers: with an unset value or a text each of them is false;
 * - `matches` minds case; what is no valid pattern matches nothing, nor does one that is too long for so long a text.
 */
export function compare(value: Json, operator: ComparisonOperator, operand: string): boolean {
  const items = Array.isArray(value) && value.length > 0 ? value : [value]
  const some = (test: (item: string) => boolean): boolean =>
    items.some((item) => {
      const printed = printValue(item)
      charge(ITEM + printed.length * LETTER + operand.length)
      return test(printed)
    })
  const order = (test: (left: number, right: number) => boolean): boolean => {
    const left = valueAsNumber(value)
    const right = valueAsNumber(operand)
    return left !== null && right !== null && test(left, right)
  }
  charge(operand.length * LETTER)
  const text = fold(operand)
  const number = operator === 'equals' || operator === 'not-equals' ? valueAsNumber(operand) : null
  const equals = (item: Json): boolean => {
    charge(ITEM)
    const itsNumber = valueAsNumber(item)
    if (number !== null && itsNumber !== null) return itsNumber === number
    const printed = printValue(item)
    charge(printed.length * LETTER)
    return fold(printed) === text
  }
  switch (operator) {
    case 'equals':
      return items.some(equals)
    case 'not-equals':
      return !items.some(equals)
    case 'contains':
      return some((item) => text !== '' && findPart(fold(item), text) >= 0)
    case 'not-contains':
      return !some((item) => text !== '' && findPart(fold(item), text) >= 0)
    case 'starts-with':
      return some((item) => text !== '' && fold(item).startsWith(text))
    case 'ends-with':
      return some((item) => text !== '' && fold(item).endsWith(text))
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

/** What a comparison costs, and a character that is folded for it. */
const ITEM = 20
const LETTER = 5

const folded = { text: '', as: '' }

/** A condition compares one value with many others: the last long one is not folded again. */
function fold(text: string): string {
  if (text.length < 1_000) return foldText(text)
  if (folded.text !== text) Object.assign(folded, { text, as: foldText(text) })
  return folded.as
}

/** A text as comparisons see it. */
export const foldText = (text: string): string => normalText(text.trim(), 'NFC').toLowerCase()
