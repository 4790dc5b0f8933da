import type { Point } from './geometry'
import type { Scene } from './placed'
import { distanceTo } from './routing/line'

/** The edge within `reach` of a point; null if there is none. */
export function edgeNear(scene: Scene, point: Point, reach: number): string | null {
  const area = { x: point.x - reach, y: point.y - reach, width: 2 * reach, height: 2 * reach }
  let nearest: { id: string; distance: number } | null = null
  for (const id of scene.edgesIn(area)) {
    const distance = distanceTo(scene.routeOf(id) ?? [], point)
    if (distance <= reach && distance < (nearest?.distance ?? Number.POSITIVE_INFINITY)) nearest = { id, distance }
  }
  return nearest?.id ?? null
}
