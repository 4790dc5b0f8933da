import { z } from 'zod'
import { caps, tooLong } from '../../engine/values/caps'
import { parseEmail, ruleMessages } from '../../engine/values/rules'
import { defineRoute, gid, ok } from './route'

/** Bytes of a mail that comes in, with its attachments. */
export const INBOUND_MAIL_CAP = 10_000_000
export const INBOUND_MAILS_SHOWN = 50

const inProject = z.strictObject({ pgid: gid })
const text = (most: number) => z.string().trim().max(most, tooLong(most))

/** Where visitors' replies to answers by mail arrive. */
const settings = z.strictObject({
  enabled: z.boolean(),
  kind: z.enum(['imap', 'webhook']),
  /** a thread's token is added to it: support@example.com becomes support+token@example.com */
  address: z
    .string()
    .trim()
    .max(caps.email, tooLong(caps.email))
    .refine((email) => parseEmail(email) !== null, ruleMessages.email)
    .refine((email) => email.split('@')[0]?.includes('+') === false, 'Enter the address without a plus sign')
    .refine((email) => (email.split('@')[0] ?? '').length <= 30, 'The part before the @ must not exceed 30 characters'),
  host: text(253),
  port: z.int().min(1).max(65_535),
  username: text(255),
  folder: text(255),
})
export type MailInboxSettings = z.infer<typeof settings>

const state = z.strictObject({
  settings: settings.nullable(),
  /** whether there is a password; nobody can read it */
  has_password: z.boolean(),
  /** where a mail service sends mails that came in, if it is a webhook */
  webhook: z.string().nullable(),
  checked_at: z.string().nullable(),
  /** why the mailbox could not be read the last time */
  problem: z.string().nullable(),
})
export type MailInboxState = z.infer<typeof state>

export const readMailInbox = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/mail-inbox',
  access: { feature: 'notifications.view' },
  params: inProject,
  answer: state,
})
/** Saves it. Without `password` the one that there is stays; another host or user name wants one. */
export const saveMailInbox = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/mail-inbox',
  access: { feature: 'notifications.update' },
  params: inProject,
  body: z.strictObject({ settings, password: z.string().min(1).max(500, tooLong(500)).optional() }),
  answer: state,
})
/** Makes the secret that a webhook's calls are signed with; shown once. */
export const makeMailSecret = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/mail-inbox/secret',
  access: { feature: 'notifications.update' },
  params: inProject,
  answer: z.strictObject({ secret: z.string() }),
})
/** Logs in to the mailbox, and sends a mail to the address. 422 with the reason where either fails. */
export const testMailInbox = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/mail-inbox/test',
  access: { feature: 'notifications.update' },
  limit: { by: 'user', most: 60 },
  params: inProject,
  answer: ok,
})

const inbound = z.strictObject({
  gid,
  status: z.enum(['accepted', 'refused', 'ignored']),
  reason: z.string().nullable(),
  sender: z.string(),
  subject: z.string(),
  conversation: gid.nullable(),
  at: z.string(),
})
export type InboundMail = z.infer<typeof inbound>
/** The newest mails that came in, and why some are no message of a conversation. */
export const listInboundMails = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/mail-inbox/mails',
  access: { feature: 'notifications.view' },
  params: inProject,
  answer: z.strictObject({ mails: z.array(inbound) }),
})

/**
 * A mail that came in, from a mail service: the whole mail (RFC 5322) in base64. Signed with the inbox's secret. The
 * same mail twice is one message.
 */
export const receiveMailHook = defineRoute({
  method: 'POST',
  path: '/api/mail-inboxes/:inbox/mails',
  access: { signature: { header: 'x-parley-signature', prefix: 'sha256=' } },
  limit: { by: 'address', most: 300 },
  params: z.strictObject({ inbox: gid }),
  // base64 takes a third more
  bodyLimit: Math.ceil(INBOUND_MAIL_CAP * 1.4),
  body: z.strictObject({ raw: z.base64().max(Math.ceil(INBOUND_MAIL_CAP * 1.37)) }),
  answer: z.strictObject({ status: z.enum(['accepted', 'refused', 'ignored']) }),
})
