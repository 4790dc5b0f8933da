import { charge } from '../budget'
import { compare, foldText } from '../values/compare'
import type { Json } from '../values/json'
import { valueAsNumber } from '../values/number'
import { isUnset, printValue, type Variables } from '../values/render'
import { ExpressionError } from './problem'
import { keep } from './work'

export interface Surroundings {
  variables: Variables
  /** the time as ISO 8601 in UTC; read only by an expression that `usesNow` */
  now?: string
  /** a number in [0, 1) as the seed of random numbers; read only by an expression that `usesChance` */
  chance?: number
}

export interface EvaluationContext extends Surroundings {
  /** the next random number in [0, 1) */
  readonly draw: () => number
  /** the current items of the lists being iterated, innermost first */
  readonly locals?: Locals | undefined
}

interface Locals {
  readonly name: string
  readonly value: Json
  readonly outer: Locals | undefined
}

/** A value as text. Charged to the budget. */
export function print(value: Json): string {
  if (typeof value === 'object') keep(value)
  const text = printValue(value)
  charge(text.length + PRINTED)
  return text
}

/** The cost of a printed value in addition to its characters, and of a comparison in addition to the letters. */
const PRINTED = 5
const COMPARED = 20
const FOLDED = 5

/** Unset, false, 0 and an empty text are false; everything else is true. */
export const isTrue = (value: Json): boolean => value !== false && value !== 0 && !isUnset(value)

/** Unset counts as 0. Throws ExpressionError for anything but a number. */
export function numberOf(value: Json): number {
  if (isUnset(value)) return 0
  const number = knownNumber(value)
  if (number !== null) return number
  const text = print(value)
  throw new ExpressionError(`“${text.slice(0, 40)}${text.length > 40 ? '…' : ''}” is not a number`)
}

/** The number that a value is or spells; null otherwise, also for lists. */
export const knownNumber = (value: Json): number | null => (typeof value === 'object' ? null : valueAsNumber(value))

export function finite(number: number): number {
  if (!Number.isFinite(number)) throw new ExpressionError('The number is too large')
  return number === 0 ? 0 : number
}

/** Rounds to 15 digits, so that 0.1 + 0.2 is 0.3. */
export const tidy = (number: number): number => finite(Number(number.toPrecision(15)))

/**
 * Equality as in conditions (values/compare.ts): ignores case and surrounding whitespace, `1.0` equals `1`; lists and
 * objects are compared item by item.
 */
export function equal(left: Json, right: Json): boolean {
  charge(COMPARED)
  if (typeof left === 'object' && left !== null && typeof right === 'object' && right !== null) {
    return JSON.stringify(keep(left)) === JSON.stringify(keep(right))
  }
  if (Array.isArray(left) || Array.isArray(right)) return false
  return compare(left, 'equals', print(right))
}

/** A key that is the same for all values that are `equal`. */
export function identityOf(value: Json): string {
  charge(COMPARED)
  if (typeof value === 'object' && value !== null) return `json ${JSON.stringify(keep(value))}`
  const number = knownNumber(value)
  if (number !== null) return `number ${number}`
  const text = print(value)
  charge(text.length * FOLDED)
  return `text ${foldText(text)}`
}

/**
 * Compares numbers by size, texts alphabetically (so dates by time); null if one is unset or they are not comparable.
 */
export function compareOrder(left: Json, right: Json): number | null {
  charge(COMPARED)
  if (isUnset(left) || isUnset(right)) return null
  const [a, b] = [valueAsNumber(left), valueAsNumber(right)]
  if (a !== null && b !== null) return a - b
  const [first, second] = [print(left).toLowerCase(), print(right).toLowerCase()]
  return first < second ? -1 : first > second ? 1 : 0
}

/** Whether a list has the item, a text the text, an object the field. */
export function contains(whole: Json, part: Json): boolean {
  if (Array.isArray(whole)) return whole.some((item) => equal(item, part))
  if (typeof whole === 'object' && whole !== null) return Object.hasOwn(whole, print(part))
  return compare(print(whole), 'contains', print(part))
}
