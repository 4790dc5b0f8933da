import type { Box, Point } from './geometry'

/** px of the map on the screen */
export const WIDTH = 208
export const HEIGHT = 136
const PADDING = 8
/** A flow that is smaller is not drawn larger than with so much around it. */
const SCREEN = { width: 1600, height: 1000 }

/** Is all of one box inside of another? */
export const encloses = (outer: Box, { x, y, width, height }: Box): boolean =>
  x >= outer.x && y >= outer.y && x + width <= outer.x + outer.width && y + height <= outer.y + outer.height

/** Where the map begins in the flow, and how small it is: all of the flow in its middle; a small flow is no larger than on a screen. */
export function fitting({ x, y, width, height }: Box): { origin: Point; scale: number } {
  const scale = Math.min(
    (WIDTH - 2 * PADDING) / Math.max(width, SCREEN.width),
    (HEIGHT - 2 * PADDING) / Math.max(height, SCREEN.height),
  )
  return { origin: { x: x + width / 2 - WIDTH / 2 / scale, y: y + height / 2 - HEIGHT / 2 / scale }, scale }
}
