import { useEffect, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useViewport } from './adapter'
import { contains } from './boxIndex'
import { draggedNow } from './canvasStore'
import { useEditor } from './context'
import type { Box } from './geometry'
import { marksOfEdge, marksOfGroup } from './markLists'
import styles from './Overview.module.css'
import { drawOverview, type Layer, type OverviewLook } from './overviewDrawing'
import { usePalette } from './palette'
import type { Scene } from './placed'

const haveSameKeys = (a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): boolean =>
  a === b || (a.size === b.size && [...a.keys()].every((key) => b.has(key)))

/** How much more than the view is drawn, as a share of it on each side: panning that far needs no new drawing. */
const MARGIN = 0.25
/** A picture is scaled until it is this much too small or too large. */
const STRETCH = 1.6
const SETTLE = 140

interface OverviewProps {
  scene: Scene
  /** whether it is drawn; costs nothing when hidden */
  shown: boolean
  visited: ReadonlySet<string>
}

/**
 * The flow as one picture below React Flow's elements: for groups that are too far away, or not rendered yet. It is
 * moved and scaled with the view, so panning needs no drawing. It is beside React Flow's viewport, not in it: a browser
 * composites layers within a scaled-down element at full size first, which takes a gigabyte of pixels for a large flow.
 */
export function Overview({ scene, shown, visited }: OverviewProps) {
  const { store, registry } = useEditor()
  const { t } = useTranslation('builder')
  const viewport = useViewport()
  const palette = usePalette()
  const still = useRef<HTMLCanvasElement>(null)
  const lifted = useRef<HTMLCanvasElement>(null)
  const redraw = useRef<() => void>(() => undefined)

  useLayoutEffect(() => {
    if (!shown) return
    let drawn: { area: Box; zoom: number } | null = null
    const placed = new Map<HTMLCanvasElement, { area: Box; scale: number }>()
    let frame = 0
    let settle: ReturnType<typeof setTimeout> | undefined
    const look = (): OverviewLook => {
      const state = store.getState()
      const { selection, debug, hoveredEdge, marks } = state
      return {
        selection,
        moving: draggedNow(state),
        visited,
        active: debug?.active?.groupId,
        hoveredEdge,
        groupMarks: (placed) => marksOfGroup(marks, placed),
        edgeMarks: (id) => marksOfEdge(marks, id),
        categoryOf: (kind) => registry.find(kind)?.category ?? 'other',
      }
    }
    /** moves the pictures to the present view */
    const place = () => {
      const seen = viewport.seen()
      if (!seen) return
      for (const [canvas, { area, scale }] of placed) {
        const left = (area.x - seen.area.x) * seen.zoom
        const top = (area.y - seen.area.y) * seen.zoom
        canvas.style.transform = `translate(${left}px, ${top}px) scale(${seen.zoom / scale})`
      }
    }
    const paint = (canvas: HTMLCanvasElement | null, layer: Layer, area: Box, zoom: number) => {
      const context = canvas?.getContext('2d')
      if (!canvas || !context) return
      const scale = zoom * Math.min(devicePixelRatio, 2)
      const width = Math.ceil(area.width * scale)
      const height = Math.ceil(area.height * scale)
      if (canvas.width !== width) canvas.width = width
      if (canvas.height !== height) canvas.height = height
      context.setTransform(1, 0, 0, 1, 0, 0)
      context.clearRect(0, 0, width, height)
      placed.set(canvas, { area, scale })
      place()
      if (!drawOverview(context, scene, { area, zoom: scale, layer }, look(), palette)) plan(layer === 'still')
    }
    const drawStill = () => {
      const seen = viewport.seen()
      if (!seen) return
      clearTimeout(settle)
      const { area, zoom } = seen
      const wide = {
        x: area.x - area.width * MARGIN,
        y: area.y - area.height * MARGIN,
        width: area.width * (1 + 2 * MARGIN),
        height: area.height * (1 + 2 * MARGIN),
      }
      drawn = { area: wide, zoom }
      paint(still.current, 'still', wide, zoom)
    }
    const drawMoving = () => {
      const seen = viewport.seen()
      const canvas = lifted.current
      if (!seen || !canvas) return
      const moves = draggedNow(store.getState()).size > 0
      canvas.style.display = moves ? '' : 'none'
      if (moves) paint(canvas, 'moving', seen.area, seen.zoom)
    }
    let stale = true
    const run = () => {
      frame = 0
      const all = stale
      stale = false
      if (all) drawStill()
      drawMoving()
    }
    const plan = (all: boolean) => {
      stale ||= all
      frame ||= requestAnimationFrame(run)
    }
    redraw.current = () => plan(true)
    stale = false
    drawStill()
    drawMoving()
    const stops = [
      viewport.subscribe(() => {
        place()
        const seen = viewport.seen()
        if (!seen || !drawn) return
        const { area, zoom } = seen
        const covered =
          contains(drawn.area, area) && contains(drawn.area, { x: area.x + area.width, y: area.y + area.height })
        const ratio = zoom / drawn.zoom
        clearTimeout(settle)
        if (!covered || ratio > STRETCH || ratio < 1 / STRETCH) plan(true)
        else if (ratio !== 1) settle = setTimeout(() => plan(true), SETTLE)
        if (draggedNow(store.getState()).size > 0) plan(false)
      }),
      store.subscribe((state, before) => {
        const lifts = state.moving.size > 0 !== before.moving.size > 0 || !haveSameKeys(state.carried, before.carried)
        if (
          lifts ||
          state.selection !== before.selection ||
          state.marks !== before.marks ||
          state.debug !== before.debug ||
          state.hoveredEdge !== before.hoveredEdge
        )
          plan(true)
        else if (state.moving !== before.moving || state.carried !== before.carried) plan(false)
      }),
    ]
    return () => {
      redraw.current = () => undefined
      cancelAnimationFrame(frame)
      clearTimeout(settle)
      for (const stop of stops) stop()
    }
  }, [shown, scene, store, registry, viewport, palette, visited])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the version is what changes
  useEffect(() => redraw.current(), [scene.version])

  return (
    <div
      className={styles.overview}
      data-overview
      hidden={!shown}
      role="img"
      aria-label={t('canvas.overview', { count: scene.groups.size })}
    >
      <canvas ref={still} className={styles.picture} />
      <canvas ref={lifted} className={styles.picture} />
    </div>
  )
}
