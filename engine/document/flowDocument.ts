import type * as Y from 'yjs'
import type { Flow } from '../flow/schema'
import type { FlowCommands, Projection } from './commands'
import type { UndoHistory, UndoStep } from './history'
import type { FlowUndo } from './undo'

export interface FlowDocument {
  readonly doc: Y.Doc
  readonly commands: FlowCommands
  readonly undo: FlowUndo<UndoStep>
  /** the steps that `undo` and `redo` revert and repeat, with names */
  history(): UndoHistory
  /** the `localOrigin` for slate-yjs: typing under it is undone by `undo` too, in steps of half a second */
  readonly typingOrigin: object
  projection(): Projection
  /** called once per transaction that changed the projection; returns unsubscribe */
  subscribe(listener: (projection: Projection) => void): () => void
  /** the text type of a rich text field, for slate-yjs; null if the block or field does not exist */
  text(blockId: string, field: string): Y.XmlText | null
  /** the whole flow as plain JSON in a stable order: the same document gives the same bytes */
  toFlow(): Flow
  destroy(): void
}
