export interface BackoffLimits {
  firstMs: number
  longestMs: number
  /** random variation of a wait, as a share, so that many that failed together don't retry together; default: none */
  jitter?: number
}

/**
 * Exponential backoff: waits double up to the longest.
 * @param random for the jitter
 * @returns the wait in ms after that many failed attempts, counted from 1
 */
export function createBackoff({ firstMs, longestMs, jitter = 0 }: BackoffLimits, random = Math.random) {
  return (failures: number): number => {
    const wait = Math.min(firstMs * 2 ** Math.min(failures - 1, 30), longestMs)
    return wait * (1 - jitter + 2 * jitter * random())
  }
}

/** Background work (jobs, events, messages to channels): ten attempts within about an hour and a half. */
export const backgroundRetries = {
  mostAttempts: 10,
  waitAfter: createBackoff({ firstMs: 10_000, longestMs: 3_600_000 }),
}
