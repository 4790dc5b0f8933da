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
 * whether there is room. Rooms are counted for all processes together where there is a Redis.
 */
export function createPaces(
  { limits, clock }: { limits: Pick<Limits, 'places'> } & Pick<ServerContext, 'clock'>,
  wait: Wait,
): Paces {
  const queues = new Map<string, Promise<unknown>>()
  /** what vendors said of their limits, by queue */
  const known = new Map<string, { most?: number; heldUntil: number }>()

  async function enter(queue: string, name: string, key: string, pace: Pace, signal?: AbortSignal): Promise<Room> {
    const places = limits.places(name, pace.windowMs + MARGIN)
    for (;;) {
      signal?.throwIfAborted()
      const { most = pace.most, heldUntil = 0 } = known.get(queue) ?? {}
      const held = heldUntil - clock().getTime()
      if (held > 0) {
        await wait(held, signal)
        continue
      }
      const entered = await places.enter(key, most)
      if ('waitMs' in entered) {
        await wait(entered.waitMs, signal)
        continue
      }
      return { leave: entered.leave, allow: (most) => allow(queue, most), hold: (ms) => hold(queue, ms) }
    }
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
      const turn = (queues.get(queue) ?? Promise.resolve()).then(() => enter(queue, name, key, pace, signal))
      const settled = turn.catch(() => {})
      queues.set(queue, settled)
      try {
        return await turn
      } finally {
        if (queues.get(queue) === settled) queues.delete(queue)
      }
    },
  }
}

export interface Paces {
  /** Resolves when the call may be made, and is told when it was answered. @throws the signal's reason */
  take(name: string, key: string, pace: Pace, signal?: AbortSignal): Promise<Room>
}
