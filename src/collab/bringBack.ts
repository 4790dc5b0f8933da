import * as Y from 'yjs'
import { createDocument } from '../../engine/document/createDocument'
import type { Registry } from '../../engine/flow/registry'
import type { Flow } from '../../engine/flow/schema'
import type { EditStore, KeptStay } from './editStore'
import { holdStay } from './stayLock'

/** What a stay left behind that has ended without the server having everything. */
export interface LeftBehind {
  stay: KeptStay
  updates: Uint8Array[]
  /** lets another tab have it */
  release: () => void
}

/** What was left behind in a flow, no tab being in that stay any more; each is held for this tab. */
export async function findLeftBehind(store: EditStore, room: string): Promise<LeftBehind[]> {
  const stays = (await store.stays()).filter((stay) => stay.room === room)
  const found = stays.map(async (stay): Promise<LeftBehind[]> => {
    const release = await holdStay(stay.id)
    return release ? [{ stay, updates: await store.updates(stay.id), release }] : []
  })
  return (await Promise.all(found)).flat()
}

/**
 * Brings into a document what it lacks of a stay. Resolves with false when something that the edits build on is nowhere: then they stay
 * where they are kept.
 */
export async function applyLeftBehind(doc: Y.Doc, store: EditStore, { stay, updates }: LeftBehind): Promise<boolean> {
  for (const update of updates) Y.applyUpdate(doc, update, BROUGHT_BACK)
  if (!isWaiting(doc)) return true
  // the server has lost what was there at the time
  const state = await store.state(stay.id)
  if (state) Y.applyUpdate(doc, state, BROUGHT_BACK)
  return !isWaiting(doc)
}

/** the origin of what comes from the store: no undo takes it back, and it is sent */
const BROUGHT_BACK = {}

const isWaiting = (doc: Y.Doc): boolean => doc.store.pendingStructs !== null || doc.store.pendingDs !== null

/** The flow as it stood in some stays, on what the server has now when that is still to be had. */
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
