const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** The waits after each failed attempt: eleven attempts within three days. */
export const waits: readonly number[] = [
  10 * SECOND,
  MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  9 * HOUR,
  14 * HOUR,
  18 * HOUR,
  23 * HOUR + 19 * MINUTE,
]
/** The longest wait that a receiver may ask for with Retry-After. */
const LONGEST_ASKED = 24 * HOUR
/** An endpoint is switched off after so many failed attempts in a row, over at least so long. */
const FAILURES = 10
const FAILING = 72 * HOUR
/** Its receiver says that it is gone for good. */
export const GONE = 410

/** When a message is tried again after that many failed attempts; null: not any more. */
export function nextAttempt(failed: number, now: Date, asked: number | null): Date | null {
  const wait = waits[failed - 1]
  if (wait === undefined) return null
  return new Date(now.getTime() + Math.max(wait, Math.min(asked ?? 0, LONGEST_ASKED)))
}

/** Milliseconds that a Retry-After asks for (RFC 9110: seconds, or a date); null: none that can be read. */
export function askedWait(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null
  const text = header.trim()
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * SECOND : Date.parse(text) - now.getTime()
  return Number.isFinite(wait) && wait > 0 ? wait : null
}

/** Whether an endpoint that failed so often since then is switched off. */
export const isGivenUp = (failures: number, since: Date, now: Date): boolean =>
  failures >= FAILURES && now.getTime() - since.getTime() >= FAILING
