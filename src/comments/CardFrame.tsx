import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { Anchor } from '../../server/contracts/comments'
import { useViewport } from '../canvas/adapter'
import { useEditor } from '../canvas/context'
import { metrics, type Point } from '../canvas/geometry'
import { sceneOf } from '../canvas/scene'
import { placeOf } from './anchors'
import styles from './ThreadCard.module.css'
import { useComments } from './useComments'

interface CardFrameProps {
  label: string
  anchor: Anchor
  children: ReactNode
  onClose: () => void
}

/**
 * A card beside a pin, always completely inside the canvas; a bottom sheet on a small screen. Escape and pressing the
 * background close it.
 */
export function CardFrame({ label, anchor, children, onClose }: CardFrameProps) {
  const card = useRef<HTMLDivElement>(null)
  usePlaceBeside(card, anchor)
  useFocusIn(card)
  usePressOutside(onClose)
  useEscape(card, onClose)
  return (
    <div ref={card} className={styles.card} role="dialog" aria-label={label} tabIndex={-1} data-sheet>
      {children}
    </div>
  )
}

const GAP = 12
/** a pin's width plus a margin */
const PIN = 56

/** Follows the pin without rendering, during panning, zooming, and drags of its group. */
function usePlaceBeside(card: RefObject<HTMLDivElement | null>, anchor: Anchor): void {
  const editor = useEditor()
  const viewport = useViewport()
  useLayoutEffect(() => {
    const place = () => {
      const element = card.current
      const seen = viewport.seen()
      if (!element || !seen) return
      const { area, zoom } = seen
      const at = placeOf(anchor, sceneOf(editor), editor.document.projection(), editor.store.getState().moving)
      const pin = at && {
        x: (at.x - area.x) * zoom,
        y: (at.y - area.y) * zoom,
        width: at.groupId === null ? 0 : metrics.width * zoom,
      }
      const { x, y } = beside(pin, element, { width: area.width * zoom, height: area.height * zoom })
      element.style.setProperty('--at', `${Math.round(x)}px ${Math.round(y)}px`)
    }
    place()
    const sizes = new ResizeObserver(place)
    if (card.current) sizes.observe(card.current)
    const stops = [
      viewport.subscribe(place),
      editor.document.subscribe(place),
      editor.store.subscribe((state, before) => {
        if (state.moving !== before.moving) place()
      }),
    ]
    return () => {
      sizes.disconnect()
      for (const stop of stops) stop()
    }
  }, [card, anchor, editor, viewport])
}

/**
 * The card's position: right of its anchor, otherwise left of the pin, otherwise over it; in the corner without a pin.
 */
function beside(
  pin: (Point & { width: number }) | null,
  { offsetWidth, offsetHeight }: HTMLElement,
  canvas: { width: number; height: number },
): Point {
  const most = { x: canvas.width - offsetWidth - GAP, y: canvas.height - offsetHeight - GAP }
  const into = ({ x, y }: Point) => ({
    x: Math.max(GAP, Math.min(x, most.x)),
    y: Math.max(GAP, Math.min(y, most.y)),
  })
  if (!pin) return into({ x: most.x, y: GAP })
  const sides = [pin.x + pin.width + (pin.width > 0 ? 2 * GAP : PIN), pin.x - PIN - offsetWidth, pin.x + PIN]
  return into({ x: sides.find((x) => x >= GAP && x <= most.x) ?? most.x, y: pin.y - GAP })
}

/**
 * Moves the focus into the card, and back to the pin when it closes. On touch devices it does not open the keyboard.
 */
function useFocusIn(card: RefObject<HTMLDivElement | null>): void {
  const { store } = useComments()
  useEffect(() => {
    const element = card.current
    const { open } = store.getState()
    if (!element?.contains(document.activeElement)) {
      const field = matchMedia('(pointer: coarse)').matches
        ? null
        : element?.querySelector<HTMLElement>('[data-autofocus]')
      ;(field ?? element)?.focus({ preventScroll: true })
    }
    return () => {
      const left = document.activeElement
      if (left !== document.body && !element?.contains(left)) return
      const pin = typeof open === 'string' ? `[data-pin="${CSS.escape(open)}"]` : null
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return
        ;(pin ? document.querySelector<HTMLElement>(pin) : null)?.focus({ preventScroll: true })
      })
    }
  }, [card, store])
}

/** Escape closes the card, unless an open menu or list handles it first. */
function useEscape(card: RefObject<HTMLDivElement | null>, onClose: () => void): void {
  const latest = useRef(onClose)
  latest.current = onClose
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target } = event
      const within = target instanceof Node && card.current?.contains(target)
      if (event.key !== 'Escape' || event.defaultPrevented || !(within || target === document.body)) return
      event.preventDefault()
      latest.current()
    }
    // on the document: after React's handlers of the card's fields, before the canvas's own keys
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [card])
}

function usePressOutside(onClose: () => void): void {
  const latest = useRef(onClose)
  latest.current = onClose
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      if (event.target instanceof Element && event.target.matches('.react-flow__pane')) latest.current()
    }
    window.addEventListener('click', onClick)
    return () => window.removeEventListener('click', onClick)
  }, [])
}
