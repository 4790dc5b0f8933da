import { z } from 'zod'
import { messageSchema, sentReplySchema } from '../../engine/flow/conversation'
import { testEffectSchema } from '../../engine/flow/testEffects'
import { stopReasons } from '../../engine/run/session'
import { caps } from '../../engine/values/caps'
import { jsonSchema } from '../../engine/values/json'
import {
  clientMessageId,
  conversationSchema,
  fileBody,
  fileName,
  language,
  SENT_FILE_CAP,
  sentFileAnswer,
  sequence,
} from './chat'
import { defineRoute, gid } from './route'

/** Runs the draft on the server with the same engine, and records every step. */
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
const placeSchema = z.strictObject({ flowId: z.string().nullable(), groupId: z.string(), blockId: z.string() })
const turnSchema = z.strictObject({
  /** its index, from 0 */
  turn: z.int(),
  by: z.enum(['start', 'reply', 'timeout', 'continue', 'edit']),
  /** the last message of it or before it */
  last_seq: z.int(),
  /** ms, including calls outside; null if not measured */
  took: z.int().nullable(),
  /** values set by hand */
  set: z.record(z.string(), jsonSchema).optional(),
})
export const debugSchema = z.strictObject({
  /** the block that waits for the tester; null if the conversation is over or paused */
  active: placeSchema.nullable(),
  /** the block before which it is paused */
  paused: placeSchema.nullable(),
  /** all turns so far */
  turns: z.array(turnSchema),
  /** the turn shown: an earlier one when looking back */
  turn: z.int(),
  /** every step since the start, oldest first; `turn` counts from 0 */
  path: z.array(traceStepSchema.extend({ turn: z.int() })),
  /** of the conversation's current flow */
  variables: z.array(z.strictObject({ id: z.string(), name: z.string(), value: jsonSchema })),
  /** whether changes outside are carried out from now on, and marked; otherwise they are simulated */
  carries_out: z.boolean(),
  /** what it changed outside so far, or would have; in call order, without the mails' HTML */
  effects: z.array(
    placeSchema.extend({
      turn: z.int(),
      /** its step in the turn */
      step: z.int(),
      /** the message that it followed; 0: before all */
      after: z.int(),
      effect: testEffectSchema,
    }),
  ),
  /** names of the variables of all flows, by id */
  names: z.record(z.string(), z.string()),
  stopped: z
    .strictObject({
      reason: z.enum(stopReasons),
      at: z.strictObject({ flowId: z.string().nullable().default(null), groupId: z.string(), blockId: z.string() }),
    })
    .nullable(),
})
export type PlaygroundDebug = z.infer<typeof debugSchema>

/** The simulated visit, for trying out triggers. */
export const testVisitSchema = z.strictObject({
  /** the open page */
  url: z.string().max(caps.url).optional(),
  /** whole days since the previous conversation; absent: a first visit */
  away_days: z.int().min(0).max(3_650).optional(),
  language: language.optional(),
})
export type TestVisit = z.infer<typeof testVisitSchema>

const id = z.string().max(64)
/** The blocks before which turns pause from now on. */
const pauses = z.strictObject({
  /** before every block */
  step: z.boolean(),
  at: z.array(z.strictObject({ flowId: id.nullable(), blockId: id })).max(1_000),
})
const values = z.record(z.string().max(64), jsonSchema)

/** The details of one step. */
export const stepDetailSchema = z.strictObject({
  /**
   * the block's data with variables replaced by their values at that time; null if they can't be determined any more
   */
  data: jsonSchema,
  messages: z.array(messageSchema),
  writes: z.record(z.string(), jsonSchema),
  effects: z.array(
    z.strictObject({
      type: z.enum(['now', 'random', 'call']),
      service: z.string().optional(),
      request: jsonSchema.optional(),
      result: jsonSchema,
      /** ms; null if not measured */
      took: z.number().nullable(),
    }),
  ),
})
export type StepDetail = z.infer<typeof stepDetailSchema>

