import type { Block, EdgeTarget, Flow } from '../flow/schema'
import type { Json } from '../values/json'
import type { RichText } from '../values/richText'

/**
 * What an editor can do to a flow. Each call is one transaction with the editor's own origin, so that undo knows whose it was.
 * Calls that name something which is gone do nothing. (Contract: engine/document/createDocument.ts implements it.)
 */
export interface FlowCommands {
  /** adds a group with its first blocks; `blocks` are whole (id, kind, version, data) */
  addGroup(group: { id: string; title: string; position: { x: number; y: number }; blocks: Block[] }): void
  setGroupTitle(groupId: string, title: string): void
  /** moves many at once: one step of undo */
  moveGroups(positions: { groupId: string; position: { x: number; y: number } }[]): void
  /** deletes groups with their blocks, texts, and the edges from and to them */
  deleteGroups(groupIds: string[]): void
  /** `index` counts in the group's present order; past the end is the end */
  addBlock(groupId: string, index: number, block: Block): void
  moveBlock(blockId: string, to: { groupId: string; index: number }): void
  deleteBlocks(blockIds: string[]): void
  /** writes only the leaves that differ; fields that are rich text are left alone (they are edited through their text type) */
  setBlockData(blockId: string, data: Record<string, Json>): void
  /** replaces a whole rich text (imports, find and replace, tests); typing goes through slate-yjs instead */
  setRichText(blockId: string, field: string, value: RichText): void
  connect(from: { blockId: string; portId: string }, to: EdgeTarget): void
  disconnect(ports: { blockId: string; portId: string }[]): void
  addVariable(variable: { id: string; name: string; value: Json }): void
  updateVariable(variableId: string, change: { name?: string; value?: Json }): void
  deleteVariable(variableId: string): void
  /** several commands as one transaction and one step of undo */
  batch(run: () => void): void
  /** commands that a person's typing makes, letter by letter: those in quick succession are one step of undo */
  typing(run: () => void): void
  /** adds everything of a flow beside what is there */
  insertFlow(flow: Flow): void
  /** makes the document equal to the flow (import, restore) */
  replaceFlow(flow: Flow): void
}

/** What React sees: frozen, with structural sharing; what did not change keeps its identity. */
export interface Projection {
  groups: ReadonlyMap<string, GroupView>
  blocks: ReadonlyMap<string, BlockView>
  /** by `<block id>/<port id>` */
  edges: ReadonlyMap<string, EdgeView>
  variables: readonly { readonly id: string; readonly name: string; readonly value: Json }[]
}
export interface GroupView {
  readonly id: string
  readonly title: string
  readonly position: { readonly x: number; readonly y: number }
  /** in order; a change inside one block leaves this and the other blocks alone */
  readonly blockIds: readonly string[]
}
export interface BlockView {
  readonly id: string
  readonly groupId: string
  readonly kind: string
  readonly version: number
  /** rich text fields included, as RichText JSON */
  readonly data: Readonly<Record<string, Json>>
}
export interface EdgeView {
  readonly id: string
  readonly from: { readonly blockId: string; readonly portId: string }
  readonly to: EdgeTarget
}
