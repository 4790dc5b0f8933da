import type { Box, Point } from '../geometry'
import type { Route, Surroundings } from './route'

/** px between parallel lines, if there is room */
export const LANE = 10
/** px between a lane and groups */
const CLEAR = 10
/** px that adjacent pieces keep at least */
const STUB = 9
/** In wider spaces a line stays near its obstacle instead of moving to the middle. */
const WIDE = 420
/** How many lanes are tried on both sides */
const LANES = 8
/** The cost of crossing another line, and of overlapping one, in px of distance */
const CROSSING = 60
const COVERING = 400

/** A straight piece: its position (x if vertical, y if horizontal) and its extent. */
interface Piece {
  at: number
  from: number
  to: number
}

/**
 * Moves the inner pieces to the middle of their space, each into its own lane: without overlapping other lines, and
 * with few crossings.
 */
export function settleInLanes(path: readonly Point[], around: Surroundings): Route {
  const points = path.filter((point, at) => at === 0 || !samePlace(point, path[at - 1] as Point)).map((p) => ({ ...p }))
  merge(points)
  for (let at = 1; at < points.length - 2; at++) settle(points, at, around)
  return points
}

const samePlace = (a: Point, b: Point) => a.x === b.x && a.y === b.y

/** Removes corners on a straight line. */
function merge(points: Point[]): void {
  for (let at = points.length - 2; at > 0; at--) {
    const [a, b, c] = [points[at - 1] as Point, points[at] as Point, points[at + 1] as Point]
    if ((a.x === b.x && b.x === c.x) || (a.y === b.y && b.y === c.y)) points.splice(at, 1)
  }
}

function settle(points: Point[], at: number, around: Surroundings): void {
  const [before, a, b, after] = points.slice(at - 1, at + 3) as [Point, Point, Point, Point]
  const upright = a.x === b.x
  const [across, along] = upright ? (['x', 'y'] as const) : (['y', 'x'] as const)
  const place = a[across]
  const span: [number, number] = [Math.min(a[along], b[along]), Math.max(a[along], b[along])]
  const room = roomAcross(place, span, upright, around)
  // adjacent pieces keep a minimal length and their direction
  for (const neighbour of [before, after])
    if (neighbour[across] < place) room.low = Math.max(room.low, Math.min(neighbour[across] + STUB, place))
    else room.high = Math.min(room.high, Math.max(neighbour[across] - STUB, place))
  const width = room.high - room.low
  const wanted = width <= WIDE ? (room.low + room.high) / 2 : place
  const best = bestLane(wanted, room, { before, a, b, after, upright }, around)
  a[across] = best
  b[across] = best
}

/** How far a piece can be moved on both sides before it, or its neighbours, touch a group. */
function roomAcross(place: number, span: [number, number], upright: boolean, around: Surroundings) {
  const [from, to] = span
  const area = boxOf(upright, place - WIDE, place + WIDE, from - CLEAR + 1, to + CLEAR - 1)
  let [low, high] = [place - WIDE, place + WIDE]
  for (const { x, y, width, height } of around.boxes(area)) {
    const [near, far] = upright ? [x, x + width] : [y, y + height]
    if (far <= place) low = Math.max(low, Math.min(far + CLEAR, place))
    else if (near >= place) high = Math.min(high, Math.max(near - CLEAR, place))
  }
  return { low, high }
}

const boxOf = (upright: boolean, low: number, high: number, from: number, to: number): Box =>
  upright
    ? { x: low, y: from, width: high - low, height: to - from }
    : { x: from, y: low, width: to - from, height: high - low }

interface Corner {
  before: Point
  a: Point
  b: Point
  after: Point
  upright: boolean
}

function bestLane(
  wanted: number,
  { low, high }: { low: number; high: number },
  { before, a, b, after, upright }: Corner,
  around: Surroundings,
): number {
  const [across, along] = upright ? (['x', 'y'] as const) : (['y', 'x'] as const)
  const span = [Math.min(a[along], b[along]), Math.max(a[along], b[along])] as const
  const reach = (LANES + 1) * LANE
  const others = around.routes(boxOf(upright, wanted - reach, wanted + reach, span[0], span[1]))
  if (others.length === 0) return wanted
  const beside: Piece[] = []
  const athwart: Piece[] = []
  for (const route of others)
    for (let at = 1; at < route.length; at++) {
      const [p, q] = [route[at - 1] as Point, route[at] as Point]
      const isUpright = p.x === q.x
      const [fixed, moving] = isUpright ? (['x', 'y'] as const) : (['y', 'x'] as const)
      const piece = { at: p[fixed], from: Math.min(p[moving], q[moving]), to: Math.max(p[moving], q[moving]) }
      const meets = piece.from <= span[1] + LANE && piece.to >= span[0] - LANE
      if (isUpright !== upright) athwart.push(piece)
      else if (meets && Math.abs(piece.at - wanted) <= reach + LANE) beside.push(piece)
    }
  const price = (place: number): number => {
    let sum = Math.abs(place - wanted)
    for (const { at, from, to } of beside) {
      const distance = Math.abs(at - place)
      if (distance < LANE - 0.5 && from < span[1] + LANE && to > span[0] - LANE)
        sum += COVERING * (1 - distance / (2 * LANE))
      // what adjacent pieces would cross
      for (const [end, far] of [
        [a, before],
        [b, after],
      ] as const)
        if (from < end[along] && end[along] < to && (at - place) * (at - far[across]) < 0) sum += CROSSING
    }
    for (const { at, from, to } of athwart)
      if (span[0] < at && at < span[1] && from < place && place < to) sum += CROSSING
    return sum
  }
  let best = wanted
  let least = price(wanted)
  if (least === 0) return wanted
  for (let lane = 1; lane <= LANES; lane++)
    for (const place of [wanted - lane * LANE, wanted + lane * LANE]) {
      if (place < low || place > high) continue
      const sum = price(place)
      if (sum < least) [best, least] = [place, sum]
    }
  return best
}
