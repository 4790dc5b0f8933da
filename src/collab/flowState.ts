import type { StoreApi } from 'zustand/vanilla'
import type { FlowDocument } from '../../engine/document/flowDocument'
import type { UndoStep } from '../../engine/document/history'
import type { Offline } from './offline'
import type { Presence } from './presence'

/** `connecting` until the flow is there; `offline` keeps edits and merges them later; `refused` is for good. */
export type FlowStatus = 'connecting' | 'saved' | 'saving' | 'offline' | 'refused'

/** How it stands with an open flow; written by openFlow alone. What is in the flow, the document's projection says. */
export interface FlowState {
  status: FlowStatus
  /** has the flow been loaded? Before that it looks empty */
  ready: boolean
  /** comes and goes with the right to write */
  readOnly: boolean
  refusal: Refusal | null
  /** what keeps the server from serving it now; it is tried again */
  obstacle: Obstacle | null
  /** what was done when the right to write was already lost, and is not stored */
  unsaved: readonly UndoStep[]
  canUndo: boolean
  canRedo: boolean
}

export interface OpenFlow {
  /** its commands do nothing while the flow is read-only */
  document: FlowDocument
  store: StoreApi<FlowState>
  presence: Presence
  /** what the server does not have yet, and where it is kept */
  offline: Offline
  undo(): void
  redo(): void
  /** goes offline, comes back: edits are kept meanwhile */
  disconnect(): void
  /** tries at once: by itself it tries every few seconds. Resolves with whether that succeeded */
  connect(): Promise<boolean>
  /**
   * Calls back when the server has news of a topic for everybody in this flow. `detail` is what it says with it, if anything.
   * @returns what stops it
   */
  onNews(topic: string, listener: (detail: string | null) => void): () => void
  close(): void
}

/** Why a flow is closed for good, and why it waits although the network is there. */
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
