import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Anchor } from '../../server/contracts/comments'

/** The interface's own state of a flow's comments. */
export interface CommentState {
  /** a press on the canvas pins a comment there */
  placing: boolean
  /** what it would be pinned to */
  target: Anchor | null
  /** the thread whose card is open, or what a new one will be pinned to */
  open: string | { anchor: Anchor; place: string } | null
  /** resolved threads have pins too */
  showResolved: boolean
  /** what was written and not sent, by thread */
  drafts: ReadonlyMap<string, string>
}
export type CommentStore = StoreApi<CommentState>

/** @param fid drafts of that flow outlive a reload */
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

/** Keeps what was written; an empty text is no draft. */
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
