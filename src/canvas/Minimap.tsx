import { Map as MapIcon } from 'lucide-react'
import { type PointerEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProvideActions } from './actionRegistry'
import { useView, useViewport } from './adapter'
import { useEditor, useProjection } from './context'
import type { Point } from './geometry'
import styles from './Minimap.module.css'
import { encloses, fitting, HEIGHT, WIDTH } from './minimapPlace'
import { usePalette } from './palette'
import type { Scene } from './placed'

const STORED = 'parley-minimap'

/** A small map of the whole flow for panning; `m` toggles it. It is transparent while the whole flow is visible. */
export function Minimap({ scene }: { scene: Scene }) {
  const empty = useProjection(({ groups }) => groups.size === 0)
  const [open, setOpen] = useState(wasOpen)
  useProvideActions(
    useMemo(
      () => [
        {
          id: 'minimap',
          section: 'view',
          keys: ['m'],
          icon: MapIcon,
          writes: false,
          run: () =>
            setOpen((before) => {
              localStorage.setItem(STORED, before ? 'closed' : 'open')
              return !before
            }),
        },
      ],
      [],
    ),
  )
  return open && !empty ? <MapOfFlow scene={scene} /> : null
}

const wasOpen = (): boolean => {
  const stored = localStorage.getItem(STORED)
  return stored ? stored === 'open' : !window.matchMedia('(max-width: 760px)').matches
}

function MapOfFlow({ scene }: { scene: Scene }) {
  const { store } = useEditor()
  const { t } = useTranslation('builder')
  // render again with the scene
  useProjection((whole) => whole)
  const view = useView()
  const viewport = useViewport()
  const palette = usePalette()
  const picture = useRef<HTMLCanvasElement>(null)
  const frame = useRef<HTMLSpanElement>(null)
  const place = useRef<{ origin: Point; scale: number }>({ origin: { x: 0, y: 0 }, scale: 1 })
  const redraw = useRef<() => void>(() => undefined)

  useLayoutEffect(() => {
    let due = 0
    const showFrame = () => {
      const area = viewport.seen()?.area
      const element = frame.current
      if (!area || !element) return
      const bounds = scene.bounds()
      element.parentElement?.toggleAttribute('data-idle', bounds !== null && encloses(area, bounds))
      const { origin, scale } = place.current
      const left = Math.max(0, (area.x - origin.x) * scale)
      const top = Math.max(0, (area.y - origin.y) * scale)
      element.style.transform = `translate(${left}px, ${top}px)`
      element.style.width = `${Math.max(6, Math.min(WIDTH, (area.x + area.width - origin.x) * scale) - left)}px`
      element.style.height = `${Math.max(6, Math.min(HEIGHT, (area.y + area.height - origin.y) * scale) - top)}px`
    }
    const draw = () => {
      due = 0
      const context = picture.current?.getContext('2d')
      const bounds = scene.bounds()
      if (!context || !bounds) return
      place.current = fitting(bounds)
      const { origin, scale } = place.current
      const { selection } = store.getState()
      context.setTransform(2 * scale, 0, 0, 2 * scale, -origin.x * 2 * scale, -origin.y * 2 * scale)
      context.clearRect(origin.x, origin.y, WIDTH / scale, HEIGHT / scale)
      const calm = new Path2D()
      const chosen = new Path2D()
      for (const [id, { box }] of scene.groups)
        (selection.groups.has(id) ? chosen : calm).rect(box.x, box.y, Math.max(box.width, 1.5 / scale), box.height)
      context.fillStyle = palette('--p-text-faint')
      context.globalAlpha = 0.55
      context.fill(calm)
      context.globalAlpha = 1
      context.fillStyle = palette('--p-accent')
      context.fill(chosen)
      showFrame()
    }
    const plan = () => {
      due ||= requestAnimationFrame(draw)
    }
    redraw.current = plan
    draw()
    const stops = [
      viewport.subscribe(showFrame),
      store.subscribe((state, before) => {
        if (state.selection.groups !== before.selection.groups) plan()
      }),
    ]
    return () => {
      cancelAnimationFrame(due)
      for (const stop of stops) stop()
    }
  }, [scene, store, viewport, palette])

  // biome-ignore lint/correctness/useExhaustiveDependencies: redrawn only when groups change
  useEffect(() => redraw.current(), [scene.bounds(), scene.order()])

  const panTo = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const { origin, scale } = place.current
    view.panTo({
      x: origin.x + (event.clientX - box.left) / scale,
      y: origin.y + (event.clientY - box.top) / scale,
    })
  }
  return (
    <div
      className={styles.minimap}
      role="img"
      aria-label={t('canvas.minimap')}
      data-minimap
      onPointerDown={(event) => {
        event.stopPropagation()
        event.currentTarget.setPointerCapture(event.pointerId)
        panTo(event)
      }}
      onPointerMove={(event) => event.buttons === 1 && panTo(event)}
    >
      <canvas ref={picture} width={2 * WIDTH} height={2 * HEIGHT} />
      <span ref={frame} className={styles.frame} />
    </div>
  )
}
