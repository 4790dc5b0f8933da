import { createStore, type StoreApi } from 'zustand/vanilla'
import type { PlaygroundDebug } from '../../server/api/playground/contract'
import type { Point } from './geometry'
import type { MarkLayer, MarkSource } from './marks'

/** The interface's own state: nothing in here is part of the flow. The flow itself is read from the document's projection. */
export interface CanvasState {
  selection: Selection
  /** where groups are while they are dragged: the document hears of it once, at the drop */
  moving: ReadonlyMap<string, Point>
  drag: BlockDrag | null
  picker: Picker | null
  menu: { at: Point; flow: Point } | null
  hoveredEdge: string | null
  editingTitle: string | null
  connecting: boolean
  tool: 'select' | 'hand'
  debug: PlaygroundDebug | null
  /** what other parts of the builder draw on it */
  marks: ReadonlyMap<MarkSource, MarkLayer>
}

export interface Selection {
  groups: ReadonlySet<string>
  blocks: ReadonlySet<string>
  edges: ReadonlySet<string>
}

/** Blocks under the pointer: some of the flow's, or a new one from the palette. */
export interface BlockDrag {
  what: { blockIds: readonly string[] } | { kind: string }
  /** where they would go; null over what is not the canvas */
  target: { groupId: string; index: number } | { empty: true } | null
}

/** The palette opened at a place: to make the next block of a port, or a block right there. */
export interface Picker {
  /** on the screen */
  at: Point
  /** where on the canvas the new group goes; null lets it find a place beside the port's block */
  flow: Point | null
  from: { blockId: string; portId: string } | null
}

export const nothingSelected: Selection = { groups: new Set(), blocks: new Set(), edges: new Set() }

export type CanvasStore = StoreApi<CanvasState>

export const createCanvasStore = (): CanvasStore =>
  createStore<CanvasState>(() => ({
    selection: nothingSelected,
    moving: new Map(),
    drag: null,
    picker: null,
    menu: null,
    hoveredEdge: null,
    editingTitle: null,
    connecting: false,
    tool: 'select',
    debug: null,
    marks: new Map(),
  }))

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
