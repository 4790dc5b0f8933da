import { z } from 'zod'
import { idSchema } from '../../engine/flow/schema'
import { mentionsIn } from '../../engine/values/mentions'
import { defineRoute, gid, ok } from './route'

export const commentCaps = {
  body: 5_000,
  mentions: 50,
  place: 200,
  search: 200,
  /** unresolved ones per flow */
  openThreads: 2_000,
  /** per flow, the latest: a search also finds older ones */
  resolvedListed: 500,
  /** per thread, including deleted ones */
  comments: 1_000,
  /** characters of the first and the latest comment in the list */
  excerpt: 280,
} as const

/** A person's public data, for everybody who may see the flow. */
export const personSchema = z.strictObject({
  /** null: the account was deleted */
  gid: gid.nullable(),
  name: z.string(),
  /** the same everywhere */
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
/** What a thread is pinned to. Its group or block may be deleted, and restored. */
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
/** The client's id for a comment: sending it again after a lost response creates no second one. */
const clientId = gid

const excerptSchema = z.strictObject({
  by: personSchema,
  at: z.string(),
  /** mentions as names; '' if deleted */
  text: z.string(),
})

export const threadSchema = z.strictObject({
  gid,
  anchor: anchorSchema,
  /** its name when the thread was started */
  place: z.string(),
  first: excerptSchema,
  latest: excerptSchema,
  /** without deleted ones */
  comments: z.int(),
  /** of others, since the caller last read it */
  unread: z.int(),
  mentions_me: z.boolean(),
  resolved: z.strictObject({ by: personSchema, at: z.string() }).nullable(),
  /** the caller gets no mails about it */
  muted: z.boolean(),
})
export type CommentThread = z.infer<typeof threadSchema>

export const commentSchema = z.strictObject({
  gid,
  by: personSchema,
  /** whether it is the caller's */
  own: z.boolean(),
  /** mentions as `<@gid>`; '' if deleted */
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

/** All open threads and the latest resolved ones, newest comment first; with `search` all that contain it. */
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
    /** people mentioned by its comments */
    mentioned: z.array(personSchema),
    /** whether the caller may delete others' comments */
    moderates: z.boolean(),
  }),
})
export type OpenThread = z.infer<typeof readThread.answer>

/** People who can be mentioned: members who may see the flow, by name. */
export const listMentionable = defineRoute({
  method: 'GET',
  path: `${path}/mentionable`,
  access: write,
  params: inFlow,
  answer: z.strictObject({ people: z.array(z.strictObject({ gid, name: z.string() })) }),
})
/** `place` names what it is pinned to, for readers elsewhere. */
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
/** Reopens a resolved thread. */
export const replyToThread = defineRoute({
  method: 'POST',
  path: `${threads}/:gid/comments`,
  access: write,
  params: one,
  body: z.strictObject({ body, client_id: clientId }),
  answer: z.strictObject({ comment: gid }),
})
/** Only one's own. */
export const editComment = defineRoute({
  method: 'PATCH',
  path: `${path}/comments/:gid`,
  access: write,
  params: one,
  body: z.strictObject({ body }),
  answer: ok,
})
/** One's own, and anybody's for administrators. A thread without comments is deleted with its last. */
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
/** Marks it as read up to that comment. */
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
