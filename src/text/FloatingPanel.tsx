import { createContext, type ReactNode, useContext, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import styles from './text.module.css'

/**
 * Marks elements that belong to a text field although they are elsewhere in the page: focus in them does not close the
 * field. The value lists the panels it was opened from, then its own name.
 */
export const FLOATING = 'data-text-floating'

const Chain = createContext('')

const MARGIN = 8
const OFFSET = 4

/**
 * A panel below a screen position (or above it). Calls `onLeave` when the user presses outside of it and of panels
 * opened from it.
 */
export function FloatingPanel({ at, onLeave, children }: { at: DOMRect; onLeave: () => void; children: ReactNode }) {
  const panel = useRef<HTMLDivElement>(null)
  const chain = `${useContext(Chain)}${useId()} `
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
      if (!(event.target instanceof Element)) return
      const pressed = event.target.closest(`[${FLOATING}]`)?.getAttribute(FLOATING)
      if (!pressed?.startsWith(chain)) leave.current()
    }
    document.addEventListener('pointerdown', press, true)
    return () => document.removeEventListener('pointerdown', press, true)
  }, [chain])

  return createPortal(
    <div ref={panel} className={styles.floating} style={place} {...{ [FLOATING]: chain }}>
      <Chain.Provider value={chain}>{children}</Chain.Provider>
    </div>,
    document.body,
  )
}
