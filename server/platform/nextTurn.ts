import { setImmediate } from 'node:timers/promises'

let last: Promise<unknown> = Promise.resolve()

/**
 * Pauses long work so that other work can run. Only one waiter continues per turn of the event loop: a visitor's call
 * takes several turns, and if ten long tasks continued in each, it would wait for ten pieces of work every time.
 */
export function nextTurn(): Promise<unknown> {
  last = last.then(() => setImmediate())
  return last
}
