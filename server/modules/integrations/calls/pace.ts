import type { ServerContext } from '../../../platform/context'
import type { Limits } from '../../../platform/http/limits'
import type { Pace } from '../defineVendor'

/** A vendor may count a little later than it answers, in ms. */
const MARGIN = 20

/** Waits, unless the signal ends it: then it throws the signal's reason. */
export type Wait = (ms: number, signal?: AbortSignal) => Promise<void>

export const waitByTimer: Wait = (ms, signal) =>
  new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })

/** Places that are taken at once: each time is a way to the Redis and back. */
const AT_ONCE = 20

/** Those who wait for one connection. */
interface Queue {
  last: Promise<unknown>
  waiting: number
  /** places that are theirs already */
  taken: (() => void)[]
}

/** The room that a call has at its vendor. */
export interface Room {
  /** the call was answered, or nobody waits for its answer any more */
  leave(): void
  /** the vendor says how many calls a window takes */
  allow(most: number): void
  /** the vendor is busy, and is asked nothing for so long */
  hold(ms: number): void
}

/**
 * Lets calls through as fast as a vendor allows: those of one connection wait in a queue, of which only the first asks
 * whether there is room, for those behind it as well. Rooms are counted for all processes together where there is a
 * Redis.
 */
export function createPaces(
  { limits, clock }: { limits: Pick<Limits, 'places'> } & Pick<ServerContext, 'clock'>,
  wait: Wait,
): Paces {
  const queues = new Map<string, Queue>()
  /** what vendors said of their limits, by queue */
  const known = new Map<string, { most?: number; heldUntil: number }>()

  async function enter(queue: string, name: string, key: string, pace: Pace, signal?: AbortSignal): Promise<Room> {
    const own = queueOf(queue)
    const places = limits.places(name, pace.windowMs + MARGIN)
    for (;;) {
      signal?.throwIfAborted()
      const { most = pace.most, heldUntil = 0 } = known.get(queue) ?? {}
      const held = heldUntil - clock().getTime()
      if (held > 0) {
        // what was taken for others would not be theirs any more when the wait is over
        for (const leave of own.taken.splice(0)) leave()
        await wait(held, signal)
        continue
      }
      if (own.taken.length === 0) {
        const entered = await places.enter(key, most, Math.min(own.waiting, AT_ONCE))
        if ('waitMs' in entered) await wait(entered.waitMs, signal)
        else own.taken.push(...entered.leaves)
        continue
      }
      const [leave = () => {}] = own.taken.splice(0, 1)
      return { leave, allow: (most) => allow(queue, most), hold: (ms) => hold(queue, ms) }
    }
  }

  function queueOf(queue: string): Queue {
    const own = queues.get(queue) ?? { last: Promise.resolve(), waiting: 0, taken: [] }
    queues.set(queue, own)
    return own
  }

  function allow(queue: string, most: number): void {
    known.set(queue, { heldUntil: 0, ...known.get(queue), most })
  }
  function hold(queue: string, ms: number): void {
    const before = known.get(queue)
    known.set(queue, { ...before, heldUntil: Math.max(before?.heldUntil ?? 0, clock().getTime() + ms) })
  }

  return {
    async take(name, key, pace, signal) {
      const queue = `${name} ${key}`
      const own = queueOf(queue)
      own.waiting++
      const turn = own.last.then(() => enter(queue, name, key, pace, signal))
      own.last = turn.catch(() => {})
      try {
        return await turn
      } finally {
        own.waiting--
        if (own.waiting === 0) {
          queues.delete(queue)
          for (const leave of own.taken) leave()
        }
      }
    },
  }
}

export interface Paces {
  /** Resolves when the call may be made, and is told when it was answered. @throws the signal's reason */
  take(name: string, key: string, pace: Pace, signal?: AbortSignal): Promise<Room>
}
