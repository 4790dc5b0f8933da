import type { ComponentType } from 'react'
import type { Json } from '../../engine/values/json'

/** Measures that faces and canvas share, in pixels at zoom 1. Faces are laid out from data alone: nothing is measured in the DOM. */
export const faceMetrics = {
  /** width of a face's content: the canvas draws frame and icon around it */
  width: 236,
  /** height of a line of text (13px) */
  line: 18,
  /** height of a row that has a handle of its own: an option, a branch, a labelled port */
  row: 28,
  /** between parts of a face */
  gap: 6,
} as const

/**
 * How a kind looks on the canvas: `blocks/<kind>/face.tsx` default-exports one. Names of variables and groups come from
 * `useFlowScope` (src/text/flowScope.ts), so the canvas stands in a `FlowScopeProvider`.
 */
export interface BlockFace<Data = Record<string, Json>> {
  /** exact height of what `Face` draws */
  height(data: Data): number
  /**
   * For ports with a row inside the face: the y of the row's middle, from the face's top, by port id. Every port that is not
   * named here the canvas draws itself: the plain `next` at the block's edge, labelled ones as rows below the face.
   */
  portY(data: Data): Record<string, number>
  Face: ComponentType<{ data: Data }>
}
