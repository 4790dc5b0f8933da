import { type BackoffLimits, createBackoff } from '../backoff'
import { ApiError } from '../errors'

export interface Attempts {
  /** Counts one, or several. Throws ApiError `too_many_requests`, without counting, when the key's window has no room for them. */
  take(key: string, count?: number): void
  /** Takes one back: it was no failure after all. */
  forgive(key: string): void
}

/** How many keys are remembered at most: an attacker chooses them. */
const MOST_KEYS = 100_000

/** At most `most` attempts a key within `windowMs` (a window that starts with its first), kept in this process: limits.ts counts for all. */
export function createAttempts(clock: () => Date, most: number, windowMs = 60_000, mostKeys = MOST_KEYS): Attempts {
  const windows = createExpiring<{ count: number; ends: number }>(mostKeys)

  function current(key: string) {
    const now = clock().getTime()
    const known = windows.get(key)
    if (known && known.ends > now) return known
    const fresh = { count: 0, ends: now + windowMs }
    windows.set(key, fresh, now)
    return fresh
  }

  return {
    take(key, count = 1) {
      const window = current(key)
      if (window.count + count > most) throw tooMany(window.ends - clock().getTime())
      window.count += count
    },
    forgive(key) {
      const window = windows.get(key)
      if (window && window.count > 0) window.count--
    },
  }
}

export interface Lockout {
  /** Counts a failure before it is known whether it is one. Throws ApiError `too_many_requests` while the key has to wait. */
  take(key: string): void
  /** Forgets all failures of the key. */
  forget(key: string): void
}

/** Failures without a wait, the first wait and the longest one, and after how long without a failure all is forgotten. */
export interface LockoutLimits extends BackoffLimits {
  free: number
  forgetMs: number
}

/**
 * A wait after each failure that doubles from one to the next, kept in this process. An attempt within the wait is refused and
 * prolongs nothing: who keeps on trying can't make it longer than `longestMs`.
 */
export function createLockout(clock: () => Date, limits: LockoutLimits, mostKeys = MOST_KEYS): Lockout {
  const { free, forgetMs } = limits
  const waitAfter = createBackoff(limits)
  const states = createExpiring<{ failures: number; until: number; ends: number }>(mostKeys)
  return {
    take(key) {
      const now = clock().getTime()
      const known = states.get(key)
      const state = known && known.ends > now ? known : { failures: 0, until: 0, ends: 0 }
      if (now < state.until) throw tooMany(state.until - now)
      state.failures++
      state.until = state.failures < free ? 0 : now + waitAfter(state.failures - free + 1)
      state.ends = now + forgetMs
      states.set(key, state, now)
    },
    forget: (key) => states.delete(key),
  }
}

/** The refusal of a call that comes too early, with when to try again. The text of up to a minute is that of SPEC.md 8. */
export function tooMany(waitMs: number): ApiError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000))
  const minutes = Math.ceil(seconds / 60)
  return new ApiError('too_many_requests', {
    retryAfter: seconds,
    ...(minutes > 1 && { message: `You're sending too many requests! Please retry after ${minutes} minutes.` }),
  })
}

/** A map that holds at most `most` entries: those that have ended go first, then the oldest. */
function createExpiring<Entry extends { ends: number }>(most: number) {
  const entries = new Map<string, Entry>()
  return {
    get: (key: string) => entries.get(key),
    delete: (key: string) => void entries.delete(key),
    set(key: string, entry: Entry, now: number) {
      entries.delete(key)
      if (entries.size >= most) for (const [old, { ends }] of entries) if (ends <= now) entries.delete(old)
      // still full of live ones
      if (entries.size >= most) entries.delete(entries.keys().next().value ?? '')
      entries.set(key, entry)
    },
  }
}
