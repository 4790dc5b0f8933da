import * as Y from 'yjs'
import { createDocument } from '../../engine/document/createDocument'
import type { Registry } from '../../engine/flow/registry'
import type { Flow } from '../../engine/flow/schema'
import type { EditStore, KeptStay } from './editStore'
import { holdStay } from './stayLock'

/** An editing session (stay) that ended before the server had all of its edits. */
export interface LeftBehind {
  stay: KeptStay
  updates: Uint8Array[]
  /** releases the lock, so that another tab can take it */
  release: () => void
}

/** Finds sessions of a flow that no open tab owns; locks each for this tab. */
export async function findLeftBehind(store: EditStore, room: string): Promise<LeftBehind[]> {
  const stays = (await store.stays()).filter((stay) => stay.room === room)
  const found = stays.map(async (stay): Promise<LeftBehind[]> => {
    const release = await holdStay(stay.id)
    return release ? [{ stay, updates: await store.updates(stay.id), release }] : []
  })
  return (await Promise.all(found)).flat()
}

/**
 * Applies the missing edits of a session to a document. Resolves with false if updates that they depend on are
 * unavailable: then they stay stored.
 */
export async function applyLeftBehind(doc: Y.Doc, store: EditStore, { stay, updates }: LeftBehind): Promise<boolean> {
  for (const update of updates) Y.applyUpdate(doc, update, BROUGHT_BACK)
  if (!isWaiting(doc)) return true
  // the server has lost the state of that time
  const state = await store.state(stay.id)
  if (state) Y.applyUpdate(doc, state, BROUGHT_BACK)
  return !isWaiting(doc)
}

/** the transaction origin of restored edits: no undo reverts them, and they are sent */
const BROUGHT_BACK = {}

const isWaiting = (doc: Y.Doc): boolean => doc.store.pendingStructs !== null || doc.store.pendingDs !== null

/** The flow as of some sessions, merged with the server's present state if available. */
export async function flowOfStays(
  store: EditStore,
  ids: readonly string[],
  registry: Registry,
  present: Uint8Array | null = null,
): Promise<Flow> {
  const parts = await Promise.all(ids.map(async (id) => [await store.state(id), ...(await store.updates(id))]))
  const doc = new Y.Doc()
  for (const part of [present, ...parts.flat()]) if (part) Y.applyUpdate(doc, part)
  const document = createDocument({ doc, registry })
  try {
    return document.toFlow()
  } finally {
    document.destroy()
    doc.destroy()
  }
}
