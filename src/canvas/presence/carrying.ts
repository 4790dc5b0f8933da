import type { Peer } from '../../collab/peerState'
import type { Point } from '../geometry'
import { approach } from './approach'
import type { Frame } from './frame'

/**
 * Positions of groups that others drag. Of two people dragging the same group, each sees their own position; everybody
 * else sees that of the higher client id, so that it does not flicker. At the drop the document determines its place.
 */
export function createCarrying(exists: (groupId: string) => boolean) {
  let places: ReadonlyMap<string, Point> = new Map()
  return {
    /** @returns the same map while nothing moves, and whether anything is still moving */
    step(peers: ReadonlyMap<number, Peer>, { seen, elapsed, still }: Pick<Frame, 'seen' | 'elapsed' | 'still'>) {
      const next = new Map<string, Point>()
      let moving = false
      const dragging = [...peers.values()].filter(({ drag }) => drag !== null).sort((a, b) => a.clientId - b.clientId)
      for (const { drag } of dragging)
        for (const goal of drag ?? []) {
          if (!exists(goal.id)) continue
          const at = places.get(goal.id)
          const step = !at || still ? goal : approach(at, goal, elapsed, 1 / seen.zoom)
          moving ||= step !== goal
          next.set(goal.id, at && at.x === step.x && at.y === step.y ? at : { x: step.x, y: step.y })
        }
      const same = next.size === places.size && [...next].every(([id, at]) => places.get(id) === at)
      if (!same) places = next
      return { places, moving }
    },
  }
}
