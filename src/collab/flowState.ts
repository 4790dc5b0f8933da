import type { StoreApi } from 'zustand/vanilla'
import type { FlowDocument } from '../../engine/document/flowDocument'
import type { UndoStep } from '../../engine/document/history'
import type { Offline } from './offline'
import type { Presence } from './presence'

/** `connecting` until the flow is loaded; `offline` keeps edits and merges them later; `refused` is final. */
export type FlowStatus = 'connecting' | 'saved' | 'saving' | 'offline' | 'refused'

/** The connection state of an open flow; only written by openFlow. Its content is in the document's projection. */
export interface FlowState {
  status: FlowStatus
  /** whether the flow has been loaded; before that it looks empty */
  ready: boolean
  /** follows the right to write */
  readOnly: boolean
  refusal: Refusal | null
  /** why the server can't serve it at the moment; retried automatically */
  obstacle: Obstacle | null
  /** edits made after the right to write was lost, which are not stored */
  unsaved: readonly UndoStep[]
  canUndo: boolean
  canRedo: boolean
}

export interface OpenFlow {
  /** commands do nothing while the flow is read-only */
  document: FlowDocument
  store: StoreApi<FlowState>
  presence: Presence
  /** edits that the server lacks, and where they are stored */
  offline: Offline
  undo(): void
  redo(): void
  /** goes offline: edits are stored on the device meanwhile */
  disconnect(): void
  /** retries at once instead of every few seconds. Resolves with whether it succeeded */
  connect(): Promise<boolean>
  /**
   * Subscribes to the server's news of a topic. `detail` is the optional data.
   * @returns unsubscribe
   */
  onNews(topic: string, listener: (detail: string | null) => void): () => void
  close(): void
}

/** Why a flow is closed for good; and why it waits although the network is available. */
export type Refusal =
  | 'logged-out'
  | 'no-right'
  | 'gone'
  | 'change-too-large'
  | 'flow-too-large'
  | 'too-many-groups'
  | 'too-many-blocks'
  | 'too-many-edges'
  | 'too-many-variables'
  | 'text-too-long'
  | 'block-too-large'
  | 'broken'

export type Obstacle = 'busy' | 'too-fast' | 'flow-full' | 'too-many-tabs'
