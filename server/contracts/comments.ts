import { z } from 'zod'
import { idSchema } from '../../engine/flow/schema'
import { mentionsIn } from '../../engine/values/mentions'
import { defineRoute, gid, ok } from './route'

export const commentCaps = {
  body: 5_000,
  mentions: 50,
  place: 200,
  search: 200,
  /** unresolved ones of a flow */
  openThreads: 2_000,
  /** of a flow, the latest: a search finds older ones too */
  resolvedListed: 500,
  /** of a thread, deleted ones too */
  comments: 1_000,
  /** of the first and the latest comment in the list */
  excerpt: 280,
} as const

/** Somebody, as whoever may see the flow may know them. */
export const personSchema = z.strictObject({
  /** null: the account is gone */
  gid: gid.nullable(),
  name: z.string(),
  /** the same wherever one meets them */
  color: z.string(),
  /** no longer a member of the project */
  former: z.boolean(),
})
export type CommentPerson = z.infer<typeof personSchema>

const coordinate = z.number().min(-1e7).max(1e7)
export const anchorSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('group'), id: idSchema }),
  z.strictObject({ kind: z.literal('block'), id: idSchema }),
  z.strictObject({ kind: z.literal('spot'), x: coordinate, y: coordinate }),
])
/** What a thread is pinned to. Its group or block may be gone, and come back. */
export type Anchor = z.infer<typeof anchorSchema>

const body = z
  .string()
  .trim()
  .min(1, 'Write a comment')
  .max(commentCaps.body, 'A comment has at most 5,000 characters')
  .refine(
    (text) => mentionsIn(text).length <= commentCaps.mentions,
    `A comment mentions at most ${commentCaps.mentions} people`,
  )
/** The sender's own name for a comment: sent again after a lost answer, it is the same one. */
const clientId = gid

const excerptSchema = z.strictObject({
  by: personSchema,
  at: z.string(),
  /** mentions as names; '' where it was deleted */
  text: z.string(),
})

export const threadSchema = z.strictObject({
  gid,
  anchor: anchorSchema,
  /** what that was called when the thread was begun */
  place: z.string(),
  first: excerptSchema,
  latest: excerptSchema,
  /** without deleted ones */
  comments: z.int(),
  /** of others, since the caller last read it */
  unread: z.int(),
  mentions_me: z.boolean(),
  resolved: z.strictObject({ by: personSchema, at: z.string() }).nullable(),
  /** the caller wants no mails about it */
  muted: z.boolean(),
})
export type CommentThread = z.infer<typeof threadSchema>

export const commentSchema = z.strictObject({
  gid,
  by: personSchema,
  /** the caller's */
  own: z.boolean(),
  /** mentions as `<@gid>`; '' where it was deleted */
  body: z.string(),
  at: z.string(),
  edited: z.boolean(),
  deleted: z.boolean(),
})
export type Comment = z.infer<typeof commentSchema>

const inFlow = z.strictObject({ pgid: gid, cgid: gid, fid: gid })
const one = inFlow.extend({ gid })
const path = '/api/projects/:pgid/chatbots/:cgid/flows/:fid'
const threads = `${path}/threads`
const read = { feature: 'builder.view' } as const
const write = { feature: 'builder.comment' } as const

/** All that is open and the latest of what is resolved, the newest comment first; with `search` those of all that contain it. */
export const listThreads = defineRoute({
  method: 'GET',
  path: threads,
  access: read,
  params: inFlow,
  query: z.strictObject({ search: z.string().max(commentCaps.search).optional() }),
  answer: z.strictObject({ threads: z.array(threadSchema) }),
})
export const readThread = defineRoute({
  method: 'GET',
  path: `${threads}/:gid`,
  access: read,
  params: one,
  answer: z.strictObject({
    thread: threadSchema,
    comments: z.array(commentSchema),
    /** those whom its comments mention */
    mentioned: z.array(personSchema),
    /** the caller may delete what others wrote */
    moderates: z.boolean(),
  }),
})
export type OpenThread = z.infer<typeof readThread.answer>

/** Who can be mentioned: the members who may see the flow, by name. */
export const listMentionable = defineRoute({
  method: 'GET',
  path: `${path}/mentionable`,
  access: write,
  params: inFlow,
  answer: z.strictObject({ people: z.array(z.strictObject({ gid, name: z.string() })) }),
})
/** `place` says what it is pinned to, for those who read of it elsewhere. */
export const createThread = defineRoute({
  method: 'POST',
  path: threads,
  access: write,
  params: inFlow,
  body: z.strictObject({
    anchor: anchorSchema,
    place: z.string().trim().max(commentCaps.place),
    body,
    client_id: clientId,
  }),
  answer: z.strictObject({ thread: gid }),
})
/** A resolved thread is open again by it. */
export const replyToThread = defineRoute({
  method: 'POST',
  path: `${threads}/:gid/comments`,
  access: write,
  params: one,
  body: z.strictObject({ body, client_id: clientId }),
  answer: z.strictObject({ comment: gid }),
})
/** One's own alone. */
export const editComment = defineRoute({
  method: 'PATCH',
  path: `${path}/comments/:gid`,
  access: write,
  params: one,
  body: z.strictObject({ body }),
  answer: ok,
})
/** One's own, and anybody's for those who run the project. A thread without a comment left goes with its last. */
export const deleteComment = defineRoute({
  method: 'DELETE',
  path: `${path}/comments/:gid`,
  access: write,
  params: one,
  answer: z.strictObject({ thread_gone: z.boolean() }),
})
export const resolveThread = defineRoute({
  method: 'POST',
  path: `${threads}/:gid/resolve`,
  access: write,
  params: one,
  answer: ok,
})
export const reopenThread = defineRoute({
  method: 'POST',
  path: `${threads}/:gid/reopen`,
  access: write,
  params: one,
  answer: ok,
})
/** The caller has read it up to that comment. */
export const markThreadRead = defineRoute({
  method: 'POST',
  path: `${threads}/:gid/read`,
  access: read,
  params: one,
  body: z.strictObject({ through: gid }),
  answer: ok,
})
export const markAllThreadsRead = defineRoute({
  method: 'POST',
  path: `${threads}/read`,
  access: read,
  params: inFlow,
  answer: ok,
})
/** Whether the caller gets mails about it. */
export const muteThread = defineRoute({
  method: 'POST',
  path: `${threads}/:gid/mute`,
  access: read,
  params: one,
  body: z.strictObject({ muted: z.boolean() }),
  answer: ok,
})
