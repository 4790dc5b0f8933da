import type { CanvasStore } from '../canvasStore'

/** Announces what was done to screen readers; also repeated texts. */
export function announce(store: CanvasStore, text: string): void {
  const same = store.getState().announcement === text
  store.setState({ announcement: same ? `${text}\u00a0` : text })
}
