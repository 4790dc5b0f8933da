import { charge } from '../budget'
import { compare, foldText } from '../values/compare'
import type { Json } from '../values/json'
import { valueAsNumber } from '../values/number'
import { isUnset, printValue, type Variables } from '../values/render'
import { ExpressionError } from './problem'
import { keep } from './work'

export interface Surroundings {
  variables: Variables
  /** the time as ISO 8601 in UTC; only looked at by an expression that `usesNow` */
  now?: string
  /** a number in [0, 1), from which every further one is drawn; only for one that `usesChance` */
  chance?: number
}

export interface EvaluationContext extends Surroundings {
  /** the next number in [0, 1) */
  readonly draw: () => number
  /** the items of the lists that are gone through, the innermost first */
  readonly locals?: Locals | undefined
}

interface Locals {
  readonly name: string
  readonly value: Json
  readonly outer: Locals | undefined
}

/** What a value prints as, paid for. */
export function print(value: Json): string {
  if (typeof value === 'object') keep(value)
  const text = printValue(value)
  charge(text.length + PRINTED)
  return text
}

/** What a text costs beside its characters, and a comparison of two values beside their letters. */
const PRINTED = 5
const COMPARED = 20
const FOLDED = 5

/** Unset, false, 0 and an empty text are false, all else is true. */
export const isTrue = (value: Json): boolean => value !== false && value !== 0 && !isUnset(value)

/** Unset counts as 0. Throws ExpressionError for what is no number. */
export function numberOf(value: Json): number {
  if (isUnset(value)) return 0
  const number = knownNumber(value)
  if (number !== null) return number
  const text = print(value)
  throw new ExpressionError(`“${text.slice(0, 40)}${text.length > 40 ? '…' : ''}” is not a number`)
}

/** The number that a value is or spells, null when it is none; a list is none. */
export const knownNumber = (value: Json): number | null => (typeof value === 'object' ? null : valueAsNumber(value))

export function finite(number: number): number {
  if (!Number.isFinite(number)) throw new ExpressionError('The number is too large')
  return number === 0 ? 0 : number
}

/** 0.1 + 0.2 is 0.3: the last digits that a computer's number has are noise. */
export const tidy = (number: number): number => finite(Number(number.toPrecision(15)))

/** As conditions compare (values/compare.ts): case and space around do not count, `1.0` is `1`; lists and objects item by item. */
export function equal(left: Json, right: Json): boolean {
  charge(COMPARED)
  if (typeof left === 'object' && left !== null && typeof right === 'object' && right !== null) {
    return JSON.stringify(keep(left)) === JSON.stringify(keep(right))
  }
  if (Array.isArray(left) || Array.isArray(right)) return false
  return compare(left, 'equals', print(right))
}

/** What values that are `equal` have in common. */
export function identityOf(value: Json): string {
  charge(COMPARED)
  if (typeof value === 'object' && value !== null) return `json ${JSON.stringify(keep(value))}`
  const number = knownNumber(value)
  if (number !== null) return `number ${number}`
  const text = print(value)
  charge(text.length * FOLDED)
  return `text ${foldText(text)}`
}

/** Numbers by size, texts by their letters (so dates by time); null when one is unset or they can't be compared. */
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
