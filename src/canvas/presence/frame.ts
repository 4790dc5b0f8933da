import type { Seen } from '../windowing'

/** An animation frame of the overlay. */
export interface Frame {
  seen: Seen
  now: number
  /** milliseconds since the previous one */
  elapsed: number
  /** reduced motion: no animation */
  still: boolean
}
