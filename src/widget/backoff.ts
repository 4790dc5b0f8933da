/** Random waits between retries, below a bound that doubles (full jitter), so that many clients don't retry at once. */
export interface Backoff {
  /**
   * Calls back once after the next wait, or as soon as the network is back or the page becomes visible. A later call
   * replaces it.
   * @param atLeastMs the server's minimum wait (Retry-After), which nothing shortens
   */
  again(attempt: () => void, atLeastMs?: number): void
  /** What is waited for may go well now: calls back at once. */
  hurry(): void
  /** The last attempt went well: the next wait is a short one. Calls back no more. */
  reset(): void
}

const FIRST_MS = 1_000
const LONGEST_MS = 30_000
/** A server may ask for more than that; nobody waits for it. */
const LONGEST_ASKED_MS = 5 * 60_000

export function createBackoff(random: () => number = Math.random): Backoff {
  let failures = 0
  let waiting: { attempt: () => void; asked: boolean; timer: ReturnType<typeof setTimeout> } | null = null

  function leave(): void {
    if (!waiting) return
    clearTimeout(waiting.timer)
    waiting = null
    removeEventListener('online', hurry)
    document.removeEventListener('visibilitychange', whenSeen)
  }
  function run(): void {
    const attempt = waiting?.attempt
    leave()
    attempt?.()
  }
  function hurry(): void {
    if (!waiting?.asked) run()
  }
  function whenSeen(): void {
    if (document.visibilityState === 'visible') hurry()
  }

  return {
    again(attempt, atLeastMs = 0) {
      leave()
      const wait = Math.min(atLeastMs, LONGEST_ASKED_MS) + random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** failures++)
      waiting = { attempt, asked: atLeastMs > 0, timer: setTimeout(run, wait) }
      addEventListener('online', hurry)
      document.addEventListener('visibilitychange', whenSeen)
    },
    hurry,
    reset() {
      failures = 0
      leave()
    },
  }
}
