import { z } from 'zod'
import { listFields } from '../values/richText'
import { defineEffect, failureSchema, optional } from './defineEffect'

const addresses = z.array(z.string()).max(1_000, 'The email has too many addresses.')

const leaf = z.object({
  text: z.string(),
  bold: z.literal(true).optional(),
  italic: z.literal(true).optional(),
  underline: z.literal(true).optional(),
  link: z.string().optional(),
})

/** Fully rendered; texts are as visitors wrote them. */
const mailRequestSchema = z.strictObject({
  fromName: z.string(),
  to: addresses,
  cc: addresses,
  bcc: addresses,
  replyTo: addresses,
  subject: z.string(),
  body: z.array(z.object({ type: z.literal('paragraph'), ...listFields, children: z.array(leaf) })),
})
export type MailRequest = z.infer<typeof mailRequestSchema>

/** Sends a mail. */
export const mailEffect = defineEffect({
  name: 'mail',
  request: mailRequestSchema,
  result: z.union([
    failureSchema,
    z.object({
      ok: z.literal(true),
      /** null: simulated */
      messageId: optional(z.string().nullable()),
      /** `outbox`: there is no mail server */
      status: optional(z.enum(['sent', 'outbox', 'simulated'])),
      /** addresses that the mail server refused */
      refused: optional(z.array(z.string())),
    }),
  ]),
})
