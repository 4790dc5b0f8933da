import type { Json } from './json'
import { parseNumber } from './rules'

/** A value as the number that it is or that its text spells, of any size; null otherwise. */
export function valueAsNumber(value: Json): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  // a list of one item prints like that item; no other list or object prints as a number
  if (Array.isArray(value)) return value.length === 1 ? valueAsNumber(value[0] ?? null) : null
  if (typeof value !== 'string') return null
  return parseNumber(value, { min: -Number.MAX_VALUE, max: Number.MAX_VALUE })
}
