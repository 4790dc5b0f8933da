import * as Y from 'yjs'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Registry } from '../../engine/flow/registry'
import type { Flow } from '../../engine/flow/schema'
import { applyLeftBehind, findLeftBehind, flowOfStays, type LeftBehind } from './bringBack'
import type { EditStore, KeptStay } from './editStore'
import { type EditKeeper, type Keeping, keepEdits } from './keepEdits'
import { holdStay } from './stayLock'
import type { SavedProvider } from './trackSaved'

/** A number of edits as people count them, and the time of the first. */
export interface EditSpan {
  edits: number
  since: number
}

/** Edits that are not on the server, and what happens to them. */
export interface OfflineState {
  /** made here and not confirmed */
  unsent: EditSpan | null
  keeping: Keeping
  /** the connection was lost with unsent edits, which are still being sent */
  returning: boolean
  /** edits of an earlier session, restored into the flow */
  broughtBack: EditSpan | null
  /** edits that can't be sent any more: the right to write or the flow is gone */
  stranded: EditSpan | null
}

export interface Offline {
  store: StoreApi<OfflineState>
  /** call it when the connection or the edits change */
  look(): void
  /** stores unsent edits without delay: the tab may be about to close */
  hurry(): void
  /** the flow has been loaded from the server; resolves when earlier sessions' edits are restored */
  loaded(): Promise<void>
  /** this person's version of the flow, including stranded edits */
  version(): Promise<Flow>
  /** deletes stranded edits, here and on this device */
  letGo(): Promise<void>
  stop(): void
}

export interface OfflineOptions {
  /** the account's public id */
  user: string
  store: EditStore
  place: KeptStay['place']
}

/** Tracks edits of an open flow that the server lacks. Without `keep` they are only in memory. */
export function watchOffline(options: {
  room: string
  registry: Registry
  doc: Y.Doc
  sync: SavedProvider
  keep: OfflineOptions | undefined
  readOnly: () => boolean
  refused: () => boolean
  toFlow: () => Flow
}): Offline {
  const { room, registry, doc, sync, keep, readOnly, refused, toFlow } = options
  const { provider } = sync
  const store = createStore<OfflineState>()(() => ({
    unsent: null,
    keeping: 'all',
    returning: false,
    broughtBack: null,
    stranded: null,
  }))
  const id = crypto.randomUUID?.() ?? Math.random().toString(36).slice(2)
  const releases: (() => void)[] = []
  /** of earlier sessions that can't be sent */
  let held: LeftBehind[] = []
  const earlier = keep ? findLeftBehind(keep.store, room).catch(() => []) : Promise.resolve([])
  const keeper: EditKeeper | null = keep
    ? keepEdits({
        store: keep.store,
        stay: { id, room, place: keep.place },
        unsent: sync.unsent,
        isOnline: () => provider.synced,
        state: () => Y.encodeStateAsUpdate(doc),
        onChange: show,
        whenIdle,
      })
    : null
  if (keep) void holdStay(id).then((release) => release && releases.push(release))
  const outdate = (_update: Uint8Array, origin: unknown) => origin === provider && keeper?.outdate()
  doc.on('update', outdate)

  function show() {
    const unsent = spanOf(sync)
    const { returning, stranded } = store.getState()
    const keeping = unsent ? (keeper?.keeping() ?? 'refused') : 'all'
    const next: Partial<OfflineState> = {
      unsent,
      keeping,
      returning: unsent !== null && (returning || !provider.synced),
      // with the right to write they can still be sent
      stranded: unsent && refused() ? unsent : held.length > 0 ? stranded : null,
    }
    if (!isSame(store.getState(), next)) store.setState(next)
  }

  async function bringBack() {
    const found = await earlier
    for (const { release } of found) releases.push(release)
    await apply(found)
  }

  async function apply(found: LeftBehind[]) {
    if (!keep || found.length === 0) return
    if (readOnly()) {
      held = found
      return store.setState({ stranded: together(found) })
    }
    const back: LeftBehind[] = []
    for (const left of found) {
      const before = sync.unsent().length
      const whole = await applyLeftBehind(doc, keep.store, left)
      // edits that had reached the server are not reported
      if (sync.unsent().length > before) back.push(left)
      if (whole) keeper?.adopt([left.stay.id])
    }
    if (back.length > 0) store.setState({ broughtBack: together(back) })
  }

  let isLoaded = false
  return {
    store,
    look() {
      show()
      keeper?.look()
      if (held.length === 0 || readOnly()) return
      // the right to write was restored
      const found = held
      held = []
      void apply(found)
        .catch(() => undefined)
        .then(show)
    },
    hurry: () => keeper?.hurry(),
    async loaded() {
      if (isLoaded) return
      isLoaded = true
      await bringBack().catch(() => undefined)
    },
    async version() {
      if (!keep || held.length === 0) return toFlow()
      const ids = held.map(({ stay }) => stay.id)
      return flowOfStays(keep.store, ids, registry, Y.encodeStateAsUpdate(doc))
    },
    async letGo() {
      const ids = [id, ...held.map(({ stay }) => stay.id)]
      held = []
      sync.forget()
      store.setState({ stranded: null, unsent: null })
      await keep?.store.drop(ids)
    },
    stop() {
      doc.off('update', outdate)
      keeper?.stop()
      void earlier.then((found) => {
        for (const { release } of found) release()
      })
      for (const release of releases) release()
    },
  }
}

function spanOf(sync: SavedProvider): EditSpan | null {
  const edits = sync.unsent()
  const [first, last] = [edits[0], edits.at(-1)]
  return first && last ? { edits: last.number - first.number + 1, since: first.at } : null
}

const together = (found: readonly LeftBehind[]): EditSpan => ({
  edits: found.reduce((sum, { stay }) => sum + stay.edits, 0),
  since: Math.min(...found.map(({ stay }) => stay.since)),
})

function isSame(state: OfflineState, next: Partial<OfflineState>): boolean {
  return JSON.stringify({ ...state, ...next }) === JSON.stringify(state)
}

const whenIdle = (run: () => void) =>
  // not available in Safari
  typeof requestIdleCallback === 'function' ? requestIdleCallback(run, { timeout: 2_000 }) : setTimeout(run, 0)
