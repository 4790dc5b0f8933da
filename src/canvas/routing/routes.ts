import { type BoxIndex, createBoxIndex, grown, touches } from '../boxIndex'
import type { Box } from '../geometry'
import { routeBox } from './line'
import type { Ends, Route } from './route'
import { routeEdge } from './routeEdge'

/** Groups that are added or removed within this distance of a line change it. */
const NEAR = 40

/**
 * Routes of a flow's edges, computed on first use and cached until something gets in their way. Later edges avoid
 * earlier ones, so that drawn lines don't move.
 */
export interface Routes {
  /** the cached or computed route; null if the edge is not placed */
  of: (edgeId: string) => Route | null
  known: (edgeId: string) => Route | undefined
  /** the route of an edge at temporary positions; not cached */
  at: (ends: Ends, without: { boxes: ReadonlySet<string>; routes: ReadonlySet<string> }) => Route
  forget: (edgeId: string) => void
  /** drops all routes through an area; returns their ids */
  forgetAt: (area: Box) => string[]
}

/**
 * @param groups finds the groups in an area
 * @param boxOf a group's box
 * @param endsOf an edge's ends; null if it is not placed
 * @param found called with each computed route
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
