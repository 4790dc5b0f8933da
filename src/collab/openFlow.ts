import { createStore, type StoreApi } from 'zustand/vanilla'
import type { FlowCommands, FlowDocument } from '../../engine/document/commands'
import { createDocument } from '../../engine/document/createDocument'
import type { Person } from '../../engine/document/person'
import { closeCodes } from '../../engine/document/syncProtocol'
import { createIdSource } from '../../engine/flow/ids'
import type { Registry } from '../../engine/flow/registry'
import { receiveNews } from './news'
import { createPresence, type Presence } from './presence'
import { connectTracked } from './trackSaved'

/** `connecting` until the flow is there; `offline` keeps edits in memory and merges them later; `refused` is for good. */
export type FlowStatus = 'connecting' | 'saved' | 'saving' | 'offline' | 'refused'
export type Refusal = 'logged-out' | 'no-right' | 'gone' | 'too-large' | 'broken'

/** How it stands with an open flow; written by openFlow alone. What is in the flow, the document's projection says. */
export interface FlowState {
  status: FlowStatus
  /** has the flow been loaded? Before that it looks empty */
  ready: boolean
  readOnly: boolean
  refusal: Refusal | null
  canUndo: boolean
  canRedo: boolean
}

export interface OpenFlow {
  /** its commands do nothing while the flow is read-only */
  document: FlowDocument
  store: StoreApi<FlowState>
  presence: Presence
  undo(): void
  redo(): void
  /** goes offline, comes back: edits are kept meanwhile */
  disconnect(): void
  connect(): void
  /**
   * Calls back when the server has news of a topic for everybody in this flow. `detail` is what it says with it, if anything.
   * @returns what stops it
   */
  onNews(topic: string, listener: (detail: string | null) => void): () => void
  close(): void
}

/**
 * Opens a flow for editing: a document that follows the server, and a store of how the connection stands.
 * @param options.room from the route `openDocument`, which is asked first: a refused socket tells little
 * @param options.url where the sync server is; this page's own host unless given
 */
export function openFlow(options: {
  room: string
  readOnly: boolean
  registry: Registry
  person?: Person
  url?: string
  WebSocket?: typeof WebSocket
}): OpenFlow {
  const document = createDocument({
    registry: options.registry,
    ids: createIdSource((count) => crypto.getRandomValues(new Uint8Array(count))),
    clock: Date.now,
  })
  const store = createStore<FlowState>()(() => ({
    status: 'connecting',
    ready: false,
    readOnly: options.readOnly,
    refusal: null,
    canUndo: false,
    canRedo: false,
  }))
  const showStatus = () => {
    const { refusal, ready } = store.getState()
    const status: FlowStatus = refusal
      ? 'refused'
      : provider.synced
        ? sync.isSaved()
          ? 'saved'
          : 'saving'
        : ready || failed
          ? 'offline'
          : 'connecting'
    if (status !== store.getState().status) store.setState({ status })
  }
  let failed = false
  const sync = connectTracked(options.url ?? socketUrl(), options.room, document.doc, {
    onChange: showStatus,
    WebSocket: options.WebSocket,
  })
  const { provider } = sync
  provider.on('sync', (synced) => {
    if (synced) store.setState({ ready: true })
    showStatus()
  })
  provider.on('connection-close', () => {
    failed = true
    queueMicrotask(showStatus)
  })
  provider.on('closed', ({ code }) => {
    store.setState({ refusal: refusalOf(code), readOnly: true })
    showStatus()
  })
  // the right to write was withdrawn while the flow is open: what was typed since is refused
  provider.messageHandlers[MESSAGE_AUTH] = () => {
    if (options.readOnly) return
    store.setState({ refusal: 'no-right', readOnly: true })
    showStatus()
  }

  const showUndo = () => {
    const canUndo = document.undo.canUndo()
    const canRedo = document.undo.canRedo()
    const state = store.getState()
    if (canUndo !== state.canUndo || canRedo !== state.canRedo) store.setState({ canUndo, canRedo })
  }
  document.undo.subscribe(showUndo)

  const warnUnsaved = (event: BeforeUnloadEvent) => {
    if (!sync.isSaved() && !store.getState().readOnly) event.preventDefault()
  }
  globalThis.addEventListener?.('beforeunload', warnUnsaved)
  const writable = () => !store.getState().readOnly

  return {
    document: { ...document, commands: guard(document.commands, writable) },
    store,
    presence: createPresence(provider.awareness, options.person),
    undo: () => writable() && void document.undo.undo(),
    redo: () => writable() && void document.undo.redo(),
    disconnect: () => provider.disconnect(),
    connect: () => provider.connect(),
    onNews: receiveNews(provider),
    close() {
      globalThis.removeEventListener?.('beforeunload', warnUnsaved)
      provider.destroy()
      document.destroy()
      document.doc.destroy()
    },
  }
}

/** y-websocket's message type for a denied permission. */
const MESSAGE_AUTH = 2

function refusalOf(code: number): Refusal {
  if (code === closeCodes.loggedOut) return 'logged-out'
  if (code === closeCodes.forbidden) return 'no-right'
  if (code === closeCodes.gone) return 'gone'
  return code === closeCodes.tooLarge ? 'too-large' : 'broken'
}

const socketUrl = () => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/collab`

function guard(commands: FlowCommands, writable: () => boolean): FlowCommands {
  const guarded = Object.entries(commands).map(([name, run]: [string, (...args: never[]) => void]) => [
    name,
    (...args: never[]) => {
      if (writable()) run(...args)
    },
  ])
  return Object.fromEntries(guarded) as FlowCommands
}
