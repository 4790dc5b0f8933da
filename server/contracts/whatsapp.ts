import { z } from 'zod'
import { defineRoute, gid, ok } from './route'

const ofChatbot = z.strictObject({ pgid: gid, cgid: gid })
const path = '/api/projects/:pgid/chatbots/:cgid/whatsapp'

const digits = (what: string) =>
  z
    .string()
    .trim()
    .regex(/^\d{5,25}$/, `Enter the ${what}: digits only, as Meta shows it`)

/** What Meta's pages show of an app, an account and a number, and what connects them. */
export const whatsappKeysSchema = z.strictObject({
  app_id: digits('app ID'),
  app_secret: z.string().trim().min(1, 'Enter the app secret').max(200),
  business_id: digits('business account ID'),
  number_id: digits('phone number ID'),
  token: z.string().trim().min(1, 'Enter the access token').max(1_000),
  pin: z
    .string()
    .trim()
    .regex(/^\d{6}$/, 'Enter the six digits of the two-step verification PIN'),
})
export type WhatsappKeys = z.infer<typeof whatsappKeysSchema>

export const whatsappConnectionSchema = z.strictObject({
  gid,
  app_id: z.string(),
  business_id: z.string(),
  number_id: z.string(),
  phone_number: z.string(),
  verified_name: z.string(),
  /** GREEN, YELLOW, RED, or what else WhatsApp says */
  quality: z.string(),
  /** how many people it may write to first in a day: TIER_1K, or what else WhatsApp says; empty: not known */
  tier: z.string(),
  registered: z.boolean(),
  /** SPEC.md 3: 1 works, 2 has to be connected again */
  status_id: z.union([z.literal(1), z.literal(2)]),
  /** why it does not work, and what to do; null: it works, as far as is known */
  problem: z.string().nullable(),
  checked_at: z.string(),
  /** when WhatsApp last sent something here; null: it has not yet */
  heard_at: z.string().nullable(),
  connected_at: z.string(),
  /** null: a deleted account */
  connected_by: z.string().nullable(),
  /** leads to a conversation, for a link or a QR code */
  link: z.string(),
})
export type WhatsappConnection = z.infer<typeof whatsappConnectionSchema>

const state = z.strictObject({
  /** null: not connected */
  connection: whatsappConnectionSchema.nullable(),
  /** the version of the Graph interface that this installation asks for, and the day until which Meta keeps it */
  graph: z.strictObject({
    version: z.string(),
    ends_on: z.string().nullable(),
    state: z.enum(['fine', 'ends-soon', 'over']),
  }),
  /** whether a number can be connected by consenting at Meta: the installation has an app there */
  signup: z.boolean(),
  /** whether the chatbot has a published flow, which people talk to */
  published: z.boolean(),
  /** the triggers of the published flow that a link with a text opens */
  links: z.array(z.strictObject({ trigger: z.string(), text: z.string() })),
  /** values to fill the form with, in a sandbox; null elsewhere */
  example: whatsappKeysSchema.nullable(),
})
export type WhatsappState = z.infer<typeof state>

export const readWhatsapp = defineRoute({
  method: 'GET',
  path,
  access: { feature: 'whatsapp.view' },
  params: ofChatbot,
  answer: state,
})

/** Checks the values one after the other at WhatsApp, registers the number, and has its webhooks sent here. */
export const connectWhatsapp = defineRoute({
  method: 'POST',
  path,
  access: { feature: 'whatsapp.connect' },
  plan: 'whatsapp',
  limit: { by: 'user', most: 30 },
  params: ofChatbot,
  body: whatsappKeysSchema,
  answer: state,
})

/**
 * Tries the values of one step at WhatsApp, and stores nothing: whether app, secret and token belong together and the
 * token may do what is needed; whether the account has the number; whether the PIN registers it, which it does then.
 */
