import { charge } from '../budget'
import type { Json } from '../values/json'
import { ExpressionError } from './problem'

/** The cost of a list item. */
const ITEM = 8

/** The deepest nesting of lists; printing deeper ones would overflow the stack. */
const MAX_LEVELS = 100

/**
 * Charges for a value by its size, every item included: nested lists of large values fill memory with little source.
 */
export function keep<Value extends Json>(value: Value): Value {
  let level: Json[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_LEVELS) throw new ExpressionError('A value is nested too deeply')
    const next: Json[] = []
    for (const item of level) {
      charge(typeof item === 'string' ? item.length + ITEM : ITEM)
      if (typeof item !== 'object' || item === null) continue
      for (const inner of Array.isArray(item) ? item : Object.values(item)) next.push(inner)
    }
    level = next
  }
  return value
}
