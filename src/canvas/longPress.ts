import { swallowClick } from './pointerDrag'

const HOLD = 500
const TREMOR = 10

/** On touch a finger held still asks for the context menu, which not every browser does by itself. */
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
    // a second finger: it is a pinch
    ['pointerdown', stop],
    // the browser asks for it itself
    ['contextmenu', stop],
  ] as const
  const waiting = setTimeout(() => {
    stop()
    swallowClick('pointerup')
    target.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX, clientY }))
  }, HOLD)
  for (const [type, listener] of listeners) window.addEventListener(type, listener as EventListener, true)
}