const flowParams = z.strictObject({ pgid: gid, cgid: gid, fid: gid })
const params = z.strictObject({ pgid: gid, cgid: gid, fid: gid, conversation: gid })
const turnNumber = z.coerce.number().int().min(0).max(2_000_000_000)
const path = '/api/projects/:pgid/chatbots/:cgid/flows/:fid/playground'
const answer = z.strictObject({ conversation: conversationSchema, debug: debugSchema })

/** Freezes the present draft and starts a conversation on it, at a trigger or (`from`) at any group or block. */
export const startPlayground = defineRoute({
  method: 'POST',
  path,
  access: { feature: 'playground.use' },
  load: 'draft',
  params: flowParams,
  body: z.strictObject({
    client_id: clientMessageId,
    as: testVisitSchema.optional(),
    from: z
      .strictObject({
        flow_id: z.string().max(64).nullable(),
        group_id: z.string().max(64),
        block_id: z.string().max(64).optional(),
      })
      .optional(),
    /** by variable id, of the flow that it starts in */
    values: values.optional(),
    pauses: pauses.optional(),
    /** carry out changes outside, marked as a test; otherwise they are simulated. 403 without permission */
    carry_out: z.boolean().optional(),
  }),
  answer,
})
/** Whether changes outside are carried out from now on. 403 without permission to switch it on. */
export const switchPlayground = defineRoute({
  method: 'POST',
  path: `${path}/:conversation/carry-out`,
  access: { feature: 'playground.use' },
  params,
  body: z.strictObject({ carry_out: z.boolean() }),
  answer,
})
/** The conversation in its present state, or as it was after a turn. */
export const readPlayground = defineRoute({
  method: 'GET',
  path: `${path}/:conversation`,
  access: { feature: 'playground.use' },
  params,
  query: z.strictObject({ turn: turnNumber.optional() }),
  answer,
})
/** Continues from the pause after a turn. */
export const continuePlayground = defineRoute({
  method: 'POST',
  path: `${path}/:conversation/continue`,
  access: { feature: 'playground.use' },
  load: 'turn',
  params,
  body: z.strictObject({ turn: z.int().min(0), pauses }),
  answer,
})
/** Sets variables for the following turns. */
export const setPlaygroundVariables = defineRoute({
  method: 'POST',
  path: `${path}/:conversation/variables`,
  access: { feature: 'playground.use' },
  params,
  body: z.strictObject({ values }),
  answer,
})
/** Resets the conversation to its state after a turn; later turns are deleted. Nothing is executed again. */
export const rewindPlayground = defineRoute({
  method: 'POST',
  path: `${path}/:conversation/rewind`,
  access: { feature: 'playground.use' },
  params,
  body: z.strictObject({ turn: z.int().min(0) }),
  answer,
})
export const stopPlayground = defineRoute({
  method: 'POST',
  path: `${path}/:conversation/stop`,
  access: { feature: 'playground.use' },
  params,
  answer,
})
export const inspectPlaygroundStep = defineRoute({
  method: 'GET',
  path: `${path}/:conversation/turns/:turn/steps/:step`,
  access: { feature: 'playground.use' },
  params: params.extend({ turn: turnNumber, step: turnNumber }),
  answer: stepDetailSchema,
})
export const sendPlaygroundMessage = defineRoute({
  method: 'POST',
  path: `${path}/:conversation/messages`,
  access: { feature: 'playground.use' },
  load: 'turn',
  params,
  body: z.strictObject({ client_id: clientMessageId, reply: sentReplySchema, pauses: pauses.optional() }),
  answer,
})
/** Like a visitor's upload. */
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
/** Server-sent events `update` ({ conversation, debug }), resumed from the sequence number, and `draft` (api/chat). */
export const playgroundEvents = defineRoute({
  method: 'GET',
  path: `${path}/:conversation/events`,
  access: { feature: 'playground.use' },
  params,
  query: z.strictObject({ after: sequence.default(0) }),
  answer: z.unknown(),
})
