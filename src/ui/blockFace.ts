import type { LucideIcon } from 'lucide-react'
import type { ComponentType } from 'react'
import type { Json } from '../../engine/values/json'

/**
 * How a kind looks inside its group on the canvas: `blocks/<kind>/face.tsx` exports `face: BlockFace<Data>`. The canvas
 * never measures the DOM: where handles sit follows from `height` and `rows`, so both must be exact for what
 * `Component` draws. They get the names that it gets, except those of other flows.
 *
 * The canvas draws the frame (icon at the left, padding, selection, handles, and a row for each labelled port without a
 * `row`); the face draws what is to the right of the icon, `faceMetrics.width` wide and clipped at its height.
 */
export interface BlockFace<Data = Record<string, Json>> {
  /** stands for the kind in the palette, in front of the face, over the settings */
  icon: LucideIcon
  /** px at zoom 1 of what `Component` draws; one line is `faceMetrics.line` */
  height: (data: Data, names: FaceNames) => number
  /**
   * the vertical centre, from the face's top, of each row that a port names by `Port.row`; leave out when there are
   * none
   */
  rows?: (data: Data, names: FaceNames) => { id: string; y: number }[]
  /** the texts that are edited on the card itself, in the order of reading; leave out when there are none */
  texts?: (data: Data) => readonly CardText[]
  Component: ComponentType<FaceProps<Data>>
}

/**
 * A text that is edited on the card. The face marks where it shows it by `data-text={key}`; one that it does not show
 * opens above the card.
 */
export interface CardText {
  /** stays the same as long as it is the same text, wherever in a list that comes to stand */
  key: string
  /** where it is in the data, as forms name their fields: `content`, `options.0.label` */
  path: string
  /** one of the kind's `richTexts`; else a line */
  rich: boolean
  /** a line without variables: a name */
  plain?: boolean
  max: number
  /** the face does not show it now, as an empty question: what goes from text to text leaves it out */
  hidden?: boolean
  /** of a text in a list: its place there */
  item?: CardTextItem
}

export interface CardTextItem {
  place: number
  count: number
  /** what Enter does: one more behind it; null where the list is full */
  add: ((newId: () => string) => { key: string; patch: Readonly<Record<string, Json>> }) | null
  /** what Backspace does where the text is empty; null where as many are needed */
  remove: (() => { patch: Readonly<Record<string, Json>> }) | null
}

export interface FaceProps<Data = Record<string, Json>> {
  data: Data
  names: FaceNames
}

/**
 * What faces show instead of ids, null for what is gone, and in which words. Its identity changes only when one of
 * these does.
 */
export interface FaceNames {
  variable: (variableId: string) => string | null
  group: (groupId: string) => string | null
  /**
   * a text of the interface, for heights: `set-variable.face.append`, or `text:operators.equals`; as `t` of the
   * namespace `blocks`
   */
  text: (key: string, values?: Readonly<Record<string, string | number>>) => string
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
