import { type BoxIndex, createBoxIndex, grown, touches } from '../boxIndex'
import type { Box } from '../geometry'
import { routeBox } from './line'
import type { Ends, Route } from './route'
import { routeEdge } from './routeEdge'

/** Groups that come or go so near to a line change it. */
const NEAR = 40

/**
 * The lines of a flow's edges, each found when it is first asked for and kept until something comes in its way. Who asks later gives way:
 * what is drawn already does not move.
 */
export interface Routes {
  /** the line that is known, or is found now; null for an edge that is not placed */
  of: (edgeId: string) => Route | null
  known: (edgeId: string) => Route | undefined
  /** the line of an edge whose ends are elsewhere at the moment; nothing is kept of it */
  at: (ends: Ends, without: { boxes: ReadonlySet<string>; routes: ReadonlySet<string> }) => Route
  forget: (edgeId: string) => void
  /** forgets all lines that pass there; gives their ids */
  forgetAt: (area: Box) => string[]
}

/**
 * @param groups finds the groups in an area
 * @param boxOf a group's box
 * @param endsOf an edge's ends; null for one that is not placed
 * @param found is told of each line that was found
 */
export function createRoutes(
  groups: Pick<BoxIndex, 'within'>,
  boxOf: (groupId: string) => Box | undefined,
  endsOf: (edgeId: string) => Ends | null,
  found: (edgeId: string, box: Box) => void,
): Routes {
  const routes = new Map<string, Route>()
  const index = createBoxIndex()
  const none: ReadonlySet<string> = new Set()

  const at: Routes['at'] = (ends, without) =>
    routeEdge(ends, {
      boxes: (area) => groups.within(area).flatMap((id) => (without.boxes.has(id) ? [] : (boxOf(id) ?? []))),
      routes: (area) =>
        index.within(area).flatMap((id) => {
          const route = without.routes.has(id) ? undefined : routes.get(id)
          return route ? [route] : []
        }),
    })
  const forget = (id: string) => {
    if (routes.delete(id)) index.delete(id)
  }
  return {
    of(id) {
      const known = routes.get(id)
      if (known) return known
      const ends = endsOf(id)
      if (!ends) return null
      const route = at(ends, { boxes: none, routes: none })
      const box = routeBox(route)
      routes.set(id, route)
      index.set(id, box)
      found(id, box)
      return route
    },
    known: (id) => routes.get(id),
    at,
    forget,
    forgetAt(area) {
      const ids = index.within(grown(area, NEAR)).filter((id) => passes(routes.get(id) ?? [], grown(area, NEAR)))
      for (const id of ids) forget(id)
      return ids
    },
  }
}

const passes = (route: Route, area: Box): boolean =>
  route.some((point, at) => at > 0 && touches(routeBox([route[at - 1] ?? point, point]), area))
