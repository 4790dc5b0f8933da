import { ApiError } from './errors'

export interface Attempts {
  /** Counts one. Throws ApiError `too_many_requests` when the key has used up its window, without counting it. */
  take(key: string): void
  /** Takes one back: it was no failure after all. */
  forgive(key: string): void
}

/** How many keys are remembered at most: an attacker chooses them. */
const MOST_KEYS = 100_000

/** At most `most` attempts a key within `windowMs` (a window that starts with its first), kept in this process. */
export function createAttempts(clock: () => Date, most: number, windowMs = 60_000, mostKeys = MOST_KEYS): Attempts {
  const windows = new Map<string, { count: number; ends: number }>()

  function current(key: string) {
    const now = clock().getTime()
    const known = windows.get(key)
    if (known && known.ends > now) return known
    windows.delete(key)
    if (windows.size >= mostKeys) for (const [old, { ends }] of windows) if (ends <= now) windows.delete(old)
    // oldest first: still full of live ones, the first goes
    if (windows.size >= mostKeys) windows.delete(windows.keys().next().value ?? '')
    const fresh = { count: 0, ends: now + windowMs }
    windows.set(key, fresh)
    return fresh
  }

  return {
    take(key) {
      const window = current(key)
      if (window.count >= most) throw new ApiError('too_many_requests')
      window.count++
    },
    forgive(key) {
      const window = windows.get(key)
      if (window && window.count > 0) window.count--
    },
  }
}
