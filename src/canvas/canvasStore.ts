import { createStore, type StoreApi } from 'zustand/vanilla'
import type { PlaygroundDebug } from '../../server/contracts/playground'
import type { Box, Point } from './geometry'
import type { Guide } from './guides'
import type { Stop } from './keyboard/order'
import type { MarkLayer, MarkSource } from './marks'

/** State of the interface only, not of the flow, which is read from the document's projection. */
export interface CanvasState {
  selection: Selection
  /** positions of groups that this user drags: the document changes once, at the drop */
  moving: ReadonlyMap<string, Point>
  /** positions of groups that others are dragging */
  carried: ReadonlyMap<string, Point>
  drag: BlockDrag | null
  /** temporary drawings of a gesture */
  sketch: Sketch | null
  picker: Picker | null
  menu: { at: Point; flow: Point } | null
  hoveredEdge: string | null
  editingTitle: string | null
  /** the text being edited on a card */
  editing: CardEditing | null
  /** a request to edit a block's first field */
  opening: { blockId: string; at: Point | undefined; key: string | undefined } | null
  /** a field of the settings is about to get the focus */
  awaitingField: boolean
  /** text typed before the card's editor was ready */
  typedAhead: string
  connecting: boolean
  tool: 'select' | 'hand'
  /** whether the space bar is held, which works like the hand tool */
  panning: boolean
  /** the effect of the mouse wheel */
  wheel: WheelMode
  /** the keyboard's position; stays rendered when out of view */
  focused: Stop | null
  /** what was just done, for screen readers */
  announcement: string
  /** a message at the edge of the screen */
  notice: Notice | null
  /** whether the deletion of unknown blocks awaits confirmation */
  askDelete: boolean
  /** the number of groups being arranged, and a function that cancels */
  arranging: { groups: number; cancel: () => void } | null
  debug: PlaygroundDebug | null
  /** the view when the canvas was last left */
  leftAt: { x: number; y: number; zoom: number } | null
  /** marks of other parts of the builder */
  marks: ReadonlyMap<MarkSource, MarkLayer>
  /** whether others' pointers are shown */
  othersShown: boolean
  /** the person whose view is followed */
  following: Followed | null
}

/** A tab of somebody. */
export interface Followed {
  clientId: number
  person: { id: string; name: string; color: string }
}

/** A text edited on its card (`BlockFace.texts`). */
export interface CardEditing {
  blockId: string
  key: string
  /** screen position of the press that opened it */
  at: Point | undefined
  /** whether all of it is selected */
  all: boolean
}

export interface Selection {
  groups: ReadonlySet<string>
  blocks: ReadonlySet<string>
  edges: ReadonlySet<string>
}

/** Boxes and lines in flow coordinates. */
export interface Sketch {
  guides?: readonly Guide[]
  /** outlines of copies */
  copies?: readonly Box[]
  marquee?: Box
  /** a group that a drop would create, with its blocks */
  drop?: { box: Box; blocks: readonly Box[] }
}

/** Trackpad: scrolling pans; mouse: the wheel zooms. */
export type WheelMode = 'trackpad' | 'mouse'

/** Blocks being dragged: existing ones, or a new one from the palette. */
export interface BlockDrag {
  what: { blockIds: readonly string[] } | { kind: string }
  /** the drop target; null outside the canvas */
  target: { groupId: string; index: number } | { edgeId: string } | { empty: true } | null
}

/** The open palette: for a port's next block, or for a block at a place. */
export interface Picker {
  /** on the screen */
  at: Point
  /** the new group's position on the canvas; null: beside the port's block */
  flow: Point | null
  from: { blockId: string; portId: string } | null
  /** the edge into which the new block is inserted */
  edge?: string
  /** the group and the index for the new block */
  into?: { groupId: string; index: number }
}

export const nothingSelected: Selection = { groups: new Set(), blocks: new Set(), edges: new Set() }

export type CanvasStore = StoreApi<CanvasState>

export const createCanvasStore = (): CanvasStore =>
  createStore<CanvasState>(() => ({
    selection: nothingSelected,
    moving: new Map(),
    carried: new Map(),
    drag: null,
    sketch: null,
    picker: null,
    menu: null,
    hoveredEdge: null,
    editingTitle: null,
    editing: null,
    opening: null,
    awaitingField: false,
    typedAhead: '',
    connecting: false,
    tool: 'select',
    panning: false,
    wheel: rememberedWheel(),
    focused: null,
    announcement: '',
    notice: null,
    askDelete: false,
    arranging: null,
    debug: null,
    leftAt: null,
    marks: new Map(),
    othersShown: globalThis.localStorage?.getItem(OTHERS_KEY) !== 'hidden',
    following: null,
  }))

const OTHERS_KEY = 'parley-others'

/** Shows or hides others' pointers, also in builders opened later. */
export function showOthers(store: CanvasStore, othersShown: boolean): void {
  store.setState({ othersShown })
  localStorage.setItem(OTHERS_KEY, othersShown ? 'shown' : 'hidden')
}

const WHEEL_KEY = 'parley-wheel'

// undefined outside a browser
const rememberedWheel = (): WheelMode =>
  globalThis.localStorage?.getItem(WHEEL_KEY) === 'mouse' ? 'mouse' : 'trackpad'

/** Sets the effect of the wheel, also in builders opened later. */
export function setWheelMode(store: CanvasStore, wheel: WheelMode): void {
  store.setState({ wheel })
  localStorage.setItem(WHEEL_KEY, wheel)
}

const merged = new WeakMap<CanvasState['carried'], WeakMap<CanvasState['moving'], ReadonlyMap<string, Point>>>()

/** Positions of all dragged groups; one's own drags win. Returns the same map for the same drags. */
export function draggedNow({ moving, carried }: Pick<CanvasState, 'moving' | 'carried'>): ReadonlyMap<string, Point> {
  if (carried.size === 0) return moving
  if (moving.size === 0) return carried
  const known = merged.get(carried) ?? new WeakMap()
  merged.set(carried, known)
  const both = known.get(moving) ?? new Map([...carried, ...moving])
  known.set(moving, both)
  return both
}

/** Whether pressing the main button pans the canvas. */
export const handOn = ({ tool, panning }: Pick<CanvasState, 'tool' | 'panning'>): boolean => tool === 'hand' || panning

/** Selects exactly these; with `add`, toggles them and keeps the rest. */
export function select(
  store: CanvasStore,
  what: Partial<Record<keyof Selection, readonly string[]>>,
  add = false,
): void {
  store.setState(({ selection }) => {
    const next = (key: keyof Selection): ReadonlySet<string> => {
      const ids = what[key] ?? []
      return add ? toggled(selection[key], ids) : new Set(ids)
    }
    return { selection: { groups: next('groups'), blocks: next('blocks'), edges: next('edges') } }
  })
}

function toggled(present: ReadonlySet<string>, ids: readonly string[]): ReadonlySet<string> {
  if (ids.length === 0) return present
  const next = new Set(present)
  for (const id of ids) if (!next.delete(id)) next.add(id)
  return next
}

/** A message about a result: `notices.<key>` of the namespace `builder`. */
export interface Notice {
  tone: 'error' | 'success' | 'neutral'
  key: string
  values: Readonly<Record<string, string | number>>
}
