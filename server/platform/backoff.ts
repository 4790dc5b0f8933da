export interface BackoffLimits {
  firstMs: number
  longestMs: number
  /** the share by which a wait may be shorter or longer, so that many who failed together do not come back together; none unless given */
  jitter?: number
}

/**
 * Waits between attempts, doubled each time up to the longest.
 * @param random for the jitter
 * @returns the wait in ms after so many failed attempts, from 1
 */
export function createBackoff({ firstMs, longestMs, jitter = 0 }: BackoffLimits, random = Math.random) {
  return (failures: number): number => {
    const wait = Math.min(firstMs * 2 ** Math.min(failures - 1, 30), longestMs)
    return wait * (1 - jitter + 2 * jitter * random())
  }
}

/** Work in the background (jobs, events, messages to channels): ten attempts within some hour and a half. */
export const backgroundRetries = {
  mostAttempts: 10,
  waitAfter: createBackoff({ firstMs: 10_000, longestMs: 3_600_000 }),
}
