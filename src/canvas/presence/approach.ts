import type { Point } from '../geometry'

/** After so many milliseconds two thirds of the way are done: people tell each other of a move every 50 ms. */
const PACE_MS = 55
/** farther than that on the screen, nobody sees a way between */
const JUMP = 1600

/**
 * A step of a thing that is on its way, so that it moves evenly between two tellings.
 *
 * @param unit how much of the flow's coordinates one pixel is
 * @returns `to` itself once it is there
 */
export function approach(from: Point, to: Point, elapsed: number, unit: number): Point {
  const far = Math.hypot(to.x - from.x, to.y - from.y) / unit
  if (far < 0.5 || far > JUMP) return to
  const share = 1 - Math.exp(-elapsed / PACE_MS)
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }
}
