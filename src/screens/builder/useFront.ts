import { useCallback, useState } from 'react'
import type { Selection } from '../../canvas/canvasStore'
import { useCanvasState, useEditor } from '../../canvas/context'

/**
 * If the settings and another panel do not fit side by side, one is in front: the settings after a selection on the
 * canvas, otherwise the preview or panel that was used last.
 */
export function useFront(settings: boolean, testing: boolean, panel: string | null) {
  const { store } = useEditor()
  const selection = useCanvasState((state) => state.selection)
  const [front, setFront] = useState<{ is: 'test' | 'panel'; selection: Selection } | null>(null)
  return {
    settingsInFront: settings && front?.selection !== selection,
    testInFront: testing && (front?.is !== 'panel' || panel === null),
    bringForward: useCallback(
      (is: 'test' | 'panel') => setFront({ is, selection: store.getState().selection }),
      [store],
    ),
  }
}
