import type { Point } from './geometry'
import { endsOf, type Scene } from './scene'

const STEPS = 24

/** The edge whose line passes a point, no further away than `reach`; null without one. */
export function edgeNear(scene: Scene, point: Point, reach: number): string | null {
  const area = { x: point.x - reach, y: point.y - reach, width: 2 * reach, height: 2 * reach }
  let nearest: { id: string; distance: number } | null = null
  for (const id of scene.edgesIn(area)) {
    const edge = scene.edges.get(id)
    const source = edge && scene.groups.get(edge.source)?.box
    const target = edge && scene.groups.get(edge.target)?.box
    if (!edge || !source || !target) continue
    const line = lineOf(endsOf(edge, source, target))
    for (let at = 1; at < line.length; at++) {
      const distance = distanceTo(point, line[at - 1] as Point, line[at] as Point)
      if (distance <= reach && distance < (nearest?.distance ?? Number.POSITIVE_INFINITY)) nearest = { id, distance }
    }
  }
  return nearest?.id ?? null
}

/** The drawn line as a polyline. */
function lineOf({ from, to }: { from: Point; to: Point }): Point[] {
  if (to.x <= from.x + 24) {
    const middle = (from.y + to.y) / 2
    const [right, left] = [from.x + 26, to.x - 26]
    return [from, { x: right, y: from.y }, { x: right, y: middle }, { x: left, y: middle }, { x: left, y: to.y }, to]
  }
  const bend = (to.x - from.x) / 2
  return Array.from({ length: STEPS + 1 }, (_, n) => {
    const t = n / STEPS
    const [a, b, c, d] = [(1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t ** 2, t ** 3]
    return { x: a * from.x + b * (from.x + bend) + c * (to.x - bend) + d * to.x, y: (a + b) * from.y + (c + d) * to.y }
  })
}

function distanceTo(point: Point, from: Point, to: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const along = dx || dy ? ((point.x - from.x) * dx + (point.y - from.y) * dy) / (dx * dx + dy * dy) : 0
  const t = Math.max(0, Math.min(1, along))
  return Math.hypot(point.x - from.x - t * dx, point.y - from.y - t * dy)
}
