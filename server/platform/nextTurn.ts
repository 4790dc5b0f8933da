import { setImmediate } from 'node:timers/promises'

let last: Promise<unknown> = Promise.resolve()

/**
 * Waits until others have had their turn, between two pieces of long work. One piece a turn of the event loop goes on, whoever's it is: a
 * visitor's call takes several turns, and where ten works went on in each, it would wait for ten pieces each time.
 */
export function nextTurn(): Promise<unknown> {
  last = last.then(() => setImmediate())
  return last
}
