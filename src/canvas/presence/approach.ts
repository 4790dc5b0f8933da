import type { Point } from '../geometry'

/** The time constant in ms of two thirds of the way: moves are sent every 50 ms. */
const PACE_MS = 55
/** larger distances on the screen are not animated */
const JUMP = 1600

/**
 * One animation step between two received positions.
 *
 * @param unit flow units per pixel
 * @returns `to` itself on arrival
 */
export function approach(from: Point, to: Point, elapsed: number, unit: number): Point {
  const far = Math.hypot(to.x - from.x, to.y - from.y) / unit
  if (far < 0.5 || far > JUMP) return to
  const share = 1 - Math.exp(-elapsed / PACE_MS)
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }
}
