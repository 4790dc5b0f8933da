import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import type { CommentThread } from '../../server/contracts/comments'
import { useCan } from '../api/account'
import { type CommentedFlow, commentsKey, threadsQuery } from '../api/comments'
import { useFlow } from '../collab/useFlow'
import { type CommentState, type CommentStore, createCommentStore } from './commentStore'

interface Comments {
  /** the commented flow */
  flow: CommentedFlow
  store: CommentStore
  /** may write and resolve; otherwise read-only */
  mayWrite: boolean
}

const CommentsContext = createContext<Comments | null>(null)

/** Provides the open flow's comments, kept up to date with the server. */
export function CommentsProvider({ pgid, cgid, fid, children }: CommentedFlow & { children: ReactNode }) {
  const store = useMemo(() => createCommentStore(fid), [fid])
  const mayWrite = useCan('builder.comment')
  const value = useMemo(() => ({ flow: { pgid, cgid, fid }, store, mayWrite }), [pgid, cgid, fid, store, mayWrite])
  useNews(value.flow)
  return <CommentsContext value={value}>{children}</CommentsContext>
}

/** Throws outside a CommentsProvider. */
export function useComments(): Comments {
  const value = useContext(CommentsContext)
  if (!value) throw new Error('useComments needs a CommentsProvider around it')
  return value
}

/** A part of the interface state. */
export const useCommentState = <Part,>(part: (state: CommentState) => Part): Part => useStore(useComments().store, part)

const NONE: readonly CommentThread[] = []

/** All listed threads; empty until loaded. */
export function useThreads(): readonly CommentThread[] {
  return useQuery(threadsQuery(useComments().flow)).data ?? NONE
}

/** Reloads on news of changes, and after a reconnect. */
function useNews(commented: CommentedFlow): void {
  const flow = useFlow()
  const queries = useQueryClient()
  useEffect(() => {
    const reread = () => void queries.invalidateQueries({ queryKey: commentsKey(commented) })
    const stopNews = flow.onNews('comments', reread)
    const stopStatus = flow.store.subscribe(({ status }, before) => {
      if (status !== before.status && before.status === 'offline') reread()
    })
    return () => {
      stopNews()
      stopStatus()
    }
  }, [flow, queries, commented])
}
