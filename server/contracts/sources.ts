import { z } from 'zod'
import { caps, tooLong } from '../../engine/values/caps'
import { defineRoute, gid, ok } from './route'

export const sourceKinds = ['link', 'faq', 'text', 'document'] as const
export type SourceKind = (typeof sourceKinds)[number]
export const sourceStatuses = ['queued', 'reading', 'training', 'ready', 'error', 'stopped'] as const
export type SourceStatus = (typeof sourceStatuses)[number]
export const resyncs = ['never', 'daily', 'weekly', 'monthly'] as const
export type Resync = (typeof resyncs)[number]
/** What of the plan is needed to have something read again by itself. */
export const planOfResync = ({ resync = 'never' }: { resync?: Resync | undefined }): readonly 'auto_sync'[] =>
  resync === 'never' ? [] : ['auto_sync']

/** Ours: SPEC.md names no caps of sources. */
export const sourceCaps = {
  title: 500,
  question: 1_000,
  phrasings: 50,
  answer: 20_000,
  /** characters of a rich text */
  text: 500_000,
  /** bytes of a PDF */
  document: 50_000_000,
  /** bytes of a CSV of FAQ entries, and its lines */
  csv: 10_000_000,
  csvLines: 20_000,
  /** sources per call */
  atOnce: 1_000,
} as const

const line = (max: number, empty: string) => z.string().trim().min(1, empty).max(max, tooLong(max))
export const faqSchema = z.strictObject({
  question: line(sourceCaps.question, 'Enter a question'),
  answer: line(sourceCaps.answer, 'Enter an answer'),
  /** other phrasings of the question */
  phrasings: z
    .array(line(sourceCaps.question, 'Enter a question'))
    .max(sourceCaps.phrasings, `Give at most ${sourceCaps.phrasings} phrasings`),
})
export type Faq = z.infer<typeof faqSchema>
export const richTextSourceSchema = z.strictObject({
  title: line(sourceCaps.title, 'Enter a title'),
  /** Markdown: what the screen's rich editor reads and writes */
  markdown: line(sourceCaps.text, 'Enter a text'),
})
/** Hand-written content, stored as given. */
export type SourceData = ({ kind: 'faq' } & Faq) | { kind: 'text'; markdown: string }

export const sourceSchema = z.strictObject({
  gid,
  kind: z.enum(sourceKinds),
  title: z.string(),
  /** of a link */
  url: z.string().nullable(),
  file_name: z.string().nullable(),
  bytes: z.int().nullable(),
  pages: z.int().nullable(),
  characters: z.int(),
  chunks: z.int(),
  language: z.string().nullable(),
  status: z.enum(sourceStatuses),
  /** why it failed, or what is missing, in a sentence with the remedy */
  reason: z.string().nullable(),
  resync: z.enum(resyncs),
  /** texts that speak to assistants: never said or given to a model unless a member allows them */
  planted: z.enum(['none', 'quarantined', 'allowed']),
  created_at: z.string(),
  trained_at: z.string().nullable(),
})
export type Source = z.infer<typeof sourceSchema>

const inChatbot = z.strictObject({ pgid: gid, cgid: gid })
const one = z.strictObject({ pgid: gid, cgid: gid, gid })
/** SPEC.md 9 knows PDF alone; the others are for who runs an installation of their own. */
export const documentTypes = ['pdf', 'docx', 'xlsx', 'pptx', 'epub', 'html', 'csv', 'text'] as const
export type DocumentType = (typeof documentTypes)[number]

const many = z.strictObject({ gids: z.array(gid).min(1, 'Choose at least one source').max(sourceCaps.atOnce) })
const answer = z.strictObject({ source: sourceSchema })
const view = { feature: 'knowledge_base.view' } as const
const create = { feature: 'knowledge_base.create' } as const
const update = { feature: 'knowledge_base.update' } as const

/** A chatbot's sources, filtered and paginated by the server, and the training progress of all. */
export const listSources = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/chatbots/:cgid/sources',
  access: view,
  params: inChatbot,
  query: z.strictObject({
    kind: z.enum(sourceKinds).optional(),
    status: z.enum(sourceStatuses).optional(),
    /** in titles and addresses */
    search: z.string().max(200).optional(),
    offset: z.coerce.number<string>().int().min(0).max(1_000_000).default(0),
    limit: z.coerce.number<string>().int().min(1).max(200).default(50),
  }),
  answer: z.strictObject({
    sources: z.array(sourceSchema),
    /** number of matches */
    total: z.int(),
    /** SPEC.md 4: idle if nothing is queued, read or trained; error if nothing is running and a source failed */
    training: z.strictObject({
      status: z.enum(['idle', 'training', 'error']),
      by_status: z.record(z.enum(sourceStatuses), z.int()),
      by_kind: z.record(z.enum(sourceKinds), z.int()),
      characters: z.int(),
      chunks: z.int(),
    }),
    /** the chatbot whose knowledge base is used instead; null: its own */
    linked: z.strictObject({ gid, name: z.string() }).nullable(),
    credits: z.strictObject({ used: z.number(), max: z.number() }),
    /** of documents that can be added */
    document_types: z.array(z.enum(documentTypes)),
  }),
})
export type SourceList = z.infer<typeof listSources.answer>

/** Adds pages by address, without crawling. Existing ones stay as they are; failed ones are retried. */
export const addLinks = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/sources/links',
  access: create,
  params: inChatbot,
  body: z.strictObject({
    urls: z
      .array(z.string().trim().max(caps.url, tooLong(caps.url)))
      .min(1, 'Enter an address')
      .max(sourceCaps.atOnce),
    resync: z.enum(resyncs).default('never'),
  }),
  planFor: planOfResync,
  answer: z.strictObject({ sources: z.array(sourceSchema) }),
})
export const addFaq = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/sources/faq',
  access: create,
  params: inChatbot,
  body: faqSchema,
  answer,
})
/**
 * CSV with the columns question, answer and optionally phrasings (separated by |). With `check` it only reports what it
 * would add; invalid lines are listed by number, and valid ones are added.
 */
