import type { PlacedBox } from './arrange'
import { grown } from './boxIndex'
import { type Box, GRID, type Point } from './geometry'

/** px between what comes and what makes way */
const GAP = 24
/** More groups than that do not make way: what comes lies over some. */
const MOST = 60

/**
 * Where groups go that a new one would cover: down or up, whichever side of it they are on, and what they come to goes on before them.
 *
 * @param boxesIn the groups that touch an area, where they are now
 */
export function makeRoom(box: Box, boxesIn: (area: Box) => readonly PlacedBox[]): Map<string, Point> {
  const places = new Map<string, Point>()
  const middle = box.y + box.height / 2
  const pushers: { box: Box; way: 1 | -1 | null }[] = [{ box, way: null }]
  for (let next = pushers.shift(); next; next = pushers.shift()) {
    const pusher = next.box
    for (const other of boxesIn(grown(pusher, GAP - 1))) {
      if (places.has(other.id)) continue
      if (places.size >= MOST) return places
      const way = next.way ?? (other.y + other.height / 2 < middle ? -1 : 1)
      const y =
        way === 1
          ? Math.ceil((pusher.y + pusher.height + GAP) / GRID) * GRID
          : Math.floor((pusher.y - GAP - other.height) / GRID) * GRID
      // what stands there already is passed by
      if ((y - other.y) * way <= 0) continue
      places.set(other.id, { x: other.x, y })
      pushers.push({ box: { ...other, y }, way })
    }
  }
  return places
}
