import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type Anchor,
  createThread,
  deleteComment,
  editComment,
  listMentionable,
  listThreads,
  markAllThreadsRead,
  markThreadRead,
  muteThread,
  readThread,
  reopenThread,
  replyToThread,
  resolveThread,
} from '../../server/contracts/comments'
import { callRoute } from './client'

/** The flow of comments. */
export interface CommentedFlow {
  pgid: string
  cgid: string
  fid: string
}

/** The query key prefix of a flow's comments. */
export const commentsKey = ({ pgid, cgid, fid }: CommentedFlow) => ['comments', pgid, cgid, fid] as const

/** Summaries of a flow's threads; with `search` those that contain it. */
export const threadsQuery = (params: CommentedFlow, search = '') =>
  queryOptions({
    queryKey: [...commentsKey(params), 'threads', search],
    queryFn: ({ signal }) =>
      callRoute(listThreads, { params, query: search === '' ? {} : { search }, signal }).then(({ threads }) => threads),
  })

/** A thread with all comments. */
export const threadQuery = (params: CommentedFlow, gid: string) =>
  queryOptions({
    queryKey: [...commentsKey(params), 'thread', gid],
    queryFn: ({ signal }) => callRoute(readThread, { params: { ...params, gid }, signal }),
  })

/** People who can be mentioned. */
export const mentionableQuery = (params: CommentedFlow) =>
  queryOptions({
    queryKey: [...commentsKey(params), 'mentionable'],
    queryFn: ({ signal }) => callRoute(listMentionable, { params, signal }).then(({ people }) => people),
    staleTime: 60_000,
  })

/** Mutations of a flow's comments; they reload what is shown. */
export function useCommentChanges(params: CommentedFlow) {
  const queries = useQueryClient()
  const onSuccess = () => queries.invalidateQueries({ queryKey: commentsKey(params) })
  const of = (gid: string) => ({ params: { ...params, gid } })
  const begin = useMutation({
    mutationFn: (body: { anchor: Anchor; place: string; body: string; client_id: string }) =>
      callRoute(createThread, { params, body }),
    onSuccess,
  })
  const reply = useMutation({
    mutationFn: ({ gid, ...body }: { gid: string; body: string; client_id: string }) =>
      callRoute(replyToThread, { ...of(gid), body }),
    onSuccess,
  })
  const edit = useMutation({
    mutationFn: ({ gid, body }: { gid: string; body: string }) =>
      callRoute(editComment, { ...of(gid), body: { body } }),
    onSuccess,
  })
  const remove = useMutation({
    mutationFn: (gid: string) => callRoute(deleteComment, of(gid)),
    onSuccess,
  })
  const settle = useMutation({
    mutationFn: ({ gid, resolved }: { gid: string; resolved: boolean }) =>
      callRoute(resolved ? resolveThread : reopenThread, of(gid)),
    onSuccess,
  })
  const markRead = useMutation({
    mutationFn: ({ gid, through }: { gid: string; through: string }) =>
      callRoute(markThreadRead, { ...of(gid), body: { through } }),
    onSuccess,
  })
  const markAllRead = useMutation({ mutationFn: () => callRoute(markAllThreadsRead, { params }), onSuccess })
  const mute = useMutation({
    mutationFn: ({ gid, muted }: { gid: string; muted: boolean }) =>
      callRoute(muteThread, { ...of(gid), body: { muted } }),
    onSuccess,
  })
  return { begin, reply, edit, remove, settle, markRead, markAllRead, mute }
}
