import {
  getViewportForBounds,
  type NodeChange,
  type ReactFlowInstance,
  useReactFlow,
  useStore,
  useStoreApi,
} from '@xyflow/react'
import { useCallback, useMemo, useState } from 'react'
import type { FlowDocument, Projection } from '../../engine/document/commands'
import { type CanvasStore, nothingSelected } from './canvasStore'
import type { FlowEdge, GroupNode } from './elements'
import { type Box, metrics, type Point } from './geometry'
import type { GroupDrag } from './groupDrag'

/** The only file that knows React Flow's store and its changes: both are announced to change in its next version. */

/** True while the canvas is zoomed further out than that; renders only when it flips. */
export const useZoomBelow = (zoom: number): boolean => useStore((state) => state.transform[2] < zoom)

export const useZoom = (): number => useStore((state) => state.transform[2])

/**
 * Keeps React Flow from reading sizes and handles off the DOM: it does so for every node that comes into view, whatever the node
 * says itself, and what it reads of a simplified group has no ports. Call before ReactFlow renders.
 */
export function useSizesFromData(): void {
  const store = useStoreApi()
  // a canvas that took another's place finds it done: what listens to the store is being drawn then
  useState(
    () => store.getState().updateNodeInternals === leaveSizes || store.setState({ updateNodeInternals: leaveSizes }),
  )
}
const leaveSizes = () => undefined

export interface View {
  toFlow: (screen: Point) => Point
  /** the middle of what one sees, in the flow's coordinates */
  centre: () => Point
  zoomIn: () => void
  zoomOut: () => void
  zoomTo: (zoom: number) => void
  fit: () => void
  /** brings a block into the middle without zooming out of it */
  show: (groupId: string, blockId: string) => void
  panBy: (by: Point) => void
  /** pans just so far that the group, or a block of it, is not cut off, e.g. by a panel that has opened */
  reveal: (groupId: string, blockId?: string) => void
}

const smooth = () => ({ duration: window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 180 })

export function useView(): View {
  const flow = useReactFlow<GroupNode, FlowEdge>()
  return useMemo(
    () => ({
      toFlow: (screen) => flow.screenToFlowPosition(screen, { snapToGrid: false }),
      centre: () => {
        const box = document.querySelector('.react-flow')?.getBoundingClientRect()
        return flow.screenToFlowPosition(
          box ? { x: box.left + box.width / 2, y: box.top + box.height / 2 } : { x: 0, y: 0 },
        )
      },
      zoomIn: () => void flow.zoomIn(smooth()),
      zoomOut: () => void flow.zoomOut(smooth()),
      zoomTo: (zoom) => void flow.zoomTo(zoom, smooth()),
      fit: () => fit(flow, smooth()),
      show: (groupId, blockId) => {
        const box = boxOf(flow, groupId, blockId)
        if (!box) return
        const zoom = Math.max(flow.getZoom(), READABLE)
        const height = document.querySelector('.react-flow')?.clientHeight ?? 0
        const below = covered(height)
        const seen = Math.max(height - below - 2 * MARGIN, 0) / zoom
        // of one that is too tall the beginning
        const y = box.y + Math.min(box.height, seen) / 2 + below / 2 / zoom
        void flow.setCenter(box.x + box.width / 2, y, { ...smooth(), zoom })
      },
      panBy: ({ x, y }) => {
        const viewport = flow.getViewport()
        void flow.setViewport({ ...viewport, x: viewport.x + x, y: viewport.y + y })
      },
      reveal: (groupId, blockId) => {
        const canvas = document.querySelector('.react-flow')?.getBoundingClientRect()
        const box = boxOf(flow, groupId, blockId)
        if (!canvas || !box) return
        const viewport = flow.getViewport()
        const left = viewport.x + box.x * viewport.zoom
        const top = viewport.y + box.y * viewport.zoom
        const by = {
          x: inward(left, left + box.width * viewport.zoom, 0, canvas.width),
          y: inward(top, top + box.height * viewport.zoom, 0, canvas.height - covered(canvas.height)),
        }
        if (by.x || by.y) void flow.setViewport({ ...viewport, x: viewport.x + by.x, y: viewport.y + by.y }, smooth())
      },
    }),
    [flow],
  )
}

/**
 * Shows the whole flow at once, which React Flow's own `fitView` does at some later frame: on a busy machine after what one did next.
 */
function fit(flow: ReactFlowInstance<GroupNode, FlowEdge>, options: { duration?: number } = {}): void {
  const canvas = document.querySelector('.react-flow')?.getBoundingClientRect()
  const nodes = flow.getNodes()
  if (!canvas || nodes.length === 0) return
  const all = flow.getNodesBounds(nodes)
  void flow.setViewport(getViewportForBounds(all, canvas.width, canvas.height, MIN_ZOOM, 1, CLEAR), options)
}

export const MIN_ZOOM = 0.05
const MARGIN = 28
/** what the tools at the canvas's lower edge take */
const TOOLS = 52
/** how much of the canvas's lower end is hidden: by its tools, or on a small screen by the sheet of a panel */
const covered = (height: number): number =>
  window.matchMedia('(max-width: 760px)').matches && document.querySelector('aside[data-sheet]')
    ? SHEET * height
    : TOOLS
