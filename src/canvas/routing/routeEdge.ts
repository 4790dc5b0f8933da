import { grown } from '../boxIndex'
import type { Box, Point } from '../geometry'
import { directPath } from './directPath'
import { settleInLanes } from './lanes'
import type { Ends, Route, Surroundings } from './route'
import { shortestPath } from './shortestPath'

/** The distance of lines from groups, and the minimal one in tight places. */
const CLEAR = 14
const CLOSE = 3
/** With less space between adjacent groups, the line goes around. */
const NARROW = 8
/** The most work per edge; a longer line could not be followed anyway. */
const MOST_CROSSINGS = 60_000

/** Routes an edge around all groups, including its own ends. */
export function routeEdge(ends: Ends, around: Surroundings): Route {
  for (const clear of [CLEAR, CLOSE]) {
    const path = pathAround(ends, around, clear)
    if (path) return settleInLanes(path, around)
  }
  return plainRoute(ends)
}

function pathAround({ from, to, source, target }: Ends, around: Surroundings, clear: number): Point[] | null {
  const start = { x: from.x + roomBeside(from, 1, around, clear), y: from.y }
  const end = { x: to.x - roomBeside(to, -1, around, clear), y: to.y }
  // adjacent with little space between
  if (end.x < start.x && to.x - from.x >= NARROW) start.x = end.x = (from.x + to.x) / 2
  const wallsIn = (area: Box): Box[] =>
    [source, target, ...around.boxes(grown(area, clear))].flatMap((box) => {
      const wall = wallOf(box, [start, end], clear)
      return crosses(area, wall) ? [wall] : []
    })
  const path = directPath(start, end, wallsIn) ?? pathAmong(start, end, wallsIn)
  return path && [from, ...path, to]
}

/** The best line. Walls are added only when a line crosses them; the first line that crosses none is the result. */
function pathAmong(start: Point, end: Point, wallsIn: (area: Box) => Box[]): Point[] | null {
  const walls = new Map<string, Box>()
  let crossings = 0
  for (;;) {
    // each wall has four sides, and each side crosses all others
    crossings += (2 * walls.size + 2) ** 2
    const path = crossings > MOST_CROSSINGS ? null : shortestPath(start, end, [...walls.values()])
    if (!path) return null
    const before = walls.size
    for (let at = 1; at < path.length; at++)
      for (const wall of wallsIn(pieceBox(path[at - 1] as Point, path[at] as Point)))
        walls.set(`${wall.x} ${wall.y} ${wall.width} ${wall.height}`, wall)
    if (walls.size === before) return path
  }
}

/** How far an edge can go straight out of its port, or into its arrow. */
function roomBeside({ x, y }: Point, way: 1 | -1, around: Surroundings, clear: number): number {
  const reach = 2 * clear + 4
  const area = { x: way === 1 ? x : x - reach, y: y - 1, width: reach, height: 2 }
  const gaps = around.boxes(area).map((box) => (way === 1 ? box.x - x : x - box.x - box.width))
  return Math.min(clear, ...gaps.filter((gap) => gap > 0).map((gap) => gap / 2))
}

/** A group enlarged by the clearance, but not over the ends; empty if it covers an end. */
function wallOf(box: Box, ends: readonly Point[], clear: number): Box {
  let room = clear
  for (const { x, y } of ends) {
    const outside = Math.max(box.x - x, x - box.x - box.width, box.y - y, y - box.y - box.height)
    if (outside < 0) return { ...box, width: 0, height: 0 }
    room = Math.min(room, outside)
  }
  return grown(box, room)
}

/** A straight piece as a box without width or height. */
export const pieceBox = (a: Point, b: Point): Box => ({
  x: Math.min(a.x, b.x),
  y: Math.min(a.y, b.y),
  width: Math.abs(a.x - b.x),
  height: Math.abs(a.y - b.y),
})

/** Whether a piece goes through a box; touching a side does not count. */
export const crosses = (piece: Box, box: Box): boolean =>
  piece.x < box.x + box.width &&
  box.x < piece.x + piece.width &&
  piece.y < box.y + box.height &&
  box.y < piece.y + piece.height

/** A line without obstacle avoidance: if there is no way around, or no time to compute one. */
export function plainRoute({ from, to }: Pick<Ends, 'from' | 'to'>): Route {
  const forward = to.x - from.x > 2 * CLEAR
  const middle = (from.x + to.x) / 2
  if (forward) return from.y === to.y ? [from, to] : [from, { x: middle, y: from.y }, { x: middle, y: to.y }, to]
  const [right, left] = [from.x + 2 * CLEAR, to.x - 2 * CLEAR]
  const y = (from.y + to.y) / 2
  return [from, { x: right, y: from.y }, { x: right, y }, { x: left, y }, { x: left, y: to.y }, to]
}
