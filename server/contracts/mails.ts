import { z } from 'zod'
import { defineRoute, gid } from './route'

export const MAILS_PER_PAGE = 50

/** What a delivery service told of a mail after it took it; a mail server tells nothing. */
const deliveryStates = ['accepted', 'deferred', 'delivered', 'opened', 'bounced', 'dropped', 'spam'] as const
export type DeliveryState = (typeof deliveryStates)[number]
const deliverySchema = z.strictObject({
  recipient: z.string(),
  state: z.enum(deliveryStates),
  at: z.string(),
  reason: z.string().nullable(),
})
export type MailDelivery = z.infer<typeof deliverySchema>

export const mailSchema = z.strictObject({
  gid,
  status: z.enum(['sending', 'sent', 'failed', 'outbox']),
  /** why it failed, or which recipients the server refused */
  reason: z.string().nullable(),
  purpose: z.enum([
    'flow',
    'hand-off',
    'invitation',
    'comment',
    'credits',
    'notification',
    'answer',
    'report',
    'connection',
    'billing',
  ]),
  from: z.string(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  bcc: z.array(z.string()),
  reply_to: z.array(z.string()),
  subject: z.string(),
  /** sent by a test */
  test: z.boolean(),
  /** null: not of an existing conversation */
  chatbot: z.string().nullable(),
  /** the worst for any recipient; null: nothing was told */
  delivery: z.enum(deliveryStates).nullable(),
  created_at: z.string(),
})
export type MailEntry = z.infer<typeof mailSchema>

/** Newest first; `before` is the id of the previous page's last one. */
export const listMails = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/mails',
  access: { feature: 'notifications.view' },
  params: z.strictObject({ pgid: gid }),
  query: z.strictObject({ before: gid.optional() }),
  answer: z.strictObject({
    /** null: there is no mail server, and mails stay here */
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
  answer: z.strictObject({
    mail: mailSchema.extend({
      html: z.string(),
      text: z.string(),
      /** oldest first */
      deliveries: z.array(deliverySchema),
    }),
  }),
})
