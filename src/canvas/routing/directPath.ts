import type { Box, Point } from '../geometry'

/** Finds the walls that an area intersects; touching does not count. */
export type WallsIn = (area: Box) => readonly Box[]

/** How far above and below its ends a line may detour. */
const DETOUR = 1200

/**
 * Finds a line with the few bends that most edges need: straight; with one vertical piece; or with a detour between
 * groups. Visits each wall once.
 *
 * @returns its corners, possibly with some on a straight piece; null if it takes more bends
 */
export function directPath(start: Point, end: Point, walls: WallsIn): Point[] | null {
  return withOneUpright(start, end, walls) ?? withOneAlong(start, end, walls)
}

function withOneUpright(start: Point, end: Point, walls: WallsIn): Point[] | null {
  if (end.x < start.x) return null
  const reach = { x: start.x, width: end.x - start.x, height: 0 }
  const right = Math.min(end.x, ...walls({ ...reach, y: start.y }).map(({ x }) => x))
  const left = Math.max(start.x, ...walls({ ...reach, y: end.y }).map(({ x, width }) => x + width))
  if (right < left) return null
  const top = Math.min(start.y, end.y)
  const between = walls({ x: left, width: right - left, y: top, height: Math.abs(start.y - end.y) })
  // the last possible place: ports are at different heights, while their targets are often the same
  const place = gaps(
    left,
    right,
    between.map(({ x, width }) => [x, x + width]),
  ).at(-1)?.[1]
  return place === undefined ? null : [start, { x: place, y: start.y }, { x: place, y: end.y }, end]
}

function withOneAlong(start: Point, end: Point, walls: WallsIn): Point[] | null {
  const [above, below] = [Math.min(start.y, end.y) - DETOUR, Math.max(start.y, end.y) + DETOUR]
  let [high, low] = [above, below]
  for (const { x, y } of [start, end])
    for (const wall of walls({ x, y: above, width: 0, height: below - above })) {
      if (wall.y + wall.height <= y) high = Math.max(high, wall.y + wall.height)
      else if (wall.y >= y) low = Math.min(low, wall.y)
      else return null
    }
  if (low < high) return null
  const left = Math.min(start.x, end.x)
  const between = walls({ x: left, width: Math.abs(start.x - end.x), y: high, height: low - high })
  const free = gaps(
    high,
    low,
    between.map(({ y, height }) => [y, y + height]),
  )
  const way = (y: number) => Math.abs(y - start.y) + Math.abs(y - end.y)
  const places = free
    .flatMap(([from, to]) => [start.y, end.y].map((y) => Math.max(from, Math.min(to, y))))
    .sort((a, b) => way(a) - way(b))
  const [place] = places
  return place === undefined ? null : [start, { x: start.x, y: place }, { x: end.x, y: place }, end]
}

/** The free parts of a range, in order. */
function gaps(from: number, to: number, taken: readonly (readonly [number, number])[]): [number, number][] {
  const free: [number, number][] = []
  let at = from
  for (const [begins, ends] of taken.toSorted((a, b) => a[0] - b[0])) {
    if (begins >= at) free.push([at, Math.min(begins, to)])
    at = Math.max(at, ends)
    if (at > to) return free
  }
  free.push([at, to])
  return free
}