export const importFaq = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/sources/faq/csv',
  access: create,
  params: inChatbot,
  body: z.strictObject({
    csv: z.string().max(sourceCaps.csv, 'A file may have 10 MB. Import it in parts'),
    check: z.boolean(),
  }),
  bodyLimit: sourceCaps.csv * 2,
  answer: z.strictObject({
    added: z.int(),
    /** invalid lines: line numbers as people count, from 1 */
    wrong: z.array(z.strictObject({ line: z.int(), message: z.string() })),
    /** the first valid ones */
    sample: z.array(faqSchema),
  }),
})
export const addText = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/sources/text',
  access: create,
  params: inChatbot,
  body: richTextSourceSchema,
  bodyLimit: sourceCaps.text * 4,
  answer,
})
/** A document of one of the types that the installation reads (`document_types`); the body is the file. */
export const addDocument = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/sources/documents',
  access: create,
  params: inChatbot,
  query: z.strictObject({ name: line(255, 'Give the name of the file').default('document.pdf') }),
  body: z.custom<AsyncIterable<Uint8Array>>(
    (body) => typeof body === 'object' && body !== null && Symbol.asyncIterator in body,
    'Send the file itself as the body, not JSON',
  ),
  bodyLimit: sourceCaps.document,
  answer,
})
/** A source with its content. */
export const readSource = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/chatbots/:cgid/sources/:gid',
  access: view,
  params: one,
  answer: z.strictObject({
    source: sourceSchema,
    /** null for links and documents */
    data: z.custom<SourceData | null>(),
    /** the first 200,000 characters of the Markdown; null until it is read */
    content: z.string().nullable(),
    /** the first 500 */
    chunks: z.array(z.strictObject({ position: z.int(), heading: z.string(), text: z.string() })),
    /** what of these speaks to assistants, at most 20 */
    planted: z.array(z.strictObject({ text: z.string(), allowed: z.boolean() })),
  }),
})
export type SourceDetail = z.infer<typeof readSource.answer>
/** Allows what a source says to assistants to be said, or puts it in quarantine again. */
export const allowPlanted = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/sources/:gid/planted',
  access: update,
  params: one,
  /** what may be said, as `readSource` shows it: a text that comes later stays in quarantine */
  body: z.strictObject({ allowed: z.array(z.string().max(sourceCaps.question + 1_000)).max(20) }),
  answer,
})
export const updateFaq = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/chatbots/:cgid/sources/:gid/faq',
  access: update,
  params: one,
  body: faqSchema,
  answer,
})
export const updateText = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/chatbots/:cgid/sources/:gid/text',
  access: update,
  params: one,
  body: richTextSourceSchema,
  bodyLimit: sourceCaps.text * 4,
  answer,
})
/** How often links are synced automatically. */
export const setResync = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/sources/resync',
  access: { feature: 'knowledge_base.resync' },
  params: inChatbot,
  body: many.extend({ resync: z.enum(resyncs) }),
  planFor: planOfResync,
  answer: ok,
})
/** Reads links again now and trains those that changed. Also retries failed and stopped ones. */
export const readAgain = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/sources/read-again',
  access: { feature: 'knowledge_base.resync' },
  params: inChatbot,
  body: many,
  answer: z.strictObject({ queued: z.int() }),
})
/** Stops queued and running sources: all of the chatbot's, or the given ones. */
export const stopTraining = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/sources/stop',
  access: update,
  params: inChatbot,
  body: many.partial(),
  answer: z.strictObject({ stopped: z.int() }),
})
/** SPEC.md 4: singly or in bulk, across kinds. */
export const deleteSources = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/sources/delete',
  access: { feature: 'knowledge_base.delete' },
  params: inChatbot,
  body: many,
  answer: z.strictObject({ deleted: z.int() }),
})
/** Uses the knowledge base of another chatbot of the project; null: its own again. */
export const linkKnowledge = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/knowledge-link',
  access: { feature: 'knowledge_base.link' },
  params: inChatbot,
  body: z.strictObject({ chatbot: gid.nullable() }),
  answer: ok,
})

/** A passage that was found for a question. */
export const passageSchema = z.strictObject({
  source: z.strictObject({ gid, kind: z.enum(sourceKinds), title: z.string(), url: z.string().nullable() }),
  heading: z.string(),
  text: z.string(),
  /** relevance, 0 to 1 */
  score: z.number(),
})
export type PresentedPassage = z.infer<typeof passageSchema>
/** `confident`: worth an answer; `unsure`: may help; `unknown`: nothing relevant. */
export const zones = ['confident', 'unsure', 'unknown'] as const
/** Searches for a question, and shows the built-in model's answer: costs nothing. */
export const testRetrieval = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/sources/test',
  access: view,
  params: inChatbot,
  body: z.strictObject({ question: line(caps.userMessage, 'Enter a question') }),
  answer: z.strictObject({
    passages: z.array(passageSchema),
    zone: z.enum(zones),
    /** probability that the passages contain an answer */
    confidence: z.number(),
    /** with citations, as [1] */
    answer: z.string(),
    /** by citation number from 1: indexes in `passages` */
    cites: z.array(z.int()),
    took_ms: z.number(),
  }),
})
export type RetrievalTest = z.infer<typeof testRetrieval.answer>
