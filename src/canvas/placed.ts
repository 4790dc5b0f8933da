import type { BlockView, EdgeView, GroupView, Projection } from '../../engine/document/commands'
import type { Box, GroupLayout, Point } from './geometry'
import type { Route } from './routing/route'

export interface PlacedGroup {
  group: GroupView
  blocks: readonly BlockView[]
  layout: GroupLayout
  box: Box
}

export interface PlacedEdge {
  view: EdgeView
  /** ids of groups */
  source: string
  target: string
  /** vertical distance of each end from the top of its group */
  out: number
  into: number
}

/**
 * Positions of everything in a flow, computed from data and updated incrementally: an edit in a flow of 10,000 groups
 * touches one. Drawing, hit testing, fitting and the minimap use it; React Flow only has what is visible.
 */
export interface Scene {
  /** counts the changes */
  readonly version: number
  readonly groups: ReadonlyMap<string, PlacedGroup>
  readonly edges: ReadonlyMap<string, PlacedEdge>
  update: (projection: Projection) => void
  groupsIn: (area: Box) => string[]
  /** edges that may pass through an area: all that do, and some with unknown routes */
  edgesIn: (area: Box) => string[]
  /** an edge's route; null if it is not placed */
  routeOf: (edgeId: string) => Route | null
  /** the same, if already computed */
  knownRoute: (edgeId: string) => Route | undefined
  /** an edge's route while groups are dragged */
  routeWhile: (edgeId: string, moving: ReadonlyMap<string, Point>) => Route | null
  edgesOf: (groupId: string) => Iterable<string>
  groupAt: (point: Point) => string | null
  /** bounding box of all groups; null if there are none */
  bounds: () => Box | null
  /** ids of all groups in reading order, and each one's index: the Tab order */
  order: () => { ids: readonly string[]; at: ReadonlyMap<string, number> }
}
