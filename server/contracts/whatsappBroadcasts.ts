import { z } from 'zod'
import { contactFields } from '../../engine/values/contactFields'
import { CUSTOM } from './contactFilter'
import { defineRoute, gid } from './route'

const ofChatbot = z.strictObject({ pgid: gid, cgid: gid })
const path = '/api/projects/:pgid/chatbots/:cgid/whatsapp/broadcasts'

/** People of one broadcast; a larger segment is narrowed first. */
export const MOST_RECIPIENTS = 10_000
/** People that a check and a broadcast's results list; all are counted. */
export const LISTED = 200
/** Messages a minute: what a number may send at most. */
export const MOST_A_MINUTE = 4_800

/** A field of contacts that may fill a place of a template. */
export const isFillField = (field: string): boolean =>
  field === '' || contactFields.some((each) => each === field) || field.startsWith(CUSTOM)

/** What fills a place: a contact's field, else a text, which also stands for a field that is empty. */
const fillSchema = z
  .strictObject({ field: z.string().max(80), text: z.string().trim().max(1_000) })
  .refine(({ field, text }) => field !== '' || text !== '', { path: ['text'], message: 'Enter a value' })
export type Fill = z.infer<typeof fillSchema>

/** Why somebody gets nothing. */
export const skipReasons = ['blocked', 'no-number', 'never-wrote', 'stopped', 'no-opt-in', 'no-value', 'twice'] as const
export type SkipReason = (typeof skipReasons)[number]
const counts = z.partialRecord(z.enum(skipReasons), z.int())

const audience = z.strictObject({
  /** null: all contacts */
  segment: gid.nullable(),
  template: z.strictObject({
    name: z.string().min(1, 'Choose a template').max(512),
    language: z.string().regex(/^[A-Za-z]{2,3}(_\w{2,11})?$/, 'Choose a template'),
  }),
  /** one for each place of the template, in their order */
  fills: z.array(fillSchema).max(40),
})
export const broadcastDraftSchema = audience.extend({
  name: z.string().trim().min(1, 'Enter a name').max(100, 'Must not exceed 100 characters'),
  per_minute: z
    .int('Enter a whole number')
    .min(1, 'Enter a number from 1 to 4,800')
    .max(MOST_A_MINUTE, 'Enter a number from 1 to 4,800'),
  price: z.number('Enter a price').min(0, 'Enter a price').max(1_000, 'Enter a price per message'),
  currency: z.string().trim().min(1, 'Enter a currency, such as EUR').max(20, 'Must not exceed 20 characters'),
})
export type BroadcastDraft = z.infer<typeof broadcastDraftSchema>

export const broadcastSchema = z.strictObject({
  gid,
  name: z.string(),
  segment: z.string(),
  template: z.strictObject({ name: z.string(), language: z.string() }),
  status: z.enum(['running', 'stopped', 'done']),
  per_minute: z.int(),
  price: z.number(),
  currency: z.string(),
  created_at: z.string(),
  /** null: a deleted account */
  created_by: z.string().nullable(),
  skipped: counts,
  /** who is to get it, by how far their message has come */
  people: z.strictObject({
    waiting: z.int(),
    sending: z.int(),
    sent: z.int(),
    delivered: z.int(),
    read: z.int(),
    failed: z.int(),
  }),
})
export type Broadcast = z.infer<typeof broadcastSchema>
const one = z.strictObject({ broadcast: broadcastSchema })

/** The newest, with what has come of them. */
export const listBroadcasts = defineRoute({
  method: 'GET',
  path,
  access: { feature: 'whatsapp.view' },
  params: ofChatbot,
  answer: z.strictObject({ broadcasts: z.array(broadcastSchema) }),
})

const recipient = z.strictObject({ contact: gid, name: z.string(), number: z.string() })

/** Who would get it, and who would not and why. Sends nothing. */
export const checkBroadcast = defineRoute({
  method: 'POST',
  path: `${path}/check`,
  access: { feature: 'whatsapp.broadcast' },
  limit: { by: 'user', most: 60 },
  params: ofChatbot,
  body: audience,
  answer: z.strictObject({
    count: z.int(),
    skipped: counts,
    /** the first of each; `text`: what it says to them */
    gets: z.array(recipient.extend({ text: z.string() })),
    not: z.array(recipient.extend({ reason: z.enum(skipReasons) })),
  }),
})
export type BroadcastCheck = z.infer<typeof checkBroadcast.answer>

/** Starts to send. Whoever gets it is decided now. */
export const startBroadcast = defineRoute({
  method: 'POST',
  path,
  access: { feature: 'whatsapp.broadcast' },
  plan: 'whatsapp',
  limit: { by: 'user', most: 30 },
  params: ofChatbot,
  body: broadcastDraftSchema,
  answer: one,
})

const ofBroadcast = ofChatbot.extend({ broadcast: gid })

/** What has been said already goes on its way. */
export const stopBroadcast = defineRoute({
  method: 'POST',
  path: `${path}/:broadcast/stop`,
  overLimit: 'allowed',
  access: { feature: 'whatsapp.broadcast' },
  params: ofBroadcast,
  answer: one,
})

export const resumeBroadcast = defineRoute({
  method: 'POST',
  path: `${path}/:broadcast/resume`,
  access: { feature: 'whatsapp.broadcast' },
  params: ofBroadcast,
  answer: one,
})

/** Those whom it did not reach, and why. */
export const listBroadcastFailures = defineRoute({
  method: 'GET',
  path: `${path}/:broadcast/failures`,
  access: { feature: 'whatsapp.broadcast' },
  params: ofBroadcast,
  answer: z.strictObject({ failures: z.array(recipient.extend({ reason: z.string() })) }),
})
export type BroadcastFailure = z.infer<typeof listBroadcastFailures.answer>['failures'][number]
