import type { Box, Point } from './geometry'

/** px of the map on the screen */
export const WIDTH = 208
export const HEIGHT = 136
const PADDING = 8
/** A small flow is shown as if it had at least this size. */
const SCREEN = { width: 1600, height: 1000 }

/** Whether a box lies completely inside another. */
export const encloses = (outer: Box, { x, y, width, height }: Box): boolean =>
  x >= outer.x && y >= outer.y && x + width <= outer.x + outer.width && y + height <= outer.y + outer.height

/** The map's origin in the flow, and its scale: the whole flow centred, not enlarged beyond a screen. */
export function fitting({ x, y, width, height }: Box): { origin: Point; scale: number } {
  const scale = Math.min(
    (WIDTH - 2 * PADDING) / Math.max(width, SCREEN.width),
    (HEIGHT - 2 * PADDING) / Math.max(height, SCREEN.height),
  )
  return { origin: { x: x + width / 2 - WIDTH / 2 / scale, y: y + height / 2 - HEIGHT / 2 / scale }, scale }
}
