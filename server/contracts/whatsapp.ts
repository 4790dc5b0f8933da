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
  registered: z.boolean(),
  /** why it does not work, and what to do; null: it works, as far as is known */
  problem: z.string().nullable(),
  checked_at: z.string(),
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

/** Asks WhatsApp whether the connection still works. */
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

export const readWhatsappProfile = defineRoute({
  method: 'GET',
  path: `${path}/profile`,
  access: { feature: 'whatsapp.view' },
  limit: { by: 'user', most: 60 },
  params: ofChatbot,
  answer: z.strictObject({ profile: whatsappProfileSchema }),
})

export const saveWhatsappProfile = defineRoute({
  method: 'POST',
  path: `${path}/profile`,
  access: { feature: 'whatsapp.profile' },
  limit: { by: 'user', most: 30 },
  params: ofChatbot,
  body: z.strictObject({ profile: whatsappProfileSchema }),
  answer: z.strictObject({ profile: whatsappProfileSchema }),
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
