import { z } from 'zod'
import { chatMessageSchema } from './chat'
import { defineRoute, gid, ok } from './route'
import { surveyAnswerSchema } from './surveyAnswers'

/** How far a message has come on a channel that says so, and why it was given up. */
export const deliverySchema = z.strictObject({
  status: z.enum(['due', 'sent', 'delivered', 'read', 'dead']),
  reason: z.string().nullable(),
})
export type Delivery = z.infer<typeof deliverySchema>

/** The most messages shown of a conversation: the newest. */
export const MESSAGES_SHOWN = 1_000

export const transcriptSchema = z.strictObject({
  gid,
  chatbot: z.string(),
  state: z.enum(['open', 'ended']),
  started_at: z.string(),
  /** a test whose changes are carried out */
  test: z.boolean(),
  /** null: not handed over */
  hand_off: z
    .strictObject({
      at: z.string(),
      team: z.string(),
      note: z.string(),
      /** where the visitor is answered; null: no address is known */
      email: z.string().nullable(),
    })
    .nullable(),
  /** what the visitor said of it at its end; null: nothing */
  survey: surveyAnswerSchema.nullable(),
  messages: z.array(
    chatMessageSchema.omit({ id: true, client_id: true }).extend({
      /** on a channel with delivery */
      delivery: deliverySchema.optional(),
    }),
  ),
  /** there are earlier messages */
  cut: z.boolean(),
})
export type TranscriptEntry = z.infer<typeof transcriptSchema>

/** A visitor's conversation, or a test's that was handed over, for members who may see conversations. */
export const readTranscript = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/chatbots/:cgid/conversations/:conversation',
  access: { feature: 'conversations.view' },
  params: z.strictObject({ pgid: gid, cgid: gid, conversation: gid }),
  answer: z.strictObject({ transcript: transcriptSchema }),
})

/** Sends a message again that its channel had given up. */
export const sendAgain = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/conversations/:conversation/messages/:seq/send-again',
  access: { feature: 'conversations.reply' },
  params: z.strictObject({
    pgid: gid,
    cgid: gid,
    conversation: gid,
    seq: z.coerce.number().int().min(1).max(2_000_000_000),
  }),
  answer: ok,
})
