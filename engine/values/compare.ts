import { charge } from '../budget'
import { timeOfDay } from './date'
import { findPart } from './findPart'
import type { Json } from './json'
import { normalText } from './normalText'
import { valueAsNumber } from './number'
import { matchesPattern } from './pattern'
import { isUnset, printValue } from './render'
import { instantOf } from './writtenDates'

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
 * Compares a variable's value with a text. Never throws, whatever the value:
 * - texts are compared without regard to case and surrounding whitespace; two numbers as numbers (`1.0` equals `1`);
 * - of a list, one matching item is enough, and for a negative operator none may match; it contains its whole items;
 * - an unset value is an empty text: it equals an empty text and contains nothing; an empty text is contained in
 *   nothing;
 * - >, >=, <, <= compare two numbers, two dates, two times of day, or a list's length with a number; otherwise none of
 *   them holds;
 * - `matches` is case-sensitive; an invalid pattern matches nothing, nor does one that is too long for the length of
 *   the text.
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
    const left = measure(value)
    const right = measure(operand)
    return left !== null && left.of === right?.of && test(left.size, right.size)
  }
  charge(operand.length * LETTER)
  const text = fold(operand)
  const number = ORDERING.has(operator) ? null : valueAsNumber(operand)
  const equals = (item: Json): boolean => {
    charge(ITEM)
    const itsNumber = valueAsNumber(item)
    if (number !== null && itsNumber !== null) return itsNumber === number
    const printed = printValue(item)
    charge(printed.length * LETTER)
    return fold(printed) === text
  }
  const contains = (): boolean =>
    Array.isArray(value) ? items.some(equals) : some((item) => findPart(fold(item), text) >= 0)
  switch (operator) {
    case 'equals':
      return items.some(equals)
    case 'not-equals':
      return !items.some(equals)
    case 'contains':
      return text !== '' && contains()
    case 'not-contains':
      return text === '' || !contains()
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

const ORDERING: ReadonlySet<ComparisonOperator> = new Set(['greater', 'greater-or-equal', 'less', 'less-or-equal'])

/** The size for comparisons: a list's length, or the number, date or time that a text spells; null for others. */
function measure(value: Json): { of: 'number' | 'date' | 'time'; size: number } | null {
  if (Array.isArray(value)) return { of: 'number', size: value.length }
  const number = valueAsNumber(value)
  if (number !== null) return { of: 'number', size: number }
  if (typeof value !== 'string' || value.length > LONGEST_DATE) return null
  charge(DATE)
  const time = timeOfDay(value)
  if (time !== null) return { of: 'time', size: time }
  const date = instantOf(value)
  return date === null ? null : { of: 'date', size: date }
}

/** Longer texts are no dates; the cost of parsing one. */
const LONGEST_DATE = 40
const DATE = 500

/** The cost of a comparison, and of folding a character. */
const ITEM = 20
const LETTER = 5

const folded = { text: '', as: '' }

/** Caches the last long text: a condition compares one value with many others. */
function fold(text: string): string {
  if (text.length < 1_000) return foldText(text)
  if (folded.text !== text) Object.assign(folded, { text, as: foldText(text) })
  return folded.as
}

/** A text in the form used by comparisons. */
export const foldText = (text: string): string => normalText(text.trim(), 'NFC').toLowerCase()
