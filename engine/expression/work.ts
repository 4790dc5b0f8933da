import { charge } from '../budget'
import type { Json } from '../values/json'
import { ExpressionError } from './problem'

/** What an item costs. */
const ITEM = 8

/** Deeper lists in lists nobody means; what is deeper exhausts the stack where it is printed. */
const MAX_LEVELS = 100

/** Pays for a value of that size, every item of it: lists of lists of large values are how little source fills a memory. */
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
