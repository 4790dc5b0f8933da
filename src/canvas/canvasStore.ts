import { createStore, type StoreApi } from 'zustand/vanilla'
import type { PlaygroundDebug } from '../../server/contracts/playground'
import type { Box, Point } from './geometry'
import type { Guide } from './guides'
import type { Stop } from './keyboard/order'
import type { MarkLayer, MarkSource } from './marks'

/** The interface's own state: nothing in here is part of the flow. The flow itself is read from the document's projection. */
export interface CanvasState {
  selection: Selection
  /** where groups are while they are dragged: the document hears of it once, at the drop */
  moving: ReadonlyMap<string, Point>
  /** where others hold groups that they drag at this moment */
  carried: ReadonlyMap<string, Point>
  drag: BlockDrag | null
  /** what a gesture draws over the canvas while it lasts */
  sketch: Sketch | null
  picker: Picker | null
  menu: { at: Point; flow: Point } | null
  hoveredEdge: string | null
  editingTitle: string | null
  /** the text that is edited on a card */
  editing: CardEditing | null
  /** a block whose first field is asked for */
  opening: { blockId: string; at: Point | undefined; key: string | undefined } | null
  /** a field of the settings is on its way to the focus */
  awaitingField: boolean
  /** what was typed before the text on the card was ready for it */
  typedAhead: string
  connecting: boolean
  tool: 'select' | 'hand'
  /** the space bar is held: as if one had the hand */
  panning: boolean
  /** what the wheel does */
  wheel: WheelMode
  /** where the keyboard is; stays drawn, also when it is out of sight */
  focused: Stop | null
  /** what was just done, for those who don't see it */
  announcement: string
  /** what is to be said at the edge of the screen */
  notice: Notice | null
  /** blocks of unknown kinds are about to be deleted: is it meant? */
  askDelete: boolean
  /** how many groups are being arranged, and what calls it off */
  arranging: { groups: number; cancel: () => void } | null
  debug: PlaygroundDebug | null
  /** what was in sight when the canvas was last put away */
  leftAt: { x: number; y: number; zoom: number } | null
  /** what other parts of the builder draw on it */
  marks: ReadonlyMap<MarkSource, MarkLayer>
  /** are the pointers of others drawn? */
  othersShown: boolean
  /** whose view one's own follows */
  following: Followed | null
}

/** One tab of somebody. */
export interface Followed {
  clientId: number
  person: { id: string; name: string; color: string }
}

/** A text that is edited on its card (`BlockFace.texts`). */
export interface CardEditing {
  blockId: string
  key: string
  /** where on the screen the press was that opened it */
  at: Point | undefined
  /** all of it is selected */
  all: boolean
}

export interface Selection {
  groups: ReadonlySet<string>
  blocks: ReadonlySet<string>
  edges: ReadonlySet<string>
}

/** Boxes and lines, in the flow's coordinates. */
export interface Sketch {
  guides?: readonly Guide[]
  /** where copies would stand */
  copies?: readonly Box[]
  marquee?: Box
  /** a group that would be made: all of it, and its blocks */
  drop?: { box: Box; blocks: readonly Box[] }
}

/** Two fingers on a trackpad move the canvas; the wheel of a mouse zooms it. */
export type WheelMode = 'trackpad' | 'mouse'

/** Blocks under the pointer: some of the flow's, or a new one from the palette. */
export interface BlockDrag {
  what: { blockIds: readonly string[] } | { kind: string }
  /** where they would go; null over what is not the canvas */
  target: { groupId: string; index: number } | { edgeId: string } | { empty: true } | null
}

/** The palette opened at a place: to make the next block of a port, or a block right there. */
export interface Picker {
  /** on the screen */
  at: Point
  /** where on the canvas the new group goes; null lets it find a place beside the port's block */
  flow: Point | null
  from: { blockId: string; portId: string } | null
  /** the edge that the new block goes between the ends of */
  edge?: string
  /** the group, and the place among its blocks, that the new block goes to */
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

/** Shows the pointers of others or hides them, here and in builders that are opened later. */
export function showOthers(store: CanvasStore, othersShown: boolean): void {
  store.setState({ othersShown })
  localStorage.setItem(OTHERS_KEY, othersShown ? 'shown' : 'hidden')
}

const WHEEL_KEY = 'parley-wheel'

// there is none where no browser is
const rememberedWheel = (): WheelMode =>
  globalThis.localStorage?.getItem(WHEEL_KEY) === 'mouse' ? 'mouse' : 'trackpad'

/** Sets what the wheel does, here and in builders that are opened later. */
export function setWheelMode(store: CanvasStore, wheel: WheelMode): void {
  store.setState({ wheel })
  localStorage.setItem(WHEEL_KEY, wheel)
}

const merged = new WeakMap<CanvasState['carried'], WeakMap<CanvasState['moving'], ReadonlyMap<string, Point>>>()

/** Where groups are drawn that anybody drags: what one drags oneself stands where one's own hand is. The same map for the same drags. */
export function draggedNow({ moving, carried }: Pick<CanvasState, 'moving' | 'carried'>): ReadonlyMap<string, Point> {
  if (carried.size === 0) return moving
  if (moving.size === 0) return carried
  const known = merged.get(carried) ?? new WeakMap()
  merged.set(carried, known)
  const both = known.get(moving) ?? new Map([...carried, ...moving])
  known.set(moving, both)
  return both
}

/** True when a press of the main button moves the canvas, not what is on it. */
export const handOn = ({ tool, panning }: Pick<CanvasState, 'tool' | 'panning'>): boolean => tool === 'hand' || panning

/** Selects these and nothing else; with `add`, toggles them and keeps the rest. */
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

/** A sentence to show to who did something: `notices.<key>` of the namespace `builder`. */
export interface Notice {
  tone: 'error' | 'success' | 'neutral'
  key: string
  values: Readonly<Record<string, string | number>>
}
