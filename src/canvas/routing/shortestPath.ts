import type { Box, Point } from '../geometry'

/** The cost of a bend in px: few bends are easier to follow than a short line. */
const BEND = 40

/**
 * The best rectilinear path that leaves `start` to the right and reaches `end` from the left, through no wall; along a
 * wall's side is allowed. Few bends count more than length; of equal paths the one that bends latest wins, since ports
 * are at different heights while targets are often the same.
 *
 * @returns its corners with both ends; null if there is none
 */
export function shortestPath(start: Point, end: Point, walls: readonly Box[]): Point[] | null {
  const xs = coordinates([start.x, end.x], walls, ({ x, width }) => [x, x + width])
  const ys = coordinates([start.y, end.y], walls, ({ y, height }) => [y, y + height])
  const [columns, rows] = [xs.length, ys.length]
  const { rightward, downward } = closedWays(xs, ys, walls)
  const indexOf = ({ x, y }: Point) => ys.indexOf(y) * columns + xs.indexOf(x)
  const [first, goal] = [indexOf(start), indexOf(end)]

  // two states per crossing: reached along a row (even), along a column (odd)
  const cost = new Float64Array(columns * rows * 2).fill(Number.POSITIVE_INFINITY)
  const origin = new Int32Array(columns * rows * 2).fill(-1)
  const open = createQueue()
  const reach = (state: number, spent: number, from: number) => {
    if (spent >= (cost[state] as number)) return
    cost[state] = spent
    origin[state] = from
    const at = state >> 1
    const [x, y] = [xs[at % columns] as number, ys[Math.floor(at / columns)] as number]
    const bends = state & 1 ? 1 : y === end.y && x <= end.x ? 0 : 2
    open.push(spent + Math.abs(x - end.x) + Math.abs(y - end.y) + bends * BEND, state)
  }
  reach(first * 2, 0, -1)
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    if (state === goal * 2) return corners(state, origin, xs, ys)
    const at = state >> 1
    const column = at % columns
    const row = Math.floor(at / columns)
    const spent = cost[state] as number
    // vertically to the end, then in
    if (at === goal) reach(goal * 2, spent + BEND, origin[state] as number)
    const along = (next: number, upright: 0 | 1, way: number) => {
      const bend = (state & 1) === upright ? 0 : BEND + (upright ? Math.abs((xs[column] as number) - end.x) * LATE : 0)
      reach(next * 2 + upright, spent + Math.abs(way) + bend, state)
    }
    if (column + 1 < columns && !rightward[at]) along(at + 1, 0, (xs[column + 1] as number) - (xs[column] as number))
    // never back into the port, nor out of the arrow's tip
    if (column > 0 && !rightward[at - 1] && state !== first * 2 && at - 1 !== goal)
      along(at - 1, 0, (xs[column] as number) - (xs[column - 1] as number))
    if (row + 1 < rows && !downward[at]) along(at + columns, 1, (ys[row + 1] as number) - (ys[row] as number))
    if (row > 0 && !downward[at - columns]) along(at - columns, 1, (ys[row] as number) - (ys[row - 1] as number))
  }
  return null
}

/** A tie breaker between paths of equal cost. */
const LATE = 0.001

const coordinates = (ends: number[], walls: readonly Box[], sides: (wall: Box) => number[]): number[] =>
  [...new Set([...ends, ...walls.flatMap(sides)])].sort((a, b) => a - b)

/** Which steps from a crossing to the right, and down, go through a wall. */
function closedWays(xs: readonly number[], ys: readonly number[], walls: readonly Box[]) {
  const columns = xs.length
  const rightward = new Uint8Array(columns * ys.length)
  const downward = new Uint8Array(columns * ys.length)
  for (const { x, y, width, height } of walls) {
    const [left, right] = [xs.indexOf(x), xs.indexOf(x + width)]
    const [top, bottom] = [ys.indexOf(y), ys.indexOf(y + height)]
    for (let row = top + 1; row < bottom; row++) rightward.fill(1, row * columns + left, row * columns + right)
    for (let row = top; row < bottom; row++) downward.fill(1, row * columns + left + 1, row * columns + right)
  }
  return { rightward, downward }
}

function corners(last: number, origin: Int32Array, xs: readonly number[], ys: readonly number[]): Point[] {
  const path: Point[] = []
  for (let state = last; state >= 0; state = origin[state] as number) {
    const at = state >> 1
    path.push({ x: xs[at % xs.length] as number, y: ys[Math.floor(at / xs.length)] as number })
  }
  return path.reverse().filter((point, at) => {
    const [before, after] = [path[at - 1], path[at + 1]]
    if (!before || !after) return true
    return !((before.x === point.x && point.x === after.x) || (before.y === point.y && point.y === after.y))
  })
}

/** A priority queue of numbers: a binary heap. */
function createQueue() {
  const ranks: number[] = []
  const values: number[] = []
  const swap = (a: number, b: number) => {
    ;[ranks[a], ranks[b]] = [ranks[b] as number, ranks[a] as number]
    ;[values[a], values[b]] = [values[b] as number, values[a] as number]
  }
  return {
    push(rank: number, value: number) {
      let at = ranks.push(rank) - 1
      values.push(value)
      for (let parent = (at - 1) >> 1; at > 0 && (ranks[parent] as number) > rank; parent = (at - 1) >> 1) {
        swap(at, parent)
        at = parent
      }
    },
    pop(): number | undefined {
      const least = values[0]
      const rank = ranks.pop()
      const value = values.pop()
      if (ranks.length === 0 || rank === undefined || value === undefined) return least
      ranks[0] = rank
      values[0] = value
      for (let at = 0; ; ) {
        const left = 2 * at + 1
        const smaller =
          left + 1 < ranks.length && (ranks[left + 1] as number) < (ranks[left] as number) ? left + 1 : left
        if (smaller >= ranks.length || (ranks[smaller] as number) >= (ranks[at] as number)) return least
        swap(at, smaller)
        at = smaller
      }
    },
  }
}
