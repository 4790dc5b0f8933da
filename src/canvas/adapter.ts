import { getViewportForBounds, type ReactFlowInstance, useReactFlow, useStore, useStoreApi } from '@xyflow/react'
import { useMemo, useState } from 'react'
import { useEditor } from './context'
import type { FlowEdge, GroupNode } from './elements'
import { type Box, metrics, type Point } from './geometry'
import type { Scene } from './placed'
import { around, sceneOf } from './scene'
import type { Seen } from './windowing'

/** The only file that accesses React Flow's store and change objects: both will change in its next version. */

export const useZoom = (): number => useStore((state) => state.transform[2])

/**
 * Prevents React Flow from measuring sizes and handles in the DOM: it does so for every node that comes into view, even
 * if the node specifies them, and a simplified group has no ports there. Call before ReactFlow renders.
 */
export function useSizesFromData(): void {
  const store = useStoreApi()
  // a canvas that replaces another one must not do it during render: listeners of the store are rendering
  useState(
    () => store.getState().updateNodeInternals === leaveSizes || store.setState({ updateNodeInternals: leaveSizes }),
  )
}
const leaveSizes = () => undefined

/** The visible part of the flow, with change notifications. */
export interface Viewport {
  /** null until the canvas has a size */
  seen: () => Seen | null
  /** notifies synchronously; returns unsubscribe */
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
  /** the screen position of the canvas's origin, and the zoom */
  viewport: () => { x: number; y: number; zoom: number }
  toFlow: (screen: Point) => Point
  /** the centre of the view, in flow coordinates */
  centre: () => Point
  /** the group at a screen position, by group positions instead of elements: zoomed out there are none */
  groupAt: (screen: Point) => string | null
  zoomIn: () => void
  zoomOut: () => void
  zoomTo: (zoom: number) => void
  /** fits the whole flow */
  fit: () => void
  /** fits these groups at a readable zoom */
  fitGroups: (groupIds: Iterable<string>) => void
  /** centres a group, or one of its blocks, without zooming out */
  show: (groupId: string, blockId?: string) => void
  panBy: (by: Point) => void
  /** centres a point of the flow */
  panTo: (point: Point) => void
  /** centres a point of the flow at a zoom */
  look: (at: Point & { zoom: number }) => void
  /** pans just enough that the group, or one of its blocks, is not covered, for example by an opened panel */
  reveal: (groupId: string, blockId?: string) => void
  /**
   * pans just enough that all of these groups are visible; if there is no room for all, fits them or leaves the view
   */
  revealGroups: (groupIds: Iterable<string>, without: 'framed' | 'as it is') => void
}

const smooth = () => ({ duration: window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 180 })

/**
 * Computed here and synchronously: React Flow's own fit functions wait for a later frame, and only know rendered nodes.
 */
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
        // the top of one that is too tall
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

/** The viewport that shows a whole box, at a zoom of at most `most`. */
const framing = (box: Box, canvas: DOMRect, most: number) =>
  getViewportForBounds(box, canvas.width, canvas.height, SMALLEST_ZOOM, most, CLEAR)

/** The minimal zoom: enough for the whole flow, and at least the usual one. */
export const minZoom = (bounds: Box | null): number =>
  bounds ? Math.max(SMALLEST_ZOOM, Math.min(MIN_ZOOM, 900 / bounds.width, 500 / bounds.height)) : MIN_ZOOM

const MIN_ZOOM = 0.05
const SMALLEST_ZOOM = 0.004
const MARGIN = 28
/** height of the tools at the bottom of the canvas */
const TOOLS = 52
/** the covered part of the canvas's bottom: by its tools, or on a small screen by a panel's sheet or the keyboard */
function covered(height: number): number {
  if (!isSmall()) return TOOLS
  if (document.querySelector('[data-card-editor]')) return KEYBOARD * height
  return document.querySelector('[data-sheet]') ? SHEET * height : TOOLS
}
export const isSmall = (): boolean => window.matchMedia('(max-width: 760px)').matches
/** the share of the height that a phone's keyboard may cover */
const KEYBOARD = 0.55
/** the largest share of the height that a sheet covers: SidePanel.module.css */
const SHEET = 0.72
/** margins around the whole flow: the corner button above, the tools below */
const CLEAR = { top: '64px', right: '48px', bottom: '88px', left: '56px' } as const
/** texts are easy to read from this zoom on */
const READABLE = 0.7

/**
 * The initial view of a flow: all of it if readable, otherwise its start at the left.
 *
 * @param start the group in which it starts
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

/** The box of a group, or of one of its blocks. */
export function boxOf(scene: Scene, groupId: string, blockId?: string): Box | null {
  const placed = scene.groups.get(groupId)
  if (!placed) return null
  const { layout, box } = placed
  const place = layout.blocks.find(({ block }) => block.id === blockId) ?? { top: 0, height: layout.height }
  return { x: box.x, y: box.y + place.top, width: metrics.width, height: place.height }
}

/** How far to shift a span into a range; if it is too long, its start is shown. */
export function inward(start: number, end: number, from: number, to: number): number {
  if (start < from + MARGIN) return from + MARGIN - start
  return end > to - MARGIN ? Math.max(to - MARGIN - end, from + MARGIN - start) : 0
}
