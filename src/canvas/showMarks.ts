import type { CanvasStore } from './canvasStore'
import type { MarkLayer, MarkSource } from './marks'

/** Sets a source's layer, or removes it with null. Pass the same maps while they are unchanged. */
export function showMarks(store: CanvasStore, source: MarkSource, layer: MarkLayer | null): void {
  store.setState(({ marks }) => {
    const next = new Map(marks)
    if (layer) next.set(source, layer)
    else next.delete(source)
    return { marks: next }
  })
}
