import { type BackoffLimits, createBackoff } from '../backoff'
import { ApiError } from '../errors'

export interface Attempts {
  /**
   * Counts one attempt, or several. Throws ApiError `too_many_requests`, without counting, if the key's window has no
   * room.
   */
  take(key: string, count?: number): Allowance
  /** Takes one attempt back: it was not a failure. */
  forgive(key: string): void
}

/** What a window still allows. */
export interface Allowance {
  /** attempts that are left; Infinity: there is no limit */
  left: number
  /** ms until the window ends */
  resetsIn: number
}

/** The most keys in memory: attackers choose them. */
const MOST_KEYS = 100_000

/**
 * At most `most` attempts per key within `windowMs`, a window that starts with its first attempt. Counts in this
 * process only; limits.ts counts for all.
 */
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
      const resetsIn = window.ends - clock().getTime()
      if (window.count + count > most) throw tooMany(resetsIn)
      window.count += count
      return { left: most - window.count, resetsIn }
    },
    forgive(key) {
      const window = windows.get(key)
      if (window && window.count > 0) window.count--
    },
  }
}

export interface Lockout {
  /** Counts a failure in advance. Throws ApiError `too_many_requests` while the key has to wait. */
  take(key: string): void
  /** Forgets all failures of the key. */
  forget(key: string): void
}

/**
 * Failures without a wait, the first and the longest wait, and the time without failures after which all are forgotten.
 */
export interface LockoutLimits extends BackoffLimits {
  free: number
  forgetMs: number
}

/**
 * A wait after each failure that doubles up to `longestMs`, in this process only. An attempt during the wait is
 * refused, and does not prolong it.
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

/** The error for a call that comes too early, with Retry-After. The text for up to a minute is that of SPEC.md 8. */
export function tooMany(waitMs: number): ApiError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000))
  const minutes = Math.ceil(seconds / 60)
  return new ApiError('too_many_requests', {
    retryAfter: seconds,
    ...(minutes > 1 && { message: `You're sending too many requests! Please retry after ${minutes} minutes.` }),
  })
}

/** A map with at most `most` entries: expired ones are evicted first, then the oldest. */
function createExpiring<Entry extends { ends: number }>(most: number) {
  const entries = new Map<string, Entry>()
  return {
    get: (key: string) => entries.get(key),
    delete: (key: string) => void entries.delete(key),
    set(key: string, entry: Entry, now: number) {
      entries.delete(key)
      if (entries.size >= most) for (const [old, { ends }] of entries) if (ends <= now) entries.delete(old)
      // only live entries are left
      if (entries.size >= most) entries.delete(entries.keys().next().value ?? '')
      entries.set(key, entry)
    },
  }
}
