import type { View } from './adapter'
import { createEdgePan } from './edgePan'
import type { Point } from './geometry'

const THRESHOLD = 4

/** Where the pointer is on the screen, and what is held down with it. */
export interface Pointer extends Point {
  alt: boolean
  /** Ctrl, or Cmd on a Mac */
  control: boolean
}

export interface PointerDrag {
  /** the pointer has moved far enough to mean it; false leaves it at that */
  begin: (at: Pointer) => boolean
  /** before each frame in which the pointer, a held key or the view has moved */
  move: (at: Pointer) => void
  drop: (at: Pointer) => void
  /** always, at last: after the drop, and when nothing was dropped */
  end: () => void
}

interface Press {
  clientX: number
  clientY: number
  altKey: boolean
  ctrlKey: boolean
  metaKey: boolean
}

let running: (() => void) | null = null

/** Ends the drag that goes on, as Escape does: nothing is dropped. */
export const cancelDrag = (): void => running?.()

/**
 * Follows the pointer from a press to its release, and pans at the canvas's edges. Escape, a window that loses the focus and a button
 * that was let go elsewhere end it without a drop. There is one at a time.
 */
export function followPointer(press: Press, view: View, drag: PointerDrag): void {
  cancelDrag()
  let at = read(press)
  let begun = false
  let changed = false
  let frame = 0
  const pan = createEdgePan(view)
  const end = () => {
    cancelAnimationFrame(frame)
    for (const [type, listener] of listeners) window.removeEventListener(type, listener as EventListener, true)
    document.documentElement.removeAttribute('data-dragging')
    running = null
    if (begun) drag.end()
  }
  const track = () => {
    const panned = pan(at)
    if (panned || changed) {
      changed = false
      drag.move(at)
    }
    // a move may have ended it
    if (running === end) frame = requestAnimationFrame(track)
  }
  const onMove = (event: PointerEvent) => {
    if (event.buttons === 0) return end()
    at = read(event)
    changed = true
    if (begun || Math.hypot(at.x - press.clientX, at.y - press.clientY) < THRESHOLD) return
    if (!drag.begin(at)) return end()
    begun = true
    document.documentElement.setAttribute('data-dragging', '')
    track()
  }
  const onUp = (event: PointerEvent) => {
    if (event.button !== 0) return
    if (begun) {
      swallowClick()
      drag.drop(read(event))
    }
    end()
  }
  const onKey = (event: KeyboardEvent) => {
    if (!begun) return
    if (event.key === 'Escape' && event.type === 'keydown') {
      event.stopPropagation()
      swallowClick('pointerup')
      end()
    } else if (['Alt', 'Control', 'Meta'].includes(event.key)) {
      // Alt alone would open the browser's menu
      event.preventDefault()
      at = { ...at, alt: event.altKey, control: event.ctrlKey || event.metaKey }
      changed = true
    }
  }
  const prevent = (event: Event) => event.preventDefault()
  const listeners = [
    ['pointermove', onMove],
    ['pointerup', onUp],
    ['pointercancel', end],
    ['blur', (event: Event) => event.target === window && end()],
    ['keydown', onKey],
    ['keyup', onKey],
    // a picture under the pointer would start the browser's own drag
    ['dragstart', prevent],
  ] as const
  for (const [type, listener] of listeners) window.addEventListener(type, listener as EventListener, true)
  running = end
}

const read = (event: Press): Pointer => ({
  x: event.clientX,
  y: event.clientY,
  alt: event.altKey,
  control: event.ctrlKey || event.metaKey,
})

/** The click that follows a release belongs to the drag, not to what lies under it. */
export function swallowClick(after?: 'pointerup'): void {
  const swallow = (event: Event) => event.stopPropagation()
  const listen = () => {
    window.addEventListener('click', swallow, { capture: true, once: true })
    requestAnimationFrame(() => window.removeEventListener('click', swallow, true))
  }
  if (after) window.addEventListener(after, listen, { capture: true, once: true })
  else listen()
}
