import type { Block, EdgeTarget, Flow } from '../flow/schema'
import type { Languages, Translation, Translations } from '../translations/translation'
import type { Json } from '../values/json'
import type { RichText } from '../values/richText'

/**
 * Commands of an editor on a flow. Each call is one transaction with the editor's own origin, so that undo is per
 * editor. Commands on missing parts do nothing. Implemented by engine/document/createDocument.ts.
 */
export interface FlowCommands {
  /** adds a group with its first blocks; `blocks` are complete (id, kind, version, data) */
  addGroup(group: { id: string; title: string; position: { x: number; y: number }; blocks: Block[] }): void
  setGroupTitle(groupId: string, title: string): void
  /** moves many groups in one undo step */
  moveGroups(positions: { groupId: string; position: { x: number; y: number } }[]): void
  /** deletes groups with their blocks, texts and edges */
  deleteGroups(groupIds: string[]): void
  /** `index` is a position in the group's present order; larger ones mean the end */
  addBlock(groupId: string, index: number, block: Block): void
  moveBlock(blockId: string, to: { groupId: string; index: number }): void
  deleteBlocks(blockIds: string[]): void
  /** writes only the leaves that differ; rich text fields are left alone (they are edited through their text type) */
  setBlockData(blockId: string, data: Record<string, Json>): void
  /** replaces a whole rich text (import, find and replace, tests); typing uses slate-yjs instead */
  setRichText(blockId: string, field: string, value: RichText): void
  /** sets the translation of one of the block's texts; null deletes it */
  setTranslation(blockId: string, language: string, place: string, translation: Translation | null): void
  /**
   * sets the chatbot's languages; in its main flow only. Translations into a removed language stay, and are used again
   * if it is added again
   */
  setLanguages(languages: Languages): void
  connect(from: { blockId: string; portId: string }, to: EdgeTarget): void
  disconnect(ports: { blockId: string; portId: string }[]): void
  addVariable(variable: { id: string; name: string; value: Json }): void
  updateVariable(variableId: string, change: { name?: string; value?: Json }): void
  deleteVariable(variableId: string): void
  /** runs several commands as one transaction and one undo step */
  batch(run: () => void): void
  /** runs commands caused by typing: those in quick succession become one undo step */
  typing(run: () => void): void
  /** adds the content of a flow to the present one */
  insertFlow(flow: Flow): void
  /** makes the document equal to a flow (import, restore) */
  replaceFlow(flow: Flow): void
}

/** What React renders: frozen, with structural sharing. Unchanged parts keep their identity. */
export interface Projection {
  groups: ReadonlyMap<string, GroupView>
  blocks: ReadonlyMap<string, BlockView>
  /** by `<block id>/<port id>` */
  edges: ReadonlyMap<string, EdgeView>
  variables: readonly { readonly id: string; readonly name: string; readonly value: Json }[]
  /** absent if never set, and in flows other than the main one */
  readonly languages?: Languages
}
export interface GroupView {
  readonly id: string
  readonly title: string
  readonly position: { readonly x: number; readonly y: number }
  /** in order; a change inside a block does not replace its group or other blocks */
  readonly blockIds: readonly string[]
}
export interface BlockView {
  readonly id: string
  readonly groupId: string
  readonly kind: string
  readonly version: number
  /** including rich text fields, as RichText JSON */
  readonly data: Readonly<Record<string, Json>>
  readonly translations?: Translations
}
export interface EdgeView {
  readonly id: string
  readonly from: { readonly blockId: string; readonly portId: string }
  readonly to: EdgeTarget
}
