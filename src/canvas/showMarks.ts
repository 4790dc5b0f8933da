import type { CanvasStore } from './canvasStore'
import type { MarkLayer, MarkSource } from './marks'

/** Puts a source's layer up, or with null takes it down. Give the same maps as long as nothing of them changes. */
export function showMarks(store: CanvasStore, source: MarkSource, layer: MarkLayer | null): void {
  store.setState(({ marks }) => {
    const next = new Map(marks)
    if (layer) next.set(source, layer)
    else next.delete(source)
    return { marks: next }
  })
}
