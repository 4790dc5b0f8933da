/** Limits of a connection and a document; an honest editor sends some KB a second at most. */
export const collabLimits = {
  /** per frame; larger pastes use import */
  frameBytes: 5 * 1024 * 1024,
  /** per stored document */
  documentBytes: 64 * 1024 * 1024,
  /** sustained rate, and burst: returning from a day offline sends one large frame, typing many small ones */
  framesPerSecond: 200,
  framesAtOnce: 2_000,
  bytesPerSecond: 2 * 1024 * 1024,
  bytesAtOnce: 20 * 1024 * 1024,
  /** unsent data for a slow reader before it is disconnected; it reconnects and syncs */
  outboxBytes: 32 * 1024 * 1024,
  connectionsPerDocument: 500,
  /** tabs of one person, over all flows and sessions */
  connectionsPerUser: 50,
} as const

/** A token bucket. `take` returns whether the amount may pass now. */
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
