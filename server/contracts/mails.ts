import { z } from 'zod'
import { defineRoute, gid } from './route'

export const MAILS_PER_PAGE = 50

export const mailSchema = z.strictObject({
  gid,
  status: z.enum(['sending', 'sent', 'failed', 'outbox']),
  /** why it failed, or whom the server refused */
  reason: z.string().nullable(),
  purpose: z.enum(['flow', 'hand-off', 'invitation', 'comment', 'credits']),
  from: z.string(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  bcc: z.array(z.string()),
  reply_to: z.array(z.string()),
  subject: z.string(),
  /** sent by a test */
  test: z.boolean(),
  /** null: not of a conversation that is still there */
  chatbot: z.string().nullable(),
  created_at: z.string(),
})
export type MailEntry = z.infer<typeof mailSchema>

/** The newest first; `before` is the id of the last one of the page before. */
export const listMails = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/mails',
  access: { feature: 'notifications.view' },
  params: z.strictObject({ pgid: gid }),
  query: z.strictObject({ before: gid.optional() }),
  answer: z.strictObject({
    /** null: no mail server is set up, and mails stay here */
    mail_from: z.string().nullable(),
    mails: z.array(mailSchema),
    more: z.boolean(),
  }),
})
export const readMail = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/mails/:mgid',
  access: { feature: 'notifications.view' },
  params: z.strictObject({ pgid: gid, mgid: gid }),
  answer: z.strictObject({ mail: mailSchema.extend({ html: z.string(), text: z.string() }) }),
})
