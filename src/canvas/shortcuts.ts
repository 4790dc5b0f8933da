import { useEffect } from 'react'
import { isOffered, useReadActions } from './actionRegistry'
import { useClipboardEvents } from './clipboard/useClipboardEvents'
import { useEditor } from './context'
import { useProvideCanvasActions } from './keyboard/canvasActions'
import { isSingleKey, pressed } from './keyboard/chord'
import { hasOwnKeys, isInCanvas, isOnCanvas, isTyping } from './keyboard/targets'

/**
 * Handles the keys of all actions, and clipboard events, except in text fields and open dialogs. Single keys work only
 * on the canvas.
 */
export function useShortcuts(): void {
  const { readOnly } = useEditor()
  const actions = useReadActions()
  useProvideCanvasActions()
  useClipboardEvents()
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || hasOwnKeys(event.target)) return
      const typing = isTyping(event.target)
      const action = actions().find(
        (one) =>
          !one.native &&
          (one.whileTyping || !typing) &&
          (one.on !== 'canvas' || isOnCanvas(event.target)) &&
          one.keys?.some((chord) => pressed(chord, event) && (!isSingleKey(chord) || isInCanvas(event.target))) &&
          isOffered(one, readOnly),
      )
      if (!action) return
      event.preventDefault()
      action.run()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [actions, readOnly])
}
