import type { LucideIcon } from 'lucide-react'
import type { ComponentType } from 'react'
import type { Json } from '../../engine/values/json'

/**
 * How a kind looks inside its group on the canvas: `blocks/<kind>/face.tsx` exports `face: BlockFace<Data>`. The canvas never
 * measures the DOM: where handles sit follows from `height` and `rows`, so both must be exact for what `Component` draws.
 *
 * The canvas draws the frame (icon at the left, padding, selection, handles, and a row for each labelled port without a `row`);
 * the face draws what is to the right of the icon, `faceMetrics.width` wide and clipped at its height.
 */
export interface BlockFace<Data = Record<string, Json>> {
  /** stands for the kind in the palette, in front of the face, over the settings */
  icon: LucideIcon
  /** px at zoom 1 of what `Component` draws; one line is `faceMetrics.line` */
  height: (data: Data) => number
  /** the vertical centre, from the face's top, of each row that a port names by `Port.row`; leave out when there are none */
  rows?: (data: Data) => { id: string; y: number }[]
  Component: ComponentType<FaceProps<Data>>
}

export interface FaceProps<Data = Record<string, Json>> {
  data: Data
  names: FaceNames
}

/** What faces show instead of ids; null for what is gone. Its identity changes only when a name does. */
export interface FaceNames {
  variable: (variableId: string) => string | null
  group: (groupId: string) => string | null
  /** another flow of the chatbot; absent until those are known */
  flow?: (flowId: string) => string | null
}

export const faceMetrics = {
  /** px that a face may use */
  width: 204,
  /** height of a line of 13px text */
  line: 20,
  /** height of a row with a handle (an option, a branch), and the gap between two */
  row: 28,
  rowGap: 4,
} as const
