import type { Json } from './json'
import { printValue } from './render'
import { parseNumber } from './rules'

/** A value as the number that it is or that its text spells, of any size; null when it is none. */
export function valueAsNumber(value: Json): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return parseNumber(printValue(value), { min: -Number.MAX_VALUE, max: Number.MAX_VALUE })
}
