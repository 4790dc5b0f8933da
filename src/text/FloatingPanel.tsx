import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import styles from './text.module.css'

/** Marks what belongs to a text field though it hangs elsewhere in the page: focus in it does not close the field. */
export const FLOATING = 'data-text-floating'

const MARGIN = 8
const OFFSET = 4

/** A panel under a place on the screen (above it where there is no room). Calls `onLeave` at a press outside. */
export function FloatingPanel({ at, onLeave, children }: { at: DOMRect; onLeave: () => void; children: ReactNode }) {
  const panel = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState({ left: at.left, top: at.bottom + OFFSET })

  useLayoutEffect(() => {
    const element = panel.current
    if (!element) return
    const settle = () => {
      const { width, height } = element.getBoundingClientRect()
      const below = at.bottom + OFFSET
      const above = at.top - OFFSET - height
      const left = Math.max(MARGIN, Math.min(at.left, window.innerWidth - width - MARGIN))
      setPlace({ left, top: below + height + MARGIN <= window.innerHeight || above < MARGIN ? below : above })
    }
    settle()
    const observer = new ResizeObserver(settle)
    observer.observe(element)
    return () => observer.disconnect()
  }, [at])

  const leave = useRef(onLeave)
  leave.current = onLeave
  useEffect(() => {
    const press = (event: PointerEvent) => {
      if (event.target instanceof Node && !panel.current?.contains(event.target)) leave.current()
    }
    document.addEventListener('pointerdown', press, true)
    return () => document.removeEventListener('pointerdown', press, true)
  }, [])

  return createPortal(
    <div ref={panel} className={styles.floating} style={place} {...{ [FLOATING]: '' }}>
      {children}
    </div>,
    document.body,
  )
}
