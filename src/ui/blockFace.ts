import type { LucideIcon } from 'lucide-react'
import type { ComponentType } from 'react'
import type { Json } from '../../engine/values/json'

/**
 * A kind's look inside its group on the canvas: `blocks/<kind>/face.tsx` exports `face: BlockFace<Data>`. The canvas
 * never measures the DOM: handle positions follow from `height` and `rows`, so both must match exactly what `Component`
 * renders. They get the same names, except those of other flows.
 *
 * The canvas draws the frame (icon at the left, padding, selection, handles, and a row for each labelled port without a
 * `row`); the face draws what is to the right of the icon, `faceMetrics.width` wide and clipped at its height.
 */
export interface BlockFace<Data = Record<string, Json>> {
  /** the kind's icon in the palette, before the face, above the settings */
  icon: LucideIcon
  /** px at zoom 1 of what `Component` renders; one line is `faceMetrics.line` */
  height: (data: Data, names: FaceNames) => number
  /**
   * the vertical centre, from the face's top, of each row that a port refers to by `Port.row`; omit if there are none
   */
  rows?: (data: Data, names: FaceNames) => { id: string; y: number }[]
  /** the texts editable on the card, in reading order; omit if there are none */
  texts?: (data: Data) => readonly CardText[]
  Component: ComponentType<FaceProps<Data>>
}

/**
 * A text edited on the card. The face marks its place by `data-text={key}`; without a place the editor opens above the
 * card.
 */
export interface CardText {
  /** stable for the same text, even if its place in a list changes */
  key: string
  /** its path in the data, as in forms: `content`, `options.0.label` */
  path: string
  /** one of the kind's `richTexts`; otherwise a line */
  rich: boolean
  /** a line without variables: a name */
  plain?: boolean
  max: number
  /** currently not shown by the face, such as an empty question: skipped when moving between texts */
  hidden?: boolean
  /** of a text in a list: its list operations */
  item?: CardTextItem
}

export interface CardTextItem {
  place: number
  count: number
  /** Enter: adds one after it; null if the list is full */
  add: ((newId: () => string) => { key: string; patch: Readonly<Record<string, Json>> }) | null
  /** Backspace in an empty text: removes it; null at the minimal number */
  remove: (() => { patch: Readonly<Record<string, Json>> }) | null
}

export interface FaceProps<Data = Record<string, Json>> {
  data: Data
  names: FaceNames
}

/**
 * Names that faces show instead of ids (null if deleted), and texts. Its identity changes only when one of these does.
 */
export interface FaceNames {
  variable: (variableId: string) => string | null
  group: (groupId: string) => string | null
  /**
   * a text of the interface, for heights: `set-variable.face.append`, or `text:operators.equals`; like `t` of the
   * namespace `blocks`
   */
  text: (key: string, values?: Readonly<Record<string, string | number>>) => string
  /** another flow of the chatbot; absent until loaded */
  flow?: (flowId: string) => string | null
}

export const faceMetrics = {
  /** px available to a face */
  width: 204,
  /** height of a line of 13px text */
  line: 20,
  /** height of a row with a handle (an option, a branch), and the gap between two */
  row: 28,
  rowGap: 4,
} as const
