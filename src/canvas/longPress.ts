import { swallowClick } from './pointerDrag'

const HOLD = 500
const TREMOR = 10

/** Opens the context menu by a long press, which some touch browsers don't do. */
export function pressLong(press: PointerEvent): void {
  const target = press.target as Element
  const { clientX, clientY } = press
  const stop = () => {
    clearTimeout(waiting)
    for (const [type, listener] of listeners) window.removeEventListener(type, listener as EventListener, true)
  }
  const onMove = (event: PointerEvent) => {
    if (Math.hypot(event.clientX - clientX, event.clientY - clientY) > TREMOR) stop()
  }
  const listeners = [
    ['pointermove', onMove],
    ['pointerup', stop],
    ['pointercancel', stop],
    // a second finger: a pinch
    ['pointerdown', stop],
    // the browser does it
    ['contextmenu', stop],
  ] as const
  const waiting = setTimeout(() => {
    stop()
    swallowClick('pointerup')
    target.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX, clientY }))
  }, HOLD)
  for (const [type, listener] of listeners) window.addEventListener(type, listener as EventListener, true)
}
