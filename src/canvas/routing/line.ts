import type { Box, Point } from '../geometry'
import type { Route } from './route'

/** The radius of corners with long enough sides. */
const ROUND = 10

/** The line as an SVG path with rounded corners. */
export function pathOf(route: Route): string {
  const [first] = route
  const last = route.at(-1)
  if (!first || !last) return ''
  let path = `M${first.x},${first.y}`
  for (let at = 1; at < route.length - 1; at++) {
    const [before, corner, after] = [route[at - 1] as Point, route[at] as Point, route[at + 1] as Point]
    const radius = roundness(route, at)
    const [from, to] = [towards(corner, before, radius), towards(corner, after, radius)]
    path += `L${from.x},${from.y}Q${corner.x},${corner.y} ${to.x},${to.y}`
  }
  return `${path}L${last.x},${last.y}`
}

/** The radius of a corner, limited by its sides. */
export function roundness(route: Route, at: number): number {
  const [before, corner, after] = [route[at - 1], route[at], route[at + 1]]
  return before && corner && after ? Math.min(ROUND, length(before, corner) / 2, length(corner, after) / 2) : 0
}

/** The point at half its length. */
export function middleOf(route: Route): Point {
  let left = route.reduce((sum, point, at) => sum + (at ? length(route[at - 1] as Point, point) : 0), 0) / 2
  for (let at = 1; at < route.length; at++) {
    const [from, to] = [route[at - 1] as Point, route[at] as Point]
    const piece = length(from, to)
    if (left <= piece) return towards(from, to, left)
    left -= piece
  }
  return route[0] ?? { x: 0, y: 0 }
}

/** A point's distance from the line. */
export function distanceTo(route: Route, point: Point): number {
  let least = Number.POSITIVE_INFINITY
  for (let at = 1; at < route.length; at++) {
    const [a, b] = [route[at - 1] as Point, route[at] as Point]
    const dx = Math.max(Math.min(a.x, b.x) - point.x, 0, point.x - Math.max(a.x, b.x))
    const dy = Math.max(Math.min(a.y, b.y) - point.y, 0, point.y - Math.max(a.y, b.y))
    least = Math.min(least, Math.hypot(dx, dy))
  }
  return least
}

/** The line's bounding box. */
export function routeBox(route: Route): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { x, y } of route) {
    left = Math.min(left, x)
    top = Math.min(top, y)
    right = Math.max(right, x)
    bottom = Math.max(bottom, y)
  }
  return { x: left, y: top, width: right - left, height: bottom - top }
}

export const shifted = (route: Route, by: Point): Route => route.map(({ x, y }) => ({ x: x + by.x, y: y + by.y }))

const length = (a: Point, b: Point) => Math.abs(a.x - b.x) + Math.abs(a.y - b.y)

/** A point at a distance from one end of a straight piece. */
const towards = (from: Point, to: Point, by: number): Point => ({
  x: from.x + Math.sign(to.x - from.x) * Math.min(by, Math.abs(to.x - from.x)),
  y: from.y + Math.sign(to.y - from.y) * Math.min(by, Math.abs(to.y - from.y)),
})
