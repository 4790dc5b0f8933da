import { getViewportForBounds, type ReactFlowInstance, useReactFlow, useStore, useStoreApi } from '@xyflow/react'
import { useMemo, useState } from 'react'
import { useEditor } from './context'
import type { FlowEdge, GroupNode } from './elements'
import { type Box, metrics, type Point } from './geometry'
import type { Scene } from './placed'
import { around, sceneOf } from './scene'
import type { Seen } from './windowing'

/** The only file that knows React Flow's store and its changes: both are announced to change in its next version. */

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

/** What of the flow is on the screen, and every change of that. */
export interface Viewport {
  /** null before the canvas has a size */
  seen: () => Seen | null
  /** calls back at once on each change; gives what stops that */
  subscribe: (listener: () => void) => () => void
}

export function useViewport(): Viewport {
  const store = useStoreApi()
  return useMemo(
    () => ({
      seen() {
        const { width, height, transform } = store.getState()
        const [x, y, zoom] = transform
        if (!width || !height) return null
        return { area: { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom }, zoom }
      },
      subscribe: (listener) =>
        store.subscribe((state, before) => {
          if (state.transform !== before.transform || state.width !== before.width || state.height !== before.height)
            listener()
        }),
    }),
    [store],
  )
}

export interface View {
  /** where the canvas's origin is on the screen, and how near it is seen */
  viewport: () => { x: number; y: number; zoom: number }
  toFlow: (screen: Point) => Point
  /** the middle of what one sees, in the flow's coordinates */
  centre: () => Point
  /** the group at a point of the screen, by where groups stand and not by what is drawn: from afar there is no element */
  groupAt: (screen: Point) => string | null
  zoomIn: () => void
  zoomOut: () => void
  zoomTo: (zoom: number) => void
  /** all of the flow */
  fit: () => void
  /** all of these groups, as large as they can be read at once */
  fitGroups: (groupIds: Iterable<string>) => void
  /** brings a group, or a block of it, into the middle without zooming out of it */
  show: (groupId: string, blockId?: string) => void
  panBy: (by: Point) => void
  /** brings a point of the flow into the middle */
  panTo: (point: Point) => void
  /** brings a point of the flow into the middle, so near */
  look: (at: Point & { zoom: number }) => void
  /** pans just so far that the group, or a block of it, is not cut off, e.g. by a panel that has opened */
  reveal: (groupId: string, blockId?: string) => void
  /** pans just so far that all of these groups are seen; where there is no room for all, frames them or leaves the view as it is */
  revealGroups: (groupIds: Iterable<string>, without: 'framed' | 'as it is') => void
}

const smooth = () => ({ duration: window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 180 })

