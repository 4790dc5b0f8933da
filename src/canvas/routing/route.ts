import type { Box, Point } from '../geometry'

/** The corners of an edge's line, including both ends; horizontal and vertical pieces alternate. */
export type Route = readonly Point[]

/** The ends of an edge. */
export interface Ends {
  from: Point
  to: Point
  source: Box
  target: Box
}

/** The obstacles of an edge. */
export interface Surroundings {
  /** the groups in an area, possibly its own ends */
  boxes: (area: Box) => readonly Box[]
  /** other edges' routes in an area */
  routes: (area: Box) => readonly Route[]
}
