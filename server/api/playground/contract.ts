import { z } from 'zod'
import { jsonSchema } from '../../../engine/values/json'
import { clientMessageId, conversationSchema, replySchema, sequence } from '../chat/contract'
import { defineRoute, gid } from '../route'

/** The draft, run on the server by the same engine, with a record of every step. */
export const traceStepSchema = z.strictObject({
  groupId: z.string(),
  blockId: z.string(),
  kind: z.string(),
  port: z.string().nullable(),
  messages: z.int(),
  writes: z.record(z.string(), jsonSchema),
  note: z.string().optional(),
})
export const debugSchema = z.strictObject({
  /** the block that waits for the tester; null when the conversation is over */
  active: z.strictObject({ groupId: z.string(), blockId: z.string() }).nullable(),
  /** every step since the start, oldest first; `turn` counts from 0 */
  path: z.array(traceStepSchema.extend({ turn: z.int() })),
  variables: z.array(z.strictObject({ id: z.string(), name: z.string(), value: jsonSchema })),
  stopped: z
    .strictObject({
      reason: z.enum(['step-limit', 'cycle']),
      at: z.strictObject({ groupId: z.string(), blockId: z.string() }),
    })
    .nullable(),
})
export type PlaygroundDebug = z.infer<typeof debugSchema>

const flowParams = z.strictObject({ pgid: gid, cgid: gid, fid: gid })
const params = z.strictObject({ pgid: gid, cgid: gid, fid: gid, conversation: gid })
const path = '/api/projects/:pgid/chatbots/:cgid/flows/:fid/playground'
const answer = z.strictObject({ conversation: conversationSchema, debug: debugSchema })

/** Freezes the draft as it is now and starts a conversation on it. */
export const startPlayground = defineRoute({
  method: 'POST',
  path,
  access: { feature: 'playground.use' },
  params: flowParams,
  body: z.strictObject({ client_id: clientMessageId }),
  answer,
})
export const sendPlaygroundMessage = defineRoute({
  method: 'POST',
  path: `${path}/:conversation/messages`,
  access: { feature: 'playground.use' },
  params,
  body: z.strictObject({ client_id: clientMessageId, reply: replySchema }),
  answer,
})
/** Server-sent events `update` ({ conversation, debug }), resumed from the sequence number. */
export const playgroundEvents = defineRoute({
  method: 'GET',
  path: `${path}/:conversation/events`,
  access: { feature: 'playground.use' },
  params,
  query: z.strictObject({ after: sequence.default(0) }),
  answer: z.unknown(),
})
