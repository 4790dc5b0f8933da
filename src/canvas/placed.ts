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
  /** how far below the top of its group each end is */
  out: number
  into: number
}

/**
 * Where everything of a flow stands, known from data alone and brought up to date by what has changed: an edit of a flow of 10,000
 * groups touches one. What is drawn, hit, framed and mapped comes from here; React Flow has only what is in sight.
 */
export interface Scene {
  /** counts the changes */
  readonly version: number
  readonly groups: ReadonlyMap<string, PlacedGroup>
  readonly edges: ReadonlyMap<string, PlacedEdge>
  update: (projection: Projection) => void
  groupsIn: (area: Box) => string[]
  /** edges that may pass there: all that do, and some whose line is not known yet */
  edgesIn: (area: Box) => string[]
  /** the line of an edge; null for one that is not placed */
  routeOf: (edgeId: string) => Route | null
  /** the same as far as it was found already */
  knownRoute: (edgeId: string) => Route | undefined
  /** the line of an edge while groups are dragged */
  routeWhile: (edgeId: string, moving: ReadonlyMap<string, Point>) => Route | null
  edgesOf: (groupId: string) => Iterable<string>
  groupAt: (point: Point) => string | null
  /** around all groups; null without any */
  bounds: () => Box | null
  /** ids of all groups, and each one's place in that: what Tab goes through */
  order: () => { ids: readonly string[]; at: ReadonlyMap<string, number> }
}
