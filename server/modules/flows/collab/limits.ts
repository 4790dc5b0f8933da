/**
 * What one connection and one document may take; measured against an honest editor, who sends some KB a second at most.
 */
export const collabLimits = {
  /** a frame; a larger paste goes by import */
  frameBytes: 5 * 1024 * 1024,
  /** a stored document */
  documentBytes: 64 * 1024 * 1024,
  /** sustained, and at once: an offline day that comes back is one large frame, typing many small ones */
  framesPerSecond: 200,
  framesAtOnce: 2_000,
  bytesPerSecond: 2 * 1024 * 1024,
  bytesAtOnce: 20 * 1024 * 1024,
  /** what may wait to be sent to a slow reader before it is cut off; it comes back and syncs */
  outboxBytes: 32 * 1024 * 1024,
  connectionsPerDocument: 500,
  /** tabs of one person, over all flows and sessions */
  connectionsPerUser: 50,
} as const

/** A bucket that refills by time. `take` says whether that much may pass now. */
export function createBucket(perSecond: number, atOnce: number, now: () => number) {
  let left = atOnce
  let at = now()
  return (amount: number): boolean => {
    const time = now()
    left = Math.min(atOnce, left + ((time - at) / 1000) * perSecond)
    at = time
    if (left < amount) return false
    left -= amount
    return true
  }
}
