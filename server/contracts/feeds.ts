import { z } from 'zod'
import { caps, tooLong } from '../../engine/values/caps'
import { defineRoute, gid, ok } from './route'
import { resyncs } from './sources'

/** `feed`: RSS, Atom or JSON Feed; `help_center`: the public articles of a Zendesk Help Center. */
export const feedKinds = ['feed', 'help_center'] as const
export type FeedKind = (typeof feedKinds)[number]
export const feedStates = ['reading', 'ready', 'error'] as const
export type FeedState = (typeof feedStates)[number]
/** Ours: SPEC.md names no caps of feeds. */
export const feedCaps = { feeds: 20, entries: { feed: 500, help_center: 5_000 } } as const

export const feedSchema = z.strictObject({
  gid,
  kind: z.enum(feedKinds),
  url: z.string(),
  /** what it calls itself; '' until it is read */
  title: z.string(),
  /** the most entries taken at a reading, the newest first */
  most: z.int(),
  resync: z.enum(resyncs),
  state: z.enum(feedStates),
  /** why it could not be read, or not whole, in a sentence with the remedy */
  reason: z.string().nullable(),
  /** number of its sources */
  sources: z.int(),
  /** number of its pages that members have deleted, and that do not come again */
  left_out: z.int(),
  read_at: z.string().nullable(),
  next_read_at: z.string().nullable(),
})
export type Feed = z.infer<typeof feedSchema>

const inChatbot = z.strictObject({ pgid: gid, cgid: gid })
const one = z.strictObject({ pgid: gid, cgid: gid, gid })
const answer = z.strictObject({ feed: feedSchema })
const create = { feature: 'knowledge_base.create' } as const
const url = z.string().trim().max(caps.url, tooLong(caps.url))
const most = (cap: number) =>
  z.int().min(1, `Enter a whole number from 1 to ${cap}`).max(cap, `Enter a whole number from 1 to ${cap}`)

export const listFeeds = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/chatbots/:cgid/feeds',
  access: { feature: 'knowledge_base.view' },
  params: inChatbot,
  answer: z.strictObject({ feeds: z.array(feedSchema) }),
})
/** Reads a list in the background, trains what it names, and reads it again as often as `resync` says. */
export const addFeed = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/feeds',
  access: create,
  params: inChatbot,
  body: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('feed'),
      url,
      most: most(feedCaps.entries.feed).default(50),
      resync: z.enum(resyncs).default('never'),
    }),
    z.strictObject({
      kind: z.literal('help_center'),
      url,
      most: most(feedCaps.entries.help_center).default(1_000),
      resync: z.enum(resyncs).default('never'),
    }),
  ]),
  answer,
})
/** How often it is read by itself; `left_out: 0`: pages that were deleted come again, once it is read. */
export const updateFeed = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/chatbots/:cgid/feeds/:gid',
  access: { feature: 'knowledge_base.resync' },
  params: one,
  body: z.strictObject({ resync: z.enum(resyncs).optional(), left_out: z.literal(0).optional() }),
  answer,
})
export const readFeedNow = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/feeds/:gid/read',
  access: { feature: 'knowledge_base.resync' },
  params: one,
  answer,
})
/** Stops following it. */
export const deleteFeed = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid/chatbots/:cgid/feeds/:gid',
  access: { feature: 'knowledge_base.delete' },
  params: one,
  query: z.strictObject({
    /** what becomes of the sources that it brought */
    sources: z.enum(['keep', 'delete']),
  }),
  answer: ok,
})
