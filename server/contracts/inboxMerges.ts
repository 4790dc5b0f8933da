import { z } from 'zod'
import { conversationStatuses } from './inbox'
import { defineRoute, gid, ok } from './route'

/** Conversations that one call merges, and most that are one. */
export const MOST_AT_ONCE = 20
export const MOST_MERGED = 50

/** Days for which a merge can be undone. */
export const UNDO_DAYS = 30

const inConversation = z.strictObject({ pgid: gid, conversation: gid })

const candidate = z.strictObject({
  gid,
  /** when it began */
  at: z.string(),
  status: z.enum(conversationStatuses),
  channel: z.string(),
  assignee: z.string().nullable(),
  messages: z.int(),
  /** words of its newest message */
  last: z.string(),
})
export type MergeCandidate = z.infer<typeof candidate>

/**
 * The one of several conversations that the others are merged into: the newest that is open, else the newest, which is
 * the one that the visitor's browser shows. @param newestFirst in that order
 */
export const survivorOf = <One extends { status: string }>(newestFirst: readonly [One, ...One[]]): One =>
  newestFirst.find(({ status }) => status !== 'closed') ?? newestFirst[0]

/** A conversation with the others of its visitor or contact in the same chatbot, the newest first. */
export const previewInboxMerge = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/inbox/conversations/:conversation/merge',
  access: { feature: 'conversations.update' },
  params: inConversation,
  answer: z.strictObject({ conversations: z.array(candidate) }),
})

/**
 * Merges conversations of one visitor: they are read and answered as one, the survivor. @returns which that is. 409
 * `conversation_merged` for one that is merged already
 */
export const mergeInbox = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/inbox/conversations/:conversation/merge',
  access: { feature: 'conversations.update' },
  params: inConversation,
  body: z.strictObject({ conversations: z.array(gid).min(1, 'Choose a conversation').max(MOST_AT_ONCE) }),
  answer: z.strictObject({ conversation: gid }),
})

/** Makes a merged conversation one of its own again. */
export const separateInbox = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/inbox/conversations/:conversation/separate',
  access: { feature: 'conversations.update' },
  params: inConversation,
  answer: ok,
})
