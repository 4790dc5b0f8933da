import { z } from 'zod'
import { sentReplySchema } from '../../../engine/flow/conversation'
import { caps } from '../../../engine/values/caps'
import { jsonSchema } from '../../../engine/values/json'
import {
  clientMessageId,
  conversationSchema,
  fileBody,
  fileName,
  language,
  SENT_FILE_CAP,
  sentFileAnswer,
  sequence,
} from '../chat/contract'
import { defineRoute, gid } from '../route'

/** The draft, run on the server by the same engine, with a record of every step. */
export const traceStepSchema = z.strictObject({
  /** null for the chatbot's main flow */
  flowId: z.string().nullable().default(null),
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
  active: z.strictObject({ flowId: z.string().nullable(), groupId: z.string(), blockId: z.string() }).nullable(),
  /** every step since the start, oldest first; `turn` counts from 0 */
  path: z.array(traceStepSchema.extend({ turn: z.int() })),
  /** those of the flow that the conversation is in */
  variables: z.array(z.strictObject({ id: z.string(), name: z.string(), value: jsonSchema })),
  /** what the variables of all flows are called, by id */
  names: z.record(z.string(), z.string()),
  stopped: z
    .strictObject({
      reason: z.enum(['step-limit', 'cycle']),
      at: z.strictObject({ flowId: z.string().nullable().default(null), groupId: z.string(), blockId: z.string() }),
    })
    .nullable(),
})
export type PlaygroundDebug = z.infer<typeof debugSchema>

/** Whom the tester stands for, so that triggers can be tried. */
export const testVisitSchema = z.strictObject({
  /** the page that is open */
  url: z.string().max(caps.url).optional(),
  /** whole days since the conversation before; left out: a first visit */
  away_days: z.int().min(0).max(3_650).optional(),
  language: language.optional(),
})
export type TestVisit = z.infer<typeof testVisitSchema>

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
  body: z.strictObject({ client_id: clientMessageId, as: testVisitSchema.optional() }),
  answer,
})
export const sendPlaygroundMessage = defineRoute({
  method: 'POST',
  path: `${path}/:conversation/messages`,
  access: { feature: 'playground.use' },
  params,
  body: z.strictObject({ client_id: clientMessageId, reply: sentReplySchema }),
  answer,
})
/** As a visitor's file is taken in. */
export const sendPlaygroundFile = defineRoute({
  method: 'POST',
  path: `${path}/:conversation/files`,
  access: { feature: 'playground.use' },
  params,
  query: z.strictObject({ name: fileName }),
  body: fileBody,
  bodyLimit: SENT_FILE_CAP,
  answer: sentFileAnswer,
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
