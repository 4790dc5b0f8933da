import type { Box, Point } from '../geometry'

/** The corners of an edge's line, both ends among them; its pieces are level and upright by turns. */
export type Route = readonly Point[]

/** What an edge goes from and to. */
export interface Ends {
  from: Point
  to: Point
  source: Box
  target: Box
}

/** What an edge has to get along with. */
export interface Surroundings {
  /** the groups in an area; its own ends may be among them */
  boxes: (area: Box) => readonly Box[]
  /** the lines of others in an area */
  routes: (area: Box) => readonly Route[]
}
