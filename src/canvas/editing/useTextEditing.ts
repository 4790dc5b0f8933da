import { type RefObject, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { isSmall, useView, useViewport } from '../adapter'
import type { CanvasState } from '../canvasStore'
import { useEditor } from '../context'
import type { Point } from '../geometry'
import { settingsField } from '../keyboard/regions'
import { focusWhenThere } from '../keyboard/stopElements'
import { hasOwnKeys, isTyping } from '../keyboard/targets'
import { swallowClick } from '../pointerDrag'
import { sceneOf } from '../scene'
import { FAR } from '../windowing'
import { cardTextsOf, editOnCard, endEditing, LEGIBLE, openBlock } from './openBlock'

/**
 * Opens requested blocks (`openBlock`), buffers text typed before the field is ready, keeps a growing text visible, and
 * ends with what is edited.
 */
export function useTextEditing(root: RefObject<HTMLElement | null>): void {
  const editor = useEditor()
  const view = useView()
  const viewport = useViewport()
  const { t } = useTranslation('builder')
  useEffect(() => {
    const { store, document: flow } = editor
    let stopWaiting = () => {}
    if (editor.readOnly) endEditing(store, flow.projection(), false)

    const openSettings = () => {
      stopWaiting()
      store.setState({ awaitingField: true })
      stopWaiting = focusWhenThere(
        () => settingsField(t('panel.label')),
        undefined,
        () => store.setState({ awaitingField: false }),
      )
    }
    const open = ({ blockId, at, key }: NonNullable<CanvasState['opening']>) => {
      const block = flow.projection().blocks.get(blockId)
      if (!block || editor.readOnly) return
      const texts = cardTextsOf(block)
      const wanted = key ?? (at && textAt(root.current, blockId, at))
      const text = texts.find((one) => one.key === wanted) ?? texts[0]
      if (text && (viewport.seen()?.zoom ?? 0) >= LEGIBLE) return editOnCard(store, block, text, at)
      store.setState({ awaitingField: true, focused: { groupId: block.groupId, blockId } })
      openSettings()
    }
    /** keys pressed before the field is ready belong to it, not to the canvas */
    const onKey = (event: KeyboardEvent) => {
      const { editing, awaitingField, typedAhead } = store.getState()
      const { activeElement } = document
      if ((!editing && !awaitingField) || isTyping(activeElement) || hasOwnKeys(activeElement)) return
      if (event.ctrlKey || event.metaKey || event.altKey || event.key === 'Shift') return
      event.preventDefault()
      event.stopPropagation()
      if (event.key === 'Escape' && awaitingField) {
        stopWaiting()
        store.setState(({ focused }) => ({ focused: focused && { ...focused } }))
      } else if (event.key === 'Escape') endEditing(store, flow.projection(), true)
      else if (!editing) return
      else if (event.key === 'Backspace') store.setState({ typedAhead: typedAhead.slice(0, -1) })
      else if ([...event.key].length === 1) store.setState({ typedAhead: typedAhead + event.key })
    }
    let press: { blockId: string; key: string | undefined; time: number; x: number; y: number } | null = null
    /** the first press of a double click opens the settings, which may move or cover the card */
    const onPress = (event: PointerEvent) => {
      const { target, timeStamp: time, clientX: x, clientY: y } = event
      const card = target instanceof Element && target.closest<HTMLElement>('[data-block-id][tabindex]')
      const blockId = (card && root.current?.contains(card) && card.dataset.blockId) || undefined
      const before = press
      press = null
      if (store.getState().awaitingField) stopWaiting()
      // move the keyboard focus to the canvas, wherever it was
      const { activeElement } = document
      const isInside = target instanceof Node && root.current?.contains(target)
      if (isInside && activeElement instanceof HTMLElement && !root.current?.contains(activeElement))
        activeElement.blur()
      if (event.button !== 0 || event.pointerType !== 'mouse' || editor.readOnly) return
      const isSecond = before && time - before.time < DOUBLE && Math.hypot(x - before.x, y - before.y) < TREMOR
      if (isSecond && blockId !== before.blockId) {
        event.preventDefault()
        event.stopPropagation()
        swallowClick('pointerup')
        openBlock(store, before.blockId, undefined, before.key)
      } else if (blockId !== undefined && !isSecond)
        press = { blockId, key: textAt(root.current, blockId, { x, y }), time, x, y }
    }
    /** tools, sheets and the keyboard must not cover it */
    const revealEdited = (blockId: string) => {
      const groupId = flow.projection().blocks.get(blockId)?.groupId
      if (groupId) requestAnimationFrame(() => view.reveal(groupId, blockId))
    }
    let height = 0
    const stops = [
      store.subscribe(({ opening, editing, awaitingField, selection }, before) => {
        if (editing !== before.editing) height = 0
        if (editing && editing.blockId !== before.editing?.blockId && isSmall()) revealEdited(editing.blockId)
        // another selection cancels the request
        if (awaitingField && selection !== before.selection) stopWaiting()
        if (!opening || opening === before.opening) return
        store.setState({ opening: null })
        open(opening)
      }),
      flow.subscribe((projection) => {
        const { editing } = store.getState()
        if (!editing) return
        const block = projection.blocks.get(editing.blockId)
        if (!block || !cardTextsOf(block).some(({ key }) => key === editing.key))
          return endEditing(store, projection, true)
        const place = sceneOf(editor)
          .groups.get(block.groupId)
          ?.layout.blocks.find((one) => one.block.id === block.id)
        if (place && place.height !== height && height > 0) view.reveal(block.groupId, block.id)
        height = place?.height ?? 0
      }),
      viewport.subscribe(() => {
        // zoomed out this far, the card is not rendered
        if (store.getState().editing && (viewport.seen()?.zoom ?? 1) < FAR) endEditing(store, flow.projection(), true)
      }),
    ]
    window.addEventListener('keydown', onKey, true)
    window.addEventListener('pointerdown', onPress, true)
    return () => {
      stopWaiting()
      for (const stop of stops) stop()
      window.removeEventListener('keydown', onKey, true)
      window.removeEventListener('pointerdown', onPress, true)
    }
  }, [editor, view, viewport, root, t])
}

/** maximal time in ms and distance in px of a double click */
const DOUBLE = 400
const TREMOR = 5

/** The key of the card's text at a screen position. */
function textAt(root: HTMLElement | null, blockId: string, { x, y }: Point): string | undefined {
  const spots = root?.querySelectorAll<HTMLElement>(`[data-block-id="${CSS.escape(blockId)}"] [data-text]`) ?? []
  return [...spots].find((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    return x >= left && x <= right && y >= top && y <= bottom
  })?.dataset.text
}
