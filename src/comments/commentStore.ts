import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Anchor } from '../../server/contracts/comments'

/** Interface state of a flow's comments. */
export interface CommentState {
  /** the placing mode is active */
  placing: boolean
  /** the anchor under the pointer */
  target: Anchor | null
  /** the open thread, or the anchor of a new one */
  open: string | { anchor: Anchor; place: string } | null
  /** whether resolved threads have pins */
  showResolved: boolean
  /** unsent texts by thread */
  drafts: ReadonlyMap<string, string>
}
export type CommentStore = StoreApi<CommentState>

/** @param fid drafts of that flow survive a reload */
export function createCommentStore(fid: string): CommentStore {
  const key = `parley-comment-drafts-${fid}`
  const store = createStore<CommentState>(() => ({
    placing: false,
    target: null,
    open: null,
    showResolved: false,
    drafts: readDrafts(key),
  }))
  store.subscribe(({ drafts }, before) => {
    if (drafts !== before.drafts) sessionStorage.setItem(key, JSON.stringify([...drafts]))
  })
  return store
}

/** Stores a draft; an empty text removes it. */
export function setDraft(store: CommentStore, key: string, text: string): void {
  store.setState(({ drafts }) => {
    const next = new Map(drafts)
    if (text.trim() === '') next.delete(key)
    else next.set(key, text)
    return { drafts: next }
  })
}

function readDrafts(key: string): ReadonlyMap<string, string> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(key) ?? '[]') as [string, string][])
  } catch {
    return new Map()
  }
}
