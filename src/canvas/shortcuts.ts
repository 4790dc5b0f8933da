import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { copySelection, deleteSelection, duplicateSelection, paste, selectAll } from './actions'
import { useView } from './adapter'
import { nothingSelected } from './canvasStore'
import { parseClip } from './clip'
import { useEditor } from './context'

/** The builder's keys and the clipboard, wherever the focus is, except where one types. */
export function useShortcuts(): void {
  const editor = useEditor()
  const view = useView()
  const { t } = useTranslation('builder')
  useEffect(() => {
    const { store, readOnly } = editor
    const change = (run: () => void) => () => {
      if (!readOnly) run()
    }
    const newGroup = t('canvas.newGroup')
    const leaveAll = () => store.setState({ selection: nothingSelected, picker: null, menu: null, editingTitle: null })
    const plain: Record<string, () => void> = {
      Delete: change(() => deleteSelection(editor)),
      Backspace: change(() => deleteSelection(editor)),
      Escape: leaveAll,
      F2: change(() => {
        const [groupId] = store.getState().selection.groups
        if (groupId !== undefined) store.setState({ editingTitle: groupId })
      }),
      v: () => store.setState({ tool: 'select' }),
      h: () => store.setState({ tool: 'hand' }),
      '+': view.zoomIn,
      '-': view.zoomOut,
      '!': view.fit,
    }
    const withControl: Record<string, () => void> = {
      z: change(editor.undo),
      y: change(editor.redo),
      Z: change(editor.redo),
      d: change(() => duplicateSelection(editor, newGroup)),
      a: () => selectAll(editor),
      '0': () => view.zoomTo(1),
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTyping(event.target) || isDialogOpen()) return
      const control = event.ctrlKey || event.metaKey
      const key = control && event.shiftKey && event.key.toLowerCase() === 'z' ? 'Z' : event.key
      const action = control ? withControl[key] : event.altKey ? undefined : plain[key]
      if (!action) return
      event.preventDefault()
      action()
    }
    const onCopy = (event: ClipboardEvent) => {
      if (isTyping(event.target) || !getSelection()?.isCollapsed) return
      const clip = copySelection(editor)
      if (!clip) return
      event.preventDefault()
      event.clipboardData?.setData('text/plain', JSON.stringify(clip))
      if (event.type === 'cut' && !readOnly) deleteSelection(editor)
    }
    const onPaste = (event: ClipboardEvent) => {
      if (isTyping(event.target) || readOnly) return
      const clip = parseClip(event.clipboardData?.getData('text/plain') ?? '')
      if (!clip) return
      event.preventDefault()
      paste(editor, clip, newGroup)
    }
    window.addEventListener('keydown', onKey)
    window.addEventListener('copy', onCopy)
    window.addEventListener('cut', onCopy)
    window.addEventListener('paste', onPaste)
    return () => {
      window.removeEventListener('keydown', onKey)
      window.removeEventListener('copy', onCopy)
      window.removeEventListener('cut', onCopy)
      window.removeEventListener('paste', onPaste)
    }
  }, [editor, view, t])
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

/** A dialog has its own keys. */
const isDialogOpen = (): boolean => document.querySelector('[role="dialog"][aria-modal="true"]') !== null
