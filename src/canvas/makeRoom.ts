import type { PlacedBox } from './arrange'
import { grown, touches } from './boxIndex'
import { type Box, GRID, type Point } from './geometry'

/** px between the new group and those that move */
const GAP = 24
/** With more groups, some are covered instead. */
const MOST = 60

interface Pusher {
  box: Box
  /** the group that it is, on its way; null: the new one */
  group: PlacedBox | null
  way: 1 | -1 | null
}

/**
 * New positions of the groups that a new one would cover: they move down or up, whichever is nearer, pushing others
 * along.
 *
 * @param boxesIn the groups that intersect an area
 */
export function makeRoom(box: Box, boxesIn: (area: Box) => readonly PlacedBox[]): Map<string, Point> {
  const moved = new Map<string, PlacedBox>()
  const middle = box.y + box.height / 2
  /** groups that touch an area, where they have gone by now */
  const standingIn = (area: Box): PlacedBox[] => [
    ...boxesIn(area).filter(({ id }) => !moved.has(id)),
    ...[...moved.values()].filter((one) => touches(one, area)),
  ]
  const pushers: Pusher[] = [{ box, group: null, way: null }]
  for (let next = pushers.shift(); next; next = pushers.shift()) {
    const { box: pusher, group } = next
    // it was pushed on itself meanwhile, and pushes from there
    if (group && moved.get(group.id) !== group) continue
    const pushed = standingIn(grown(pusher, GAP - 1))
      .filter(({ id }) => id !== group?.id)
      .map((other) => ({ other, way: next.way ?? (other.y + other.height / 2 < middle ? -1 : 1) }))
      .sort((a, b) => nearEdge(a) - nearEdge(b))
    for (const { other, way } of pushed) {
      const y =
        way === 1
          ? Math.ceil((pusher.y + pusher.height + GAP) / GRID) * GRID
          : Math.floor((pusher.y - GAP - other.height) / GRID) * GRID
      // those already behind are passed
      if ((y - other.y) * way <= 0) continue
      if (!moved.has(other.id) && moved.size >= MOST) return placesOf(moved)
      const there = { ...other, y }
      moved.set(other.id, there)
      pushers.push({ box: there, group: there, way })
    }
  }
  return placesOf(moved)
}

/** Of several that one comes to, the nearest goes first, and the others before it: they keep their order. */
const nearEdge = ({ other, way }: { other: PlacedBox; way: 1 | -1 }): number =>
  way === 1 ? other.y : -(other.y + other.height)

const placesOf = (moved: ReadonlyMap<string, PlacedBox>): Map<string, Point> =>
  new Map([...moved].map(([id, { x, y }]) => [id, { x, y }]))
