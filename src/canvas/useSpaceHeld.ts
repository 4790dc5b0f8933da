import { useEffect } from 'react'
import type { CanvasStore } from './canvasStore'

/** While the space bar is held a press moves the canvas. It stays the space bar where one types, and on what was reached by keys. */
export function useSpaceHeld(store: CanvasStore): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.code !== 'Space' || (event.type === 'keydown' && hasUseOfSpace(event.target))) return
      if (event.type === 'keyup' && !store.getState().panning) return
      // else it scrolls, or presses the button that was clicked last
      event.preventDefault()
      store.setState({ panning: event.type === 'keydown' })
    }
    const release = () => store.getState().panning && store.setState({ panning: false })
    window.addEventListener('keydown', onKey)
    window.addEventListener('keyup', onKey)
    window.addEventListener('blur', release)
    return () => {
      window.removeEventListener('keydown', onKey)
      window.removeEventListener('keyup', onKey)
      window.removeEventListener('blur', release)
      release()
    }
  }, [store])
}

const hasUseOfSpace = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('input, textarea, select') ||
    target.closest('[role="dialog"], [role="menu"], [role="listbox"]') !== null ||
    (target !== document.body && target.matches(':focus-visible')))
