import { readVarUint } from 'lib0/decoding'
import type { StoreApi } from 'zustand/vanilla'
import type { FlowDocument } from '../../engine/document/flowDocument'
import type { UndoStep } from '../../engine/document/history'
import { closeCodes, MESSAGE_RIGHTS } from '../../engine/document/syncProtocol'
import type { FlowState, Obstacle, Refusal } from './flowState'
import type { SavedProvider } from './trackSaved'

const refusals: Readonly<Record<number, Refusal>> = {
  [closeCodes.loggedOut]: 'logged-out',
  [closeCodes.forbidden]: 'no-right',
  [closeCodes.gone]: 'gone',
  [closeCodes.changeTooLarge]: 'change-too-large',
  [closeCodes.flowTooLarge]: 'flow-too-large',
  [closeCodes.tooManyGroups]: 'too-many-groups',
  [closeCodes.tooManyBlocks]: 'too-many-blocks',
  [closeCodes.tooManyEdges]: 'too-many-edges',
  [closeCodes.tooManyVariables]: 'too-many-variables',
  [closeCodes.textTooLong]: 'text-too-long',
  [closeCodes.blockTooLarge]: 'block-too-large',
}

export const refusalOf = (code: number): Refusal =>
  code === MESSAGE_TOO_BIG ? 'change-too-large' : (refusals[code] ?? 'broken')

export function obstacleOf(code: number | undefined): Obstacle | null {
  if (code === closeCodes.tryLater) return 'busy'
  if (code === closeCodes.tooFast) return 'too-fast'
  if (code === closeCodes.flowFull) return 'flow-full'
  return code === closeCodes.tooManyTabs ? 'too-many-tabs' : null
}

/**
 * Follows the server's messages about the right to write, which may change while the flow is open. Edits just before it
 * was lost are not stored: they are listed in `unsaved`, and stored if the right is restored.
 */
export function followWriteAccess(
  { provider, unsent }: SavedProvider,
  store: StoreApi<FlowState>,
  document: FlowDocument,
  onChange: () => void,
): void {
  // number of undo steps that are stored
  let stored = 0
  const countStored = () => {
    if (unsent().length === 0) stored = document.history().done.length
  }
  const set = (write: boolean) => {
    if (write !== store.getState().readOnly) return
    const { done } = document.history()
    const unsaved = write || unsent().length === 0 ? [] : lastSteps(done, stored)
    store.setState({ readOnly: !write, unsaved })
    onChange()
  }
  store.subscribe(countStored)
  provider.messageHandlers[MESSAGE_RIGHTS] = (_encoder, decoder) => set(readVarUint(decoder) === 1)
  // the same message in y-websocket's form, for writes that were on their way
  provider.messageHandlers[MESSAGE_AUTH] = () => set(false)
  provider.on('connection-close', (event) => {
    if (event?.code === MESSAGE_TOO_BIG) provider.disconnect()
  })
}

/** Typing continues the last step, so at least that one is affected. */
const lastSteps = (done: readonly UndoStep[], stored: number): UndoStep[] =>
  done.slice(Math.max(0, Math.min(stored, done.length - 1)))

/** y-websocket's message type for a denied permission. */
const MESSAGE_AUTH = 2
/** The close code of a server or proxy that refuses a frame's size: a retry would send the same. */
const MESSAGE_TOO_BIG = 1009
