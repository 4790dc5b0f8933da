import type { View } from './adapter'
import { createEdgePan } from './edgePan'
import type { Point } from './geometry'

const THRESHOLD = 4

/** The pointer's screen position and modifier keys. */
export interface Pointer extends Point {
  alt: boolean
  /** Ctrl, or Cmd on a Mac */
  control: boolean
}

export interface PointerDrag {
  /** the pointer has moved far enough; return false to ignore the gesture */
  begin: (at: Pointer) => boolean
  /** before each frame in which the pointer, a modifier key or the view has changed */
  move: (at: Pointer) => void
  drop: (at: Pointer) => void
  /** always called last, dropped or not */
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

/** Cancels the present drag, like Escape. */
export const cancelDrag = (): void => running?.()

/**
 * Follows the pointer from press to release, and pans at the canvas's edges. Escape, losing the window's focus, and a
 * release outside of it cancel. Only one at a time.
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
    // the callback may have ended it
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
    // an image under the pointer would start the browser's own drag
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

/** The click after a release belongs to the drag, not to the element below. */
export function swallowClick(after?: 'pointerup'): void {
  const swallow = (event: Event) => event.stopPropagation()
  const listen = () => {
    window.addEventListener('click', swallow, { capture: true, once: true })
    requestAnimationFrame(() => window.removeEventListener('click', swallow, true))
  }
  if (after) window.addEventListener(after, listen, { capture: true, once: true })
  else listen()
}
