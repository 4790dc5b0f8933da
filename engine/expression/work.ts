import type { Json } from '../values/json'
import { ExpressionError } from './problem'

/** What one evaluation may cost, in steps and characters together: some milliseconds. */
const MAX_WORK = 1_000_000

/** Counts what an evaluation does; what would exceed the bound is stopped before it is done. */
export class Work {
  private left = MAX_WORK

  /** Throws ExpressionError when that much is not left. */
  spend(amount: number): void {
    this.left -= Math.max(1, amount)
    if (!(this.left >= 0)) throw new ExpressionError('This takes too long or makes too much text')
  }

  /** Pays for a value of that size, every item of it: lists of lists of large values are how little source fills a memory. */
  keep<Value extends Json>(value: Value): Value {
    const stack: Json[] = [value]
    for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
      this.spend(typeof item === 'string' ? item.length : 1)
      if (typeof item !== 'object' || item === null) continue
      for (const inner of Array.isArray(item) ? item : Object.values(item)) stack.push(inner)
    }
    return value
  }
}
