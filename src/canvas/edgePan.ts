import type { View } from './adapter'
import type { Point } from './geometry'

const ZONE = 48
const SPEED = 10

/**
 * Pans while the pointer is held at the canvas's edge. A drag that starts there (from a half visible group, or the
 * palette) pans only after the pointer has left the edge once: otherwise the target would move away.
 *
 * @returns a function to call in each frame with the pointer's screen position; returns true if it panned
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

/** How far to pan for a pointer position; null if it is not over the canvas. */
export function panAt(pointer: Point, box: DOMRect | undefined): Point | null {
  if (!box || pointer.x < box.left || pointer.x > box.right || pointer.y < box.top || pointer.y > box.bottom)
    return null
  return {
    x: speed(pointer.x - box.left, box.right - pointer.x),
    y: speed(pointer.y - box.top, box.bottom - pointer.y),
  }
}

const speed = (from: number, to: number): number => (from < ZONE ? SPEED : to < ZONE ? -SPEED : 0)
