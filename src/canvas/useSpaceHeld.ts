import { useEffect } from 'react'
import type { CanvasStore } from './canvasStore'

/**
 * While the space bar is held, a press pans the canvas. Space keeps its meaning in text fields, and on elements focused
 * by keyboard.
 */
export function useSpaceHeld(store: CanvasStore): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.code !== 'Space' || (event.type === 'keydown' && hasUseOfSpace(event.target))) return
      if (event.type === 'keyup' && !store.getState().panning) return
      // otherwise it scrolls, or presses the focused button
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

const hasUseOfSpace = (target: EventTarget | null): boolean => {
  if (!(target instanceof HTMLElement) || target === document.body) return false
  if (target.isContentEditable || target.matches('input, textarea, select')) return true
  if (target.closest('[role="dialog"], [role="menu"], [role="listbox"]')) return true
  // a button elsewhere keeps the focus after its menu has closed: if the pointer is over the canvas, the canvas is
  // meant
  const elsewhere = !target.closest('.react-flow') && document.querySelector('.react-flow:hover') !== null
  return !elsewhere && target.matches(':focus-visible')
}
