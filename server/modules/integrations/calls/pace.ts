import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import type { Pace } from '../defineVendor'

/** The vendor's window may begin a little later than ours, in ms. */
const MARGIN = 100

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

/**
 * Lets calls through as fast as a vendor allows: those of one connection wait in a queue, of which only the first asks
 * whether there is room. Rooms are counted for all processes together where there is a Redis.
 */
export function createPaces({ limits }: Pick<ServerContext, 'limits'>, wait: Wait) {
  const queues = new Map<string, Promise<void>>()

  async function enter(name: string, key: string, { most, windowMs }: Pace, signal?: AbortSignal): Promise<void> {
    for (;;) {
      signal?.throwIfAborted()
      try {
        return await limits.attempts(name, most, windowMs).take(key)
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'too_many_requests') throw error
        await wait((error.retryAfter ?? 1) * 1_000 + MARGIN, signal)
      }
    }
  }

  return {
    /** Resolves when the call may be made. @throws the signal's reason */
    async take(name: string, key: string, pace: Pace, signal?: AbortSignal): Promise<void> {
      const queue = `${name} ${key}`
      const turn = (queues.get(queue) ?? Promise.resolve()).then(() => enter(name, key, pace, signal))
      const settled = turn.catch(() => {})
      queues.set(queue, settled)
      try {
        await turn
      } finally {
        if (queues.get(queue) === settled) queues.delete(queue)
      }
    },
  }
}
export type Paces = ReturnType<typeof createPaces>