/** Everything is computed here and at once: React Flow's own ways to fit wait for a later frame, and know only what is drawn. */
export function useView(): View {
  const flow = useReactFlow<GroupNode, FlowEdge>()
  const editor = useEditor()
  return useMemo(() => {
    const frame = (box: Box | null, zoom: number, options?: { duration?: number }) => {
      const canvas = canvasBox()
      if (canvas && box) void flow.setViewport(framing(box, canvas, zoom), options)
    }
    const canvasMiddle = () => {
      const box = canvasBox()
      return box ? { x: box.left + box.width / 2, y: box.top + box.height / 2 } : { x: 0, y: 0 }
    }
    const hasRoomFor = (box: Box) => {
      const canvas = canvasBox()
      const zoom = flow.getZoom()
      return (
        canvas !== undefined &&
        box.width * zoom <= canvas.width - 2 * MARGIN &&
        box.height * zoom <= canvas.height - covered(canvas.height) - 2 * MARGIN
      )
    }
    const panInto = (box: Box) => {
      const canvas = canvasBox()
      if (!canvas) return
      const viewport = flow.getViewport()
      const left = viewport.x + box.x * viewport.zoom
      const top = viewport.y + box.y * viewport.zoom
      const by = {
        x: inward(left, left + box.width * viewport.zoom, 0, canvas.width),
        y: inward(top, top + box.height * viewport.zoom, 0, canvas.height - covered(canvas.height)),
      }
      if (by.x || by.y) void flow.setViewport({ ...viewport, x: viewport.x + by.x, y: viewport.y + by.y }, smooth())
    }
    const toFlow = (screen: Point) => flow.screenToFlowPosition(screen, { snapToGrid: false })
    return {
      toFlow,
      centre: () => toFlow(canvasMiddle()),
      groupAt: (screen) => sceneOf(editor).groupAt(toFlow(screen)),
      zoomIn: () => void flow.zoomIn(smooth()),
      zoomOut: () => void flow.zoomOut(smooth()),
      zoomTo: (zoom) => void flow.zoomTo(zoom, smooth()),
      fit: () => frame(sceneOf(editor).bounds(), 1, smooth()),
      fitGroups: (groupIds) => {
        const { groups } = sceneOf(editor)
        frame(around([...groupIds].flatMap((id) => groups.get(id)?.box ?? [])), 1.25, smooth())
      },
      show: (groupId, blockId) => {
        const box = boxOf(sceneOf(editor), groupId, blockId)
        if (!box) return
        const zoom = Math.max(flow.getZoom(), READABLE)
        const height = canvasBox()?.height ?? 0
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
      viewport: () => flow.getViewport(),
      panTo: ({ x, y }) => {
        const canvas = canvasBox()
        const { zoom } = flow.getViewport()
        if (canvas) void flow.setViewport({ x: canvas.width / 2 - x * zoom, y: canvas.height / 2 - y * zoom, zoom })
      },
      look: ({ x, y, zoom }) => {
        const canvas = canvasBox()
        if (canvas) void flow.setViewport({ x: canvas.width / 2 - x * zoom, y: canvas.height / 2 - y * zoom, zoom })
      },
      reveal: (groupId, blockId) => {
        const box = boxOf(sceneOf(editor), groupId, blockId)
        if (box) panInto(box)
      },
      revealGroups: (groupIds, without) => {
        const { groups } = sceneOf(editor)
        const box = around([...groupIds].flatMap((id) => groups.get(id)?.box ?? []))
        if (!box) return
        if (hasRoomFor(box)) panInto(box)
        else if (without === 'framed') frame(box, flow.getZoom(), smooth())
      },
    }
  }, [flow, editor])
}

const canvasBox = () => document.querySelector('.react-flow')?.getBoundingClientRect()

/** The viewport that shows a box as a whole, no larger than `most`. */
const framing = (box: Box, canvas: DOMRect, most: number) =>
  getViewportForBounds(box, canvas.width, canvas.height, SMALLEST_ZOOM, most, CLEAR)

/** How far out one may zoom: as far as the whole flow needs, and at least as far as that. */
export const minZoom = (bounds: Box | null): number =>
  bounds ? Math.max(SMALLEST_ZOOM, Math.min(MIN_ZOOM, 900 / bounds.width, 500 / bounds.height)) : MIN_ZOOM

const MIN_ZOOM = 0.05
const SMALLEST_ZOOM = 0.004
const MARGIN = 28
/** what the tools at the canvas's lower edge take */
const TOOLS = 52
/** how much of the canvas's lower end is hidden: by its tools, or on a small screen by the sheet of a panel, or the keyboard */
function covered(height: number): number {
  if (!isSmall()) return TOOLS
  if (document.querySelector('[data-card-editor]')) return KEYBOARD * height
  return document.querySelector('[data-sheet]') ? SHEET * height : TOOLS
}
export const isSmall = (): boolean => window.matchMedia('(max-width: 760px)').matches
/** the share of the height that a phone's own keyboard may take */
const KEYBOARD = 0.55
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
export function frameOpening(
  flow: ReactFlowInstance<GroupNode, FlowEdge>,
  scene: Scene,
  start: string | undefined,
): void {
  const canvas = canvasBox()
  const all = scene.bounds()
  if (!canvas || !all) return
  const zoom = Math.min((canvas.width - 104) / all.width, (canvas.height - 152) / all.height)
  if (zoom >= READABLE) return void flow.setViewport(framing(all, canvas, 1))
  const first = scene.groups.get(start ?? '') ?? scene.groups.get(scene.order().ids[0] ?? '')
  const { x, y } = first?.box ?? all
  const near = 0.85
  void flow.setViewport({ x: 56 - x * near, y: canvas.height * 0.28 - y * near, zoom: near })
}

/** Where a group, or a block of it, stands on the canvas. */
export function boxOf(scene: Scene, groupId: string, blockId?: string): Box | null {
  const placed = scene.groups.get(groupId)
  if (!placed) return null
  const { layout, box } = placed
  const place = layout.blocks.find(({ block }) => block.id === blockId) ?? { top: 0, height: layout.height }
  return { x: box.x, y: box.y + place.top, width: metrics.width, height: place.height }
}

/** How far to shift a span so that it lies between two edges; its start wins when it is too long. */
export function inward(start: number, end: number, from: number, to: number): number {
  if (start < from + MARGIN) return from + MARGIN - start
  return end > to - MARGIN ? Math.max(to - MARGIN - end, from + MARGIN - start) : 0
}
