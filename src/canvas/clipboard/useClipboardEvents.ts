import { type RefObject, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { deleteSelection } from '../actions'
import { useView } from '../adapter'
import { useEditor } from '../context'
import type { Point } from '../geometry'
import { announce } from '../keyboard/announce'
import { grasp } from '../keyboard/canvasActions'
import { hasOwnKeys, isTyping } from '../keyboard/targets'
import { CLIP_TYPE, carriedBy } from './carried'
import { copySelection } from './paste'
import { keep } from './systemClipboard'
import { usePasting } from './usePasting'

/** Handles the browser's copy, cut and paste events, which may access the clipboard without permission. */
export function useClipboardEvents(): void {
  const editor = useEditor()
  const view = useView()
  const pasting = usePasting()
  const pointer = usePointer()
  const { t } = useTranslation('builder')
  useEffect(() => {
    const isOthers = (event: ClipboardEvent) =>
      event.defaultPrevented || isTyping(event.target) || hasOwnKeys(event.target)
    const onCopy = (event: ClipboardEvent) => {
      // a text selection is copied by the browser
      if (isOthers(event) || !getSelection()?.isCollapsed) return
      grasp(editor)
      const clip = copySelection(editor)
      if (!clip) return
      const text = JSON.stringify(clip)
      event.preventDefault()
      event.clipboardData?.setData(CLIP_TYPE, text)
      keep(text)
      const cut = event.type === 'cut' && !editor.readOnly && deleteSelection(editor)
      announce(editor.store, t(cut ? 'announce.deleted' : 'announce.copied'))
    }
    const onPaste = (event: ClipboardEvent) => {
      if (isOthers(event) || editor.readOnly || !event.clipboardData) return
      event.preventDefault()
      const at = pointer.current
      const isOver = at && document.elementFromPoint(at.x, at.y)?.closest('.react-flow')
      void pasting.paste(carriedBy(event.clipboardData), isOver ? view.toFlow(at) : null)
    }
    window.addEventListener('copy', onCopy)
    window.addEventListener('cut', onCopy)
    window.addEventListener('paste', onPaste)
    return () => {
      window.removeEventListener('copy', onCopy)
      window.removeEventListener('cut', onCopy)
      window.removeEventListener('paste', onPaste)
    }
  }, [editor, view, pasting, pointer, t])
}

/** The mouse's screen position; null before it has moved. */
function usePointer(): RefObject<Point | null> {
  const at = useRef<Point>(null)
  useEffect(() => {
    const onMove = ({ clientX, clientY, pointerType }: PointerEvent) => {
      if (pointerType === 'mouse') at.current = { x: clientX, y: clientY }
    }
    window.addEventListener('pointermove', onMove, { passive: true })
    return () => window.removeEventListener('pointermove', onMove)
  }, [])
  return at
}
