import type { CanvasStore } from '../canvasStore'

/** Says what was done, to those who don't see it. The same again is said again. */
export function announce(store: CanvasStore, text: string): void {
  const same = store.getState().announcement === text
  store.setState({ announcement: same ? `${text}\u00a0` : text })
}
