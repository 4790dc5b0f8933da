import { z } from 'zod'
import { charge } from '../budget'
import { tooLong } from './caps'
import type { Json } from './json'

/** The character cap of a path; ours. */
export const PATH_CAP = 200

const NAME = String.raw`[\p{L}_][\p{L}\p{M}\p{N}_]*`
const STEP = String.raw`\.${NAME}|\[-?\d{1,9}\]|\["[^"\\\]\n]{1,100}"\]`
/** The source of a regular expression for paths. */
export const VALUE_PATH = `(?:${STEP})+`
const PATH = new RegExp(`^${VALUE_PATH}$`, 'u')
const STEPS = new RegExp(STEP, 'gu')

/**
 * A path to a part of a value: `.items[0].name`, `["with space"]`; `[-1]` counts from the end. Never empty: an absent
 * path is an absent field.
 */
export const valuePathSchema = z
  .string()
  .max(PATH_CAP, tooLong(PATH_CAP))
  .regex(PATH, 'Enter a path such as .name or [0]')

export const isValuePath = (text: string): boolean => valuePathSchema.safeParse(text).success

/**
 * The part of a value at the path, null if there is none. Only own properties, so that nothing of JavaScript's
 * prototypes is reached.
 */
export function readValuePath(value: Json, path: string | undefined): Json {
  if (!path) return value
  const steps = parseValuePath(path)
  return steps && readSteps(value, steps)
}

/** The steps of a path; null if it is invalid, or longer than `PATH_CAP`. */
export function parseValuePath(path: string): (string | number)[] | null {
  if (path.length > PATH_CAP) return null
  charge(path.length * PATH_SIGN)
  return PATH.test(path) ? (path.match(STEPS) ?? []).map(keyOf) : null
}

/** Like `readValuePath`, for a parsed path: parse once to read many items. */
export function readSteps(value: Json, steps: readonly (string | number)[]): Json {
  charge(steps.length * PATH_STEP)
  return steps.reduce(readKey, value)
}

/** The cost of parsing a path's character, and of a step. */
const PATH_SIGN = 10
const PATH_STEP = 10

/** One step into a value: an item by number, a field by name, the `length` of a list or a text. */
export function readKey(value: Json, key: string | number): Json {
  if (value === null) return null
  const isList = Array.isArray(value) || typeof value === 'string'
  if (isList && key === 'length') return value.length
  if (isList) {
    const index = typeof key === 'number' ? key : /^-?\d{1,9}$/.test(key) ? Number(key) : Number.NaN
    return value.at(index) !== undefined && Number.isInteger(index) ? (value.at(index) as Json) : null
  }
  return typeof value === 'object' && Object.hasOwn(value, key) ? (value[key] ?? null) : null
}

function keyOf(step: string): string | number {
  if (step.startsWith('.')) return step.slice(1)
  const inner = step.slice(1, -1)
  return inner.startsWith('"') ? inner.slice(1, -1) : Number(inner)
}

/** Splits `order.items[0]` into name and path; the path is undefined unless it is valid. */
export function splitPath(text: string): { name: string; path: string | undefined } {
  const start = text.search(/[.[]/)
  const path = start < 0 ? '' : text.slice(start)
  return path !== '' && isValuePath(path)
    ? { name: text.slice(0, start).trim(), path }
    : { name: text.trim(), path: undefined }
}
