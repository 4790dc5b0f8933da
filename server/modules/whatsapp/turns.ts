import { setTimeout as pause } from 'node:timers/promises'
import type { Entered, Places } from '../../platform/http/places'

/** How often one who is next looks for a place before the message is put back, to come again. */
const MOST_LOOKS = 2

/**
 * Places of a number's second, given in turn: who finds none waits until the next is free, and those behind wait for
 * them. Put back at once, each of thousands that wait would be claimed and put back all the time, which costs more
 * than sending them.
 */
export function createTurns(places: Places) {
  const last = new Map<string, Promise<unknown>>()

  return (key: string, most: number): Promise<Entered> => {
    const mine = (last.get(key) ?? Promise.resolve()).then(() => enter(key, most))
    const ended = mine.then(
      () => {},
      () => {},
    )
    last.set(key, ended)
    ended.then(() => last.get(key) === ended && last.delete(key))
    return mine
  }

  async function enter(key: string, most: number): Promise<Entered> {
    for (let look = 1; ; look++) {
      const entered = await places.enter(key, most, 1)
      if ('leaves' in entered || look === MOST_LOOKS) return entered
      await pause(entered.waitMs, undefined, { ref: false })
    }
  }
}
