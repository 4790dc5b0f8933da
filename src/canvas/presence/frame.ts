import type { Seen } from '../windowing'

/** One picture of the overlay. */
export interface Frame {
  seen: Seen
  now: number
  /** milliseconds since the one before */
  elapsed: number
  /** nothing glides: somebody wants less motion */
  still: boolean
}