export const tryWhatsapp = defineRoute({
  method: 'POST',
  path: `${path}/try`,
  access: { feature: 'whatsapp.connect' },
  limit: { by: 'user', most: 60 },
  params: ofChatbot,
  body: z.discriminatedUnion('step', [
    whatsappKeysSchema.pick({ app_id: true, app_secret: true, token: true }).extend({ step: z.literal('app') }),
    whatsappKeysSchema.pick({ business_id: true, number_id: true, token: true }).extend({ step: z.literal('number') }),
    whatsappKeysSchema.pick({ number_id: true, token: true, pin: true }).extend({ step: z.literal('pin') }),
  ]),
  /** what it is called: the app, or the number with the name that people see */
  answer: z.strictObject({ found: z.string() }),
})
export type WhatsappTry = z.infer<typeof tryWhatsapp.body>

/** Asks WhatsApp whether the connection still works, in both directions. */
export const checkWhatsapp = defineRoute({
  method: 'POST',
  path: `${path}/check`,
  access: { feature: 'whatsapp.view' },
  limit: { by: 'user', most: 30 },
  params: ofChatbot,
  answer: state,
})

export const disconnectWhatsapp = defineRoute({
  method: 'DELETE',
  path,
  access: { feature: 'whatsapp.disconnect' },
  params: ofChatbot,
  answer: ok,
})

/** What people see of the business. Empty: nothing. */
export const whatsappProfileSchema = z.strictObject({
  about: z.string().max(139, 'Must not exceed 139 characters'),
  address: z.string().max(256, 'Must not exceed 256 characters'),
  description: z.string().max(256, 'Must not exceed 256 characters'),
  email: z.union([z.literal(''), z.email('Enter a valid email address').max(128)]),
  website: z.union([
    z.literal(''),
    z
      .string()
      .max(256)
      .regex(/^https?:\/\/\S+$/, 'Enter a valid URL (must start with https:// or http://)'),
  ]),
})
export type WhatsappProfile = z.infer<typeof whatsappProfileSchema>

/** `picture`: its address at WhatsApp; empty: there is none */
const profile = z.strictObject({ profile: whatsappProfileSchema, picture: z.string() })
export type WhatsappProfileState = z.infer<typeof profile>

export const readWhatsappProfile = defineRoute({
  method: 'GET',
  path: `${path}/profile`,
  access: { feature: 'whatsapp.view' },
  limit: { by: 'user', most: 60 },
  params: ofChatbot,
  answer: profile,
})

export const saveWhatsappProfile = defineRoute({
  method: 'POST',
  path: `${path}/profile`,
  access: { feature: 'whatsapp.profile' },
  limit: { by: 'user', most: 30 },
  params: ofChatbot,
  body: z.strictObject({ profile: whatsappProfileSchema }),
  answer: profile,
})

/** Bytes of a profile's picture (sheet of the vendor, "Media"). */
export const PROFILE_PICTURE_BYTES = 5_000_000

/** Gives WhatsApp the picture that people see: a file of the project, JPEG or PNG. */
export const saveWhatsappPicture = defineRoute({
  method: 'POST',
  path: `${path}/profile/picture`,
  access: { feature: 'whatsapp.profile' },
  limit: { by: 'user', most: 30 },
  params: ofChatbot,
  body: z.strictObject({ file: gid }),
  answer: profile,
})

const ofConnection = z.strictObject({ connection: gid })

/** WhatsApp asks whether the address is ours (sheet of the vendor, "Webhooks"). Answered as plain text. */
export const verifyWhatsappWebhook = defineRoute({
  method: 'GET',
  path: '/api/whatsapp/:connection/webhook',
  access: 'public',
  limit: { by: 'address', most: 60 },
  params: ofConnection,
  query: z.strictObject({
    'hub.mode': z.string().max(40),
    'hub.verify_token': z.string().max(200),
    'hub.challenge': z.string().max(200),
  }),
  answer: z.string(),
})

/** Bytes of a webhook: WhatsApp sends up to 3 MB. */
export const WHATSAPP_WEBHOOK_BODY = 3_200_000

/** What people wrote, and what became of messages to them. Signed with the secret of the app. */
export const receiveWhatsappWebhook = defineRoute({
  method: 'POST',
  path: '/api/whatsapp/:connection/webhook',
  access: { signature: { header: 'x-hub-signature-256', prefix: 'sha256=' } },
  params: ofConnection,
  bodyLimit: WHATSAPP_WEBHOOK_BODY,
  // stored as it came, and read part by part then (modules/whatsapp/readStored.ts)
  bytes: true,
  body: z.unknown(),
  answer: ok,
})