/** the share of the height that a sheet takes at most: SidePanel.module.css */
const SHEET = 0.72
/** around the whole flow: the corner button above, the tools below */
const CLEAR = { top: '64px', right: '48px', bottom: '88px', left: '56px' } as const
/** texts are easy to read from here on */
const READABLE = 0.7

/**
 * What a flow opens with: all of it where that can be read, else its beginning at the left.
 *
 * @param start the group in which it begins
 */
export function frameOpening(flow: ReactFlowInstance<GroupNode, FlowEdge>, start: string | undefined): void {
  const canvas = document.querySelector('.react-flow')?.getBoundingClientRect()
  const nodes = flow.getNodes()
  if (!canvas || nodes.length === 0) return
  const all = flow.getNodesBounds(nodes)
  const zoom = Math.min((canvas.width - 104) / all.width, (canvas.height - 152) / all.height)
  if (zoom >= READABLE) return fit(flow)
  const { position } = nodes.find(({ id }) => id === start) ?? nodes[0] ?? { position: { x: 0, y: 0 } }
  const near = 0.85
  void flow.setViewport({ x: 56 - position.x * near, y: canvas.height * 0.28 - position.y * near, zoom: near })
}

/** Where a group, or a block of it, stands on the canvas. */
function boxOf(flow: ReactFlowInstance<GroupNode, FlowEdge>, groupId: string, blockId?: string): Box | null {
  const node = flow.getNode(groupId)
  if (!node) return null
  const { layout } = node.data
  const place = layout.blocks.find(({ block }) => block.id === blockId) ?? { top: 0, height: layout.height }
  return { x: node.position.x, y: node.position.y + place.top, width: metrics.width, height: place.height }
}

/** How far to shift a span so that it lies between two edges; its start wins when it is too long. */
export function inward(start: number, end: number, from: number, to: number): number {
  if (start < from + MARGIN) return from + MARGIN - start
  return end > to - MARGIN ? Math.max(to - MARGIN - end, from + MARGIN - start) : 0
}

/**
 * Puts React Flow's changes where they belong: selection and drag preview to the interface's state, a drop to `onDrop`. All selected
 * groups move as the one under the pointer does, those too that React Flow has not got.
 */
export function useNodeChanges(
  store: CanvasStore,
  flow: FlowDocument,
  drag: GroupDrag,
  onDrop: (moved: { groupId: string; position: Point }[]) => void,
) {
  const api = useStoreApi()
  return useCallback(
    (changes: NodeChange<GroupNode>[]) => {
      const { at, dragging, ended, selected } = readChanges(changes)
      if (selected.size > 0)
        store.setState(({ selection }) => {
          const on = [...selected].filter(([, is]) => is).map(([id]) => id)
          if (on.length > 0 && !api.getState().multiSelectionActive)
            return { selection: { ...nothingSelected, groups: new Set(on) } }
          const groups = new Set(selection.groups)
          for (const [id, is] of selected) is ? groups.add(id) : groups.delete(id)
          const alone = on.length > 0 ? selection : { ...selection, edges: nothingSelected.edges }
          return { selection: { ...alone, groups } }
        })
      if (!at && !ended) return
      const { groups } = flow.projection()
      const { moving, selection } = store.getState()
      const origin = at && groups.get(at.groupId)?.position
      if (at && origin) {
        const ids = selection.groups.has(at.groupId) ? selection.groups : new Set([at.groupId])
        const by = { x: at.position.x - origin.x, y: at.position.y - origin.y }
        if (dragging) {
          if (moving.size === 0) drag.begin(ids)
          store.setState({ moving: moved(groups, ids, drag.adjust(by)) })
        }
        // without a drag before it, it is a step by the arrow keys
        else if (moving.size === 0 && (by.x || by.y)) onDrop(placesOf(moved(groups, ids, by)))
      }
      if (!ended || moving.size === 0) return
      onDrop(placesOf(moving))
      drag.end()
      store.setState({ moving: new Map() })
    },
    [api, store, flow, drag, onDrop],
  )
}

const placesOf = (moving: ReadonlyMap<string, Point>) =>
  [...moving].map(([groupId, position]) => ({ groupId, position }))

/** Where those groups stand once they have moved by that much. */
export function moved(groups: Projection['groups'], ids: Iterable<string>, by: Point): ReadonlyMap<string, Point> {
  const places = new Map<string, Point>()
  for (const id of ids) {
    const position = groups.get(id)?.position
    if (position) places.set(id, { x: position.x + by.x, y: position.y + by.y })
  }
  return places
}

/** What a batch of changes says: where one of the moved groups is now, whether that is a drag or its end, what was selected and left. */
export function readChanges(changes: readonly NodeChange<GroupNode>[]) {
  const selected = new Map<string, boolean>()
  let at: { groupId: string; position: Point } | null = null
  let dragging = false
  let ended = false
  for (const change of changes) {
    if (change.type === 'select') selected.set(change.id, change.selected)
    if (change.type !== 'position') continue
    if (change.dragging) dragging = true
    else ended = true
    if (change.position) at ??= { groupId: change.id, position: change.position }
  }
  return { at, dragging, ended, selected }
}
