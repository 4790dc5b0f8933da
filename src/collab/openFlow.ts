import { createStore } from 'zustand/vanilla'
import type { FlowCommands } from '../../engine/document/commands'
import { createDocument } from '../../engine/document/createDocument'
import type { Person } from '../../engine/document/person'
import { createIdSource } from '../../engine/flow/ids'
import type { Registry } from '../../engine/flow/registry'
import type { FlowState, FlowStatus, OpenFlow } from './flowState'
import { bringBackUndo, keepUndo } from './keptUndo'
import { receiveNews } from './news'
import { type OfflineOptions, watchOffline } from './offline'
import { createPresence } from './presence'
import { connectTracked } from './trackSaved'
import { followWriteAccess, obstacleOf, refusalOf } from './writeAccess'

/**
 * Opens a flow for editing: a synchronised document, and a store with the connection's state.
 * @param options.room from the route `openDocument`; call that first, since a refused socket gives few details
 * @param options.keep where to store unsent edits on this device; default: memory only
 * @param options.url the sync server; default: this page's host
 */
export function openFlow(options: {
  room: string
  readOnly: boolean
  registry: Registry
  person?: Person
  keep?: OfflineOptions
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
    obstacle: null,
    unsaved: [],
    canUndo: false,
    canRedo: false,
  }))
  const showStatus = () => {
    const { refusal, ready, readOnly, unsaved } = store.getState()
    const stuck = unsaved.length > 0 || (readOnly && sync.unsent().length > 0)
    const status: FlowStatus =
      refusal || stuck
        ? 'refused'
        : provider.synced
          ? sync.unsent().length === 0
            ? 'saved'
            : 'saving'
          : ready || failed
            ? 'offline'
            : 'connecting'
    if (status !== store.getState().status) store.setState({ status })
  }
  let failed = false
  const sync = connectTracked(options.url ?? socketUrl(), options.room, document.doc, {
    onChange: () => look(),
    as: options.person?.id,
    WebSocket: options.WebSocket,
  })
  const { provider } = sync
  const offline = watchOffline({
    room: options.room,
    registry: options.registry,
    doc: document.doc,
    sync,
    keep: options.keep,
    readOnly: () => store.getState().readOnly,
    // edits restored from the device are in no undo step: they are refused as well
    refused: () => {
      const { refusal, readOnly } = store.getState()
      return refusal === null ? readOnly : refusal !== 'logged-out'
    },
    toFlow: document.toFlow,
  })
  function look() {
    showStatus()
    offline.look()
  }
  provider.on('sync', (synced) => {
    if (synced) {
      const undoIsBack = store.getState().ready || bringBack()
      store.setState({ ready: true, obstacle: null })
      const loaded = offline.loaded()
      // it may depend on unsent edits of an earlier session
      if (!undoIsBack) void loaded.then(bringBack)
    }
    look()
  })
  provider.on('connection-close', (event) => {
    failed = true
    store.setState({ obstacle: obstacleOf(event?.code) })
    queueMicrotask(look)
  })
  provider.on('closed', ({ code }) => {
    store.setState({ refusal: refusalOf(code), readOnly: true })
    look()
  })
  followWriteAccess(sync, store, document, look)

  const showUndo = () => {
    const canUndo = document.undo.canUndo()
    const canRedo = document.undo.canRedo()
    const state = store.getState()
    if (canUndo !== state.canUndo || canRedo !== state.canRedo) store.setState({ canUndo, canRedo })
  }
  document.undo.subscribe(showUndo)

  const place = options.keep && { user: options.keep.user, room: options.room }
  function bringBack(): boolean {
    return !place || typeof sessionStorage === 'undefined' || bringBackUndo(sessionStorage, place, document.undo)
  }
  const keepHistory = () => {
    if (place && store.getState().ready) keepUndo(sessionStorage, place, document.undo)
  }

  const warnUnsent = (event: BeforeUnloadEvent) => {
    if (sync.unsent().length === 0) return
    event.preventDefault()
    offline.hurry()
  }
  const connect = () =>
    new Promise<boolean>((resolve) => {
      if (provider.wsconnected || store.getState().refusal) return resolve(provider.synced)
      // gives up an attempt that hangs
      provider.disconnect()
      const end = () => {
        provider.off('sync', end)
        provider.off('connection-close', end)
        resolve(provider.synced)
      }
      provider.on('sync', end)
      provider.on('connection-close', end)
      provider.connect()
    })
  globalThis.addEventListener?.('beforeunload', warnUnsent)
  globalThis.addEventListener?.('pagehide', offline.hurry)
  globalThis.addEventListener?.('pagehide', keepHistory)
  globalThis.addEventListener?.('online', connect)
  const writable = () => !store.getState().readOnly

  const presence = createPresence(provider.awareness, options.person)

  return {
    document: { ...document, commands: guard(document.commands, writable) },
    store,
    presence,
    offline,
    undo: () => writable() && void document.undo.undo(),
    redo: () => writable() && void document.undo.redo(),
    disconnect: () => provider.disconnect(),
    connect,
    onNews: receiveNews(provider),
    close() {
      globalThis.removeEventListener?.('beforeunload', warnUnsent)
      globalThis.removeEventListener?.('pagehide', offline.hurry)
      globalThis.removeEventListener?.('pagehide', keepHistory)
      globalThis.removeEventListener?.('online', connect)
      offline.stop()
      presence.close()
      provider.destroy()
      document.destroy()
      document.doc.destroy()
    },
  }
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
