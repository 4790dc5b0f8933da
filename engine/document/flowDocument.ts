import type * as Y from 'yjs'
import type { Flow } from '../flow/schema'
import type { FlowCommands, Projection } from './commands'
import type { UndoHistory, UndoStep } from './history'
import type { FlowUndo } from './undo'

export interface FlowDocument {
  readonly doc: Y.Doc
  readonly commands: FlowCommands
  readonly undo: FlowUndo<UndoStep>
  /** the steps that `undo` and `redo` take, named */
  history(): UndoHistory
  /** the `localOrigin` for slate-yjs: what is typed under it is undone by `undo` too, in steps of half a second */
  readonly typingOrigin: object
  projection(): Projection
  /** called once a transaction that changed the projection; returns unsubscribe */
  subscribe(listener: (projection: Projection) => void): () => void
  /** the text type behind a rich text field, for slate-yjs; null when the block or field is not there */
  text(blockId: string, field: string): Y.XmlText | null
  /** the whole flow as plain JSON, in a stable order: the same document gives the same bytes */
  toFlow(): Flow
  destroy(): void
}
