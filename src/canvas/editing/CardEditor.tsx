import { type CSSProperties, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { BlockView } from '../../../engine/document/commands'
import type { Json } from '../../../engine/values/json'
import { lazyPart } from '../../api/lazyPart'
import type { CardField } from '../../text/cardField'
import type { CardText } from '../../ui/blockFace'
import { useZoom } from '../adapter'
import type { CardEditing } from '../canvasStore'
import { type Editor, useEditor, useKindTexts } from '../context'
import type { Walk } from '../keyboard/order'
import { useWalk } from '../keyboard/useFocus'
import styles from './CardEditor.module.css'
import { cardTextsOf, editOnCard, endEditing, nextText } from './openBlock'

const CardTextEditor = lazyPart(async () => ({ default: (await import('../../text/CardTextEditor')).CardTextEditor }))

/** Preloads the text editor for the first double click. */
export const preloadCardEditor = CardTextEditor.preload

interface CardEditorProps {
  block: BlockView
  text: CardText
  editing: CardEditing
}

/** The editor of one text of a card, over the face's text. */
export function CardEditor({ block, text, editing }: CardEditorProps) {
  const editor = useEditor()
  const { document, store } = editor
  const kinds = useKindTexts()
  const walk = useWalk()
  const zoom = useZoom()
  const box = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<CSSProperties | null>(null)
  const { id, data } = block
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the face shows follows from the data
  useLayoutEffect(() => setPlace(placeOf(box.current, text)), [data, text.key])
  const card = useMemo(
    (): CardField => ({
      at: editing.at,
      all: editing.all,
      typed: () => {
        const { typedAhead } = store.getState()
        if (typedAhead) store.setState({ typedAhead: '' })
        return typedAhead
      },
      onKey: (event, isEmpty) => {
        const { key, shiftKey } = event
        if (event.ctrlKey || event.metaKey || event.altKey) return false
        if (key === 'Escape') endEditing(store, document.projection(), true)
        else if (key === 'Tab') goOn(editor, walk(), editing, shiftKey ? -1 : 1)
        else if (key === 'Enter' && !text.rich) isEmpty || addItem(editor, editing)
        else return key === 'Backspace' && isEmpty && removeItem(editor, editing)
        return true
      },
      onLeave: () => {
        if (store.getState().editing === editing) endEditing(store, document.projection(), false)
      },
    }),
    [editor, document, store, walk, editing, text.rich],
  )
  return (
    <div
      ref={box}
      className={`${styles.editor} nodrag nopan nowheel`}
      data-card-editor
      data-field={`${id}/${text.path}`}
      style={{ ...place, '--unzoom': 1 / zoom } as CSSProperties}
    >
      {place && (
        <CardTextEditor
          key={text.key}
          block={block}
          text={text}
          title={kinds.title(block.kind)}
          document={document}
          setData={(patch) => setData(editor, id, patch as Record<string, Json>)}
          card={card}
        />
      )}
    </div>
  )
}

/** Presses in the editor don't count as presses on the card. */
export const isInEditor = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('[data-card-editor]') !== null

/** How far a multi-line editor extends beyond the text: padding and border. */
const OUT = { x: 6, y: 4 }
/** The editor's minimal width within the card: a short or missing name is narrower. */
const NARROWEST = 140

/** The text's box in the face, in card pixels; above the card if the face does not show it. */
function placeOf(box: HTMLElement | null, { key, rich }: CardText): CSSProperties | null {
  const block = box?.closest<HTMLElement>('[data-block-id]')
  if (!block) return null
  const spot = block.querySelector<HTMLElement>(`[data-text="${CSS.escape(key)}"]`)
  const around = block.getBoundingClientRect()
  const zoom = around.width / block.offsetWidth || 1
  if (!spot) return { left: 0, right: 0, bottom: 'calc(100% + 6px)' }
  const { left, top, width, height } = spot.getBoundingClientRect()
  const out = rich ? OUT : { x: 0, y: 0 }
  const from = (left - around.left) / zoom - out.x
  const covered = width / zoom + 2 * out.x
  return {
    left: from,
    top: (top - around.top) / zoom - out.y,
    width: rich ? covered : Math.max(covered, Math.min(NARROWEST, block.offsetWidth - from)),
    ...({ '--text-lines': `${height / zoom + 2 * out.y}px` } as CSSProperties),
  }
}

function setData({ document }: Editor, blockId: string, patch: Readonly<Record<string, Json>>): void {
  const present = document.projection().blocks.get(blockId)
  if (present) document.commands.setBlockData(blockId, { ...present.data, ...patch })
}

/** Tab: to the next text; after the last one the focus returns to the block. */
function goOn({ document, store }: Editor, walk: Walk, editing: CardEditing, step: 1 | -1): void {
  const next = nextText(walk, editing, step)
  if (next) editOnCard(store, next.block, next.text)
  else endEditing(store, document.projection(), true)
}

function addItem(editor: Editor, { blockId, key }: CardEditing): void {
  const { document, newId } = editor
  const before = document.projection().blocks.get(blockId)
  const added = cardTextsOf(before)
    .find((text) => text.key === key)
    ?.item?.add?.(newId)
  if (!added) return
  setData(editor, blockId, added.patch)
  editText(editor, blockId, (text) => text.key === added.key)
}

/** @returns false if it can't be removed */
function removeItem(editor: Editor, { blockId, key }: CardEditing): boolean {
  const texts = cardTextsOf(editor.document.projection().blocks.get(blockId))
  const at = texts.findIndex((text) => text.key === key)
  const removed = texts[at]?.item?.remove?.()
  if (!removed) return false
  const rest = texts.filter((_, index) => index !== at)
  const next = rest[at - 1]?.hidden ? rest[at] : (rest[at - 1] ?? rest[at])
  if (next) editText(editor, blockId, (text) => text.key === next.key, 'end')
  setData(editor, blockId, removed.patch)
  if (!next) endEditing(editor.store, editor.document.projection(), true)
  return true
}

function editText(
  { document, store }: Editor,
  blockId: string,
  wanted: (text: CardText) => boolean,
  cursor?: 'end',
): void {
  const block = document.projection().blocks.get(blockId)
  const text = cardTextsOf(block).find(wanted)
  if (!block || !text) return
  editOnCard(store, block, text)
  if (cursor) store.setState(({ editing }) => ({ editing: editing && { ...editing, all: false } }))
}
