import { useCallback, useState } from 'react'
import type { Selection } from '../../canvas/canvasStore'
import { useCanvasState, useEditor } from '../../canvas/context'

/**
 * Where the settings and another panel do not fit beside each other, one stands in front: the settings as soon as one
 * selects something on the canvas, the test or the panel that was opened or led somewhere last.
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
