import type { View } from './adapter'
import type { Point } from './geometry'

const ZONE = 48
const SPEED = 10

/**
 * Pans while the pointer is held at the canvas's edge. A drag that begins there (at a group that is half in sight, coming from the
 * palette) pans only once the pointer has been away from the edge: before, it would carry off what one is aiming at.
 *
 * @returns to call each frame with where the pointer is on the screen; true when it has panned
 */
export function createEdgePan(view: View): (pointer: Point) => boolean {
  let armed = false
  return (pointer) => {
    const by = panAt(pointer, document.querySelector('.react-flow')?.getBoundingClientRect())
    if (!by) return false
    if (by.x === 0 && by.y === 0) armed = true
    else if (armed) view.panBy(by)
    return armed && (by.x !== 0 || by.y !== 0)
  }
}

/** How far to pan with the pointer there; null when it is not over the canvas. */
export function panAt(pointer: Point, box: DOMRect | undefined): Point | null {
  if (!box || pointer.x < box.left || pointer.x > box.right || pointer.y < box.top || pointer.y > box.bottom)
    return null
  return {
    x: speed(pointer.x - box.left, box.right - pointer.x),
    y: speed(pointer.y - box.top, box.bottom - pointer.y),
  }
}

const speed = (from: number, to: number): number => (from < ZONE ? SPEED : to < ZONE ? -SPEED : 0)
