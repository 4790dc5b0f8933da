import { z } from 'zod'
import { caps, tooLong } from '../../engine/values/caps'
import { defineRoute, gid, ok } from './route'
import { resyncs } from './sources'

/** `page`: one page; `sitemap`: what a sitemap lists; `crawl`: following links, to a depth. */
export const crawlModes = ['page', 'sitemap', 'crawl'] as const
export type CrawlMode = (typeof crawlModes)[number]
export const crawlStates = ['finding', 'found', 'done', 'stopped', 'error'] as const
export type CrawlState = (typeof crawlStates)[number]
export const pageStates = ['waiting', 'found', 'left_out', 'failed'] as const
export type PageState = (typeof pageStates)[number]
export const crawlCaps = { depth: 10, pages: 10_000, patterns: 50, pattern: 500 } as const

const pattern = z
  .string()
  .trim()
  .min(1, 'Enter a part of the address')
  .max(crawlCaps.pattern, tooLong(crawlCaps.pattern))
const patterns = z.array(pattern).max(crawlCaps.patterns, `Give at most ${crawlCaps.patterns} patterns`)

export const crawlSchema = z.strictObject({
  gid,
  mode: z.enum(crawlModes),
  url: z.string(),
  depth: z.int(),
  max_pages: z.int(),
  include: z.array(z.string()),
  exclude: z.array(z.string()),
  state: z.enum(crawlStates),
  /** why it failed or ended early, in a sentence with the remedy */
  reason: z.string().nullable(),
  pages: z.record(z.enum(pageStates), z.int()),
  created_at: z.string(),
})
export type Crawl = z.infer<typeof crawlSchema>

const inChatbot = z.strictObject({ pgid: gid, cgid: gid })
const one = z.strictObject({ pgid: gid, cgid: gid, gid })
const answer = z.strictObject({ crawl: crawlSchema })

/** Starts a crawl in the background. It trains nothing. */
export const startCrawl = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/crawls',
  access: { feature: 'knowledge_base.create' },
  params: inChatbot,
  body: z.strictObject({
    mode: z.enum(crawlModes),
    /** SPEC.md 5's message for an invalid address */
    url: z.string().trim().max(caps.url, tooLong(caps.url)),
    depth: z.int().min(0).max(crawlCaps.depth).default(3),
    max_pages: z.int().min(1).max(crawlCaps.pages).default(500),
    /** parts of addresses, with * for any text: one of `include` must match, none of the others may */
    include: patterns.default([]),
    exclude: patterns.default([]),
  }),
  answer,
})
/** Its progress, with pages of one state. */
export const readCrawl = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/chatbots/:cgid/crawls/:gid',
  access: { feature: 'knowledge_base.view' },
  params: one,
  query: z.strictObject({
    state: z.enum(pageStates).default('found'),
    search: z.string().max(200).optional(),
    offset: z.coerce.number<string>().int().min(0).max(1_000_000).default(0),
    limit: z.coerce.number<string>().int().min(1).max(1_000).default(200),
  }),
  answer: z.strictObject({
    crawl: crawlSchema,
    pages: z.array(
      z.strictObject({
        url: z.string(),
        title: z.string(),
        state: z.enum(pageStates),
        reason: z.string().nullable(),
        /** a source with this address exists */
        known: z.boolean(),
      }),
    ),
    total: z.int(),
  }),
})
export type CrawlView = z.infer<typeof readCrawl.answer>
/** The chatbot's ten newest crawls. */
export const listCrawls = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/chatbots/:cgid/crawls',
  access: { feature: 'knowledge_base.view' },
  params: inChatbot,
  answer: z.strictObject({ crawls: z.array(crawlSchema) }),
})
/** Ends the crawl; what was found may be trained. */
export const stopCrawl = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/crawls/:gid/stop',
  overLimit: 'allowed',
  access: { feature: 'knowledge_base.create' },
  params: one,
  answer,
})
/** Creates sources from found pages: all but those excluded, or only those included. */
export const trainCrawl = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/crawls/:gid/train',
  access: { feature: 'knowledge_base.create' },
  params: one,
  body: z.strictObject({
    only: z.array(z.string().max(caps.url)).max(crawlCaps.pages).optional(),
    except: z.array(z.string().max(caps.url)).max(crawlCaps.pages).optional(),
    resync: z.enum(resyncs).default('never'),
  }),
  bodyLimit: 25_000_000,
  answer: z.strictObject({ added: z.int() }),
})
export const deleteCrawl = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid/chatbots/:cgid/crawls/:gid',
  overLimit: 'allowed',
  access: { feature: 'knowledge_base.create' },
  params: one,
  answer: ok,
})
