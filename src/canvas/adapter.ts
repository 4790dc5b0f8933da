import { type NodeChange, useReactFlow, useStore, useStoreApi } from '@xyflow/react'
import { useCallback, useMemo, useState } from 'react'
import { type CanvasStore, nothingSelected } from './canvasStore'
import type { FlowEdge, GroupNode } from './elements'
import type { Box, Point } from './geometry'

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
  useState(() => store.setState({ updateNodeInternals: () => undefined }))
}

export interface View {
  toFlow: (screen: Point) => Point
  /** the middle of what one sees, in the flow's coordinates */
  centre: () => Point
  zoomIn: () => void
  zoomOut: () => void
  zoomTo: (zoom: number) => void
  fit: () => void
  /** brings a place into the middle without zooming out of it */
  show: (box: Box) => void
  panBy: (by: Point) => void
  /** pans just so far that the group is not cut off, e.g. by a panel that has opened */
  reveal: (groupId: string) => void
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
      fit: () => void flow.fitView({ ...smooth(), padding: 0.15, maxZoom: 1 }),
      show: (box) =>
        void flow.setCenter(box.x + box.width / 2, box.y + Math.min(box.height, 400) / 2, {
          ...smooth(),
          zoom: Math.max(flow.getZoom(), 0.7),
        }),
      panBy: ({ x, y }) => {
        const viewport = flow.getViewport()
        void flow.setViewport({ ...viewport, x: viewport.x + x, y: viewport.y + y })
      },
      reveal: (groupId) => {
        const canvas = document.querySelector('.react-flow')?.getBoundingClientRect()
        const group = document.querySelector(`[data-group-id="${CSS.escape(groupId)}"]`)?.getBoundingClientRect()
        if (!canvas || !group) return
        const by = {
          x: inward(group.left, group.right, canvas.left, canvas.right),
          y: inward(group.top, group.bottom, canvas.top, canvas.bottom),
        }
        const viewport = flow.getViewport()
        if (by.x || by.y) void flow.setViewport({ ...viewport, x: viewport.x + by.x, y: viewport.y + by.y }, smooth())
      },
    }),
    [flow],
  )
}

const MARGIN = 28

/** How far to shift a span so that it lies between two edges; its start wins when it is too long. */
export function inward(start: number, end: number, from: number, to: number): number {
  if (start < from + MARGIN) return from + MARGIN - start
  return end > to - MARGIN ? Math.max(to - MARGIN - end, from + MARGIN - start) : 0
}

/** Puts React Flow's changes where they belong: selection and drag preview to the interface's state, a drop to `onDrop`. */
export function useNodeChanges(store: CanvasStore, onDrop: (moved: { groupId: string; position: Point }[]) => void) {
  return useCallback(
    (changes: NodeChange<GroupNode>[]) => {
      const { moving, dropped, selected } = readChanges(changes, store.getState().moving)
      if (selected.size > 0)
        store.setState(({ selection }) => {
          const groups = new Set(selection.groups)
          for (const [id, on] of selected) on ? groups.add(id) : groups.delete(id)
          const alone = [...selected.values()].includes(true)
            ? selection
            : { ...selection, edges: nothingSelected.edges }
          return { selection: { ...alone, groups } }
        })
      if (dropped.length > 0) onDrop(dropped)
      if (moving) store.setState({ moving })
    },
    [store, onDrop],
  )
}

/** What a batch of changes says; `moving` is null when it says nothing about places. */
export function readChanges(changes: readonly NodeChange<GroupNode>[], before: ReadonlyMap<string, Point>) {
  const selected = new Map<string, boolean>()
  const dropped: { groupId: string; position: Point }[] = []
  let moving: Map<string, Point> | null = null
  for (const change of changes) {
    if (change.type === 'select') selected.set(change.id, change.selected)
    if (change.type !== 'position') continue
    moving ??= new Map(before)
    const position = change.position ?? moving.get(change.id)
    if (change.dragging && position) moving.set(change.id, position)
    else {
      if (position) dropped.push({ groupId: change.id, position })
      moving.delete(change.id)
    }
  }
  return { moving, dropped, selected }
}
