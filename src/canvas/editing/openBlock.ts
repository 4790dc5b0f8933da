import type { BlockView, Projection } from '../../../engine/document/commands'
import type { CardText } from '../../ui/blockFace'
import { type CanvasStore, type CardEditing, select } from '../canvasStore'
import type { Point } from '../geometry'
import { nextBlock, type Walk } from '../keyboard/order'
import { faceOf } from '../kindFaces'

/** From this zoom on texts are edited on the card; below it the settings open instead. */
export const LEGIBLE = 0.6

/** The texts editable on a block's card; none for data that the face can't process. */
export function cardTextsOf(block: BlockView | undefined): readonly CardText[] {
  if (!block) return []
  try {
    return faceOf(block.kind)?.texts?.(block.data) ?? []
  } catch {
    return []
  }
}

/**
 * Selects a block and edits its first field: a text on the card, or the settings if there is none or it is too small to
 * read.
 *
 * @param at screen position of the press: edits the text there
 * @param key edits this text
 */
export function openBlock(store: CanvasStore, blockId: string, at?: Point, key?: string): void {
  select(store, { blocks: [blockId] })
  store.setState({ opening: { blockId, at, key } })
}

/** Edits a text on its card. A line is selected completely, unless it was pressed. */
export function editOnCard(store: CanvasStore, block: BlockView, text: CardText, at?: Point): void {
  const { selection } = store.getState()
  if (selection.blocks.size !== 1 || !selection.blocks.has(block.id)) select(store, { blocks: [block.id] })
  store.setState({
    editing: { blockId: block.id, key: text.key, at, all: !at && !text.rich },
    focused: { groupId: block.groupId, blockId: block.id },
  })
}

/** Ends editing on the card; with `back` the focus returns to the block. */
export function endEditing(store: CanvasStore, { blocks }: Projection, back: boolean): void {
  const { editing } = store.getState()
  if (!editing) return
  const block = blocks.get(editing.blockId)
  store.setState({
    editing: null,
    typedAhead: '',
    ...(back && block && { focused: { groupId: block.groupId, blockId: block.id } }),
  })
}

/** The next or previous text, in this block or the next one with texts; null at the end. */
export function nextText(
  walk: Walk,
  { blockId, key }: CardEditing,
  step: 1 | -1,
): { block: BlockView; text: CardText } | null {
  const { blocks } = walk.projection
  const block = blocks.get(blockId)
  if (!block) return null
  const own = cardTextsOf(block)
  const at = own.findIndex((text) => text.key === key)
  const inside = shown(step === 1 ? own.slice(at + 1) : own.slice(0, Math.max(at, 0)), step)
  if (inside) return { block, text: inside }
  let stop = nextBlock(walk, { groupId: block.groupId, blockId }, step)
  for (; stop; stop = nextBlock(walk, stop, step)) {
    const next = blocks.get(stop.blockId ?? '')
    const found = shown(cardTextsOf(next), step)
    if (next && found) return { block: next, text: found }
  }
  return null
}

const shown = (texts: readonly CardText[], step: 1 | -1): CardText | undefined =>
  step === 1 ? texts.find(({ hidden }) => !hidden) : texts.findLast(({ hidden }) => !hidden)
