import type { CanvasStore } from './canvasStore'

const GRACE = 140
let leaving: ReturnType<typeof setTimeout> | undefined

/** Marks the edge under the pointer. It stays marked for a moment, so that its buttons can be reached. */
export function hoverEdge(store: CanvasStore, edgeId: string | null): void {
  clearTimeout(leaving)
  if (edgeId !== null) store.setState({ hoveredEdge: edgeId })
  else leaving = setTimeout(() => store.setState({ hoveredEdge: null }), GRACE)
}
