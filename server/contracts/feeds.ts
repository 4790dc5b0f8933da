import { z } from 'zod'
import { caps, tooLong } from '../../engine/values/caps'
import { SECRET_NAME } from '../../engine/values/secrets'
import { defineRoute, gid, ok } from './route'
import { planOfResync, resyncs } from './sources'

/**
 * `feed`: RSS, Atom or JSON Feed; `help_center`: the public articles of a Zendesk Help Center; `salesforce`: those of
 * Salesforce Knowledge; `git`: the text files of a Git repository.
 */
export const feedKinds = ['feed', 'help_center', 'salesforce', 'git'] as const
export type FeedKind = (typeof feedKinds)[number]
export const feedStates = ['reading', 'ready', 'error'] as const
export type FeedState = (typeof feedStates)[number]
/** Ours: SPEC.md names no caps of feeds. */
export const feedCaps = {
  feeds: 20,
  entries: { feed: 500, help_center: 5_000, salesforce: 5_000, git: 5_000 },
} as const

/** What is read of a list, by its kind. */
const salesforceOptions = {
  /** one of the project's connections */
  connection: gid,
  /** as Salesforce names it: `en_US` */
  language: z.string().regex(/^[A-Za-z]{2,3}(?:_[A-Za-z]{2,4})?$/, 'Choose a language'),
  /** names of the fields whose texts are read: others may be for the team */
  fields: z
    .array(z.string().regex(/^\w{1,100}$/, 'This is not the name of a field'))
    .min(1, 'Choose at least one field')
    .max(20, 'Choose at most 20 fields'),
  /** where visitors find the articles: the end of an article's address is added; '': nowhere */
  site: z.string().trim().max(1_000, tooLong(1_000)).default(''),
}
const gitOptions = {
  /** a branch or tag; '': the main branch */
  branch: z
    .string()
    .trim()
    .max(200, tooLong(200))
    .regex(/^[^\s~^:?*[\\]*$/, 'This is not the name of a branch')
    .default(''),
  /** whose files are read; '': all */
  folder: z
    .string()
    .trim()
    .max(500, tooLong(500))
    .transform((path) => path.replace(/^\.?\/+|\/+$/g, ''))
    .default(''),
  /** the name of the project's secret that has an access token */
  secret: z.string().regex(SECRET_NAME, 'Choose a secret').optional(),
}
const optionsSchema = z.strictObject({ ...salesforceOptions, ...gitOptions }).partial()
export type FeedOptions = z.infer<typeof optionsSchema>

export const feedSchema = z.strictObject({
  gid,
  kind: z.enum(feedKinds),
  url: z.string(),
  options: optionsSchema,
  /** what it calls itself; '' until it is read */
  title: z.string(),
  /** the most entries taken at a reading, the newest first */
  most: z.int(),
  resync: z.enum(resyncs),
  state: z.enum(feedStates),
  /** pages that the reading under way has found so far; null: none is under way, or it does not say */
  found: z.int().nullable(),
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
    z.strictObject({
      kind: z.literal('salesforce'),
      ...salesforceOptions,
      most: most(feedCaps.entries.salesforce).default(1_000),
      resync: z.enum(resyncs).default('never'),
    }),
    z.strictObject({
      kind: z.literal('git'),
      url,
      ...gitOptions,
      most: most(feedCaps.entries.git).default(1_000),
      resync: z.enum(resyncs).default('never'),
    }),
  ]),
  planFor: planOfResync,
  answer,
})
/** How often it is read by itself; `left_out: 0`: pages that were deleted come again, once it is read. */
export const updateFeed = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/chatbots/:cgid/feeds/:gid',
  access: { feature: 'knowledge_base.resync' },
  params: one,
  body: z.strictObject({ resync: z.enum(resyncs).optional(), left_out: z.literal(0).optional() }),
  planFor: planOfResync,
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
