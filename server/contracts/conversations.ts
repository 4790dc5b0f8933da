import { z } from 'zod'
import { chatMessageSchema } from './chat'
import { defineRoute, gid } from './route'

/** Most messages that are shown of a conversation: the newest. */
export const MESSAGES_SHOWN = 1_000

export const transcriptSchema = z.strictObject({
  gid,
  chatbot: z.string(),
  state: z.enum(['open', 'ended']),
  started_at: z.string(),
  /** a test that acts for real */
  test: z.boolean(),
  /** null: no person was asked for */
  hand_off: z
    .strictObject({
      at: z.string(),
      team: z.string(),
      note: z.string(),
      /** where the visitor is answered; null: no address is known */
      email: z.string().nullable(),
    })
    .nullable(),
  messages: z.array(chatMessageSchema.omit({ id: true, client_id: true })),
  /** there are earlier messages */
  cut: z.boolean(),
})
export type TranscriptEntry = z.infer<typeof transcriptSchema>

/** A visitor's conversation, or a test's that was handed to people, for those who may see conversations. */
export const readTranscript = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/chatbots/:cgid/conversations/:conversation',
  access: { feature: 'conversations.view' },
  params: z.strictObject({ pgid: gid, cgid: gid, conversation: gid }),
  answer: z.strictObject({ transcript: transcriptSchema }),
})
