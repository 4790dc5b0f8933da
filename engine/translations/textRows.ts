import type { BlockView, Projection } from '../document/commands'
import type { Registry } from '../flow/registry'
import type { Json } from '../values/json'
import { type BlockText, blockTexts } from './blockTexts'
import { lostVariables, type TranslationState, translationState } from './state'
import type { Translation } from './translation'

/** A text of a flow, with the context that a translator needs. */
export interface TextRow extends BlockText {
  /** `<block id>.<place>`: unique in a flow */
  id: string
  block: BlockView
}

const remembered = new WeakMap<BlockView, { registry: Registry; rows: readonly TextRow[] }>()

/** The texts of one block; the same array object as long as the block is the same. */
export function rowsOfBlock(block: BlockView, registry: Registry): readonly TextRow[] {
  const known = remembered.get(block)
  if (known?.registry === registry) return known.rows
  const texts = blockTexts(block.data as Record<string, Json>, registry.find(block.kind)?.visitorTexts ?? [])
  const rows = texts.map((text) => ({ ...text, id: rowId(block.id, text.place), block }))
  remembered.set(block, { registry, rows })
  return rows
}

export const rowId = (blockId: string, place: string): string => `${blockId}.${place}`

/**
 * All texts of a flow in the order of the canvas: groups from left to right, then from top to bottom, then their
 * blocks.
 */
export function textRows({ groups, blocks }: Pick<Projection, 'groups' | 'blocks'>, registry: Registry): TextRow[] {
  return [...groups.values()]
    .sort((a, b) => a.position.x - b.position.x || a.position.y - b.position.y || (a.id < b.id ? -1 : 1))
    .flatMap(({ blockIds }) =>
      blockIds.flatMap((id) => {
        const block = blocks.get(id)
        return block ? rowsOfBlock(block, registry) : []
      }),
    )
}

export const translationOf = ({ block, place }: TextRow, language: string): Translation | undefined =>
  block.translations?.[language]?.[place]

export const stateOfRow = (row: TextRow, language: string): TranslationState =>
  translationState(row.text, translationOf(row, language))

/** Variables of the main text that the translation lacks; none if there is no translation. */
export function lostInRow(row: TextRow, language: string): string[] {
  const translation = translationOf(row, language)
  return translation ? lostVariables(row.text, translation.text) : []
}
