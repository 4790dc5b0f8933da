import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { isOffered, useReadActions } from './actionRegistry'
import { copySelection, deleteSelection, paste } from './actions'
import { parseClip } from './clip'
import { useEditor } from './context'
import { useProvideCanvasActions } from './keyboard/canvasActions'
import { pressed } from './keyboard/chord'

/** The keys of all actions, and the clipboard, wherever the focus is, except where one types or a dialog is open. */
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
          one.keys?.some((chord) => pressed(chord, event)) &&
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

/** Copy, cut and paste as the browser announces them, by its keys or its menu. */
function useClipboardEvents(): void {
  const editor = useEditor()
  const { t } = useTranslation('builder')
  useEffect(() => {
    const onCopy = (event: ClipboardEvent) => {
      if (isTyping(event.target) || !getSelection()?.isCollapsed) return
      const clip = copySelection(editor)
      if (!clip) return
      event.preventDefault()
      event.clipboardData?.setData('text/plain', JSON.stringify(clip))
      if (event.type === 'cut' && !editor.readOnly) deleteSelection(editor)
    }
    const onPaste = (event: ClipboardEvent) => {
      if (isTyping(event.target) || editor.readOnly) return
      const clip = parseClip(event.clipboardData?.getData('text/plain') ?? '')
      if (!clip) return
      event.preventDefault()
      paste(editor, clip, t('canvas.newGroup'))
    }
    window.addEventListener('copy', onCopy)
    window.addEventListener('cut', onCopy)
    window.addEventListener('paste', onPaste)
    return () => {
      window.removeEventListener('copy', onCopy)
      window.removeEventListener('cut', onCopy)
      window.removeEventListener('paste', onPaste)
    }
  }, [editor, t])
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

/** Also where nothing has the focus, as after a click on the empty canvas. */
const isOnCanvas = (target: EventTarget | null): boolean =>
  target === document.body ||
  (target instanceof Element && target.closest('.react-flow') !== null && target.closest('button, a') === null)

/** A dialog, a menu or a list to choose from has keys of its own. */
const hasOwnKeys = (target: EventTarget | null): boolean =>
  document.querySelector('[role="dialog"][aria-modal="true"]') !== null ||
  (target instanceof HTMLElement && target.closest('[role="dialog"], [role="menu"], [role="listbox"]') !== null)
