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
const placeSchema = z.strictObject({ flowId: z.string().nullable(), groupId: z.string(), blockId: z.string() })
const turnSchema = z.strictObject({
  /** its number, from 0 */
  turn: z.int(),
  by: z.enum(['start', 'reply', 'timeout', 'continue', 'edit']),
  /** the last message of it or before it */
  last_seq: z.int(),
  /** ms, calls outside included; null where nobody measured */
  took: z.int().nullable(),
  /** the values that were set by hand */
  set: z.record(z.string(), jsonSchema).optional(),
})
export const debugSchema = z.strictObject({
  /** the block that waits for the tester; null when the conversation is over, or paused */
  active: placeSchema.nullable(),
  /** the block that it is paused before */
  paused: placeSchema.nullable(),
  /** all turns so far */
  turns: z.array(turnSchema),
  /** the turn that is shown: an earlier one when one looks back */
  turn: z.int(),
  /** every step since the start, oldest first; `turn` counts from 0 */
  path: z.array(traceStepSchema.extend({ turn: z.int() })),
  /** those of the flow that the conversation is in */
  variables: z.array(z.strictObject({ id: z.string(), name: z.string(), value: jsonSchema })),
  /** what the test changes outside is carried out from now on, and marked; else it is simulated */
  carries_out: z.boolean(),
  /** what it changed outside so far, or would have; in the order of the calls, without the mails' HTML */
  effects: z.array(
    placeSchema.extend({
      turn: z.int(),
      /** its step in the turn */
      step: z.int(),
      /** the message behind which it happened; 0: before all */
      after: z.int(),
      effect: testEffectSchema,
    }),
  ),
  /** what the variables of all flows are called, by id */
  names: z.record(z.string(), z.string()),
  stopped: z
    .strictObject({
      reason: z.enum(stopReasons),
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

const id = z.string().max(64)
/** Before which blocks turns end from this one on. */
const pauses = z.strictObject({
  /** before each one */
  step: z.boolean(),
  at: z.array(z.strictObject({ flowId: id.nullable(), blockId: id })).max(1_000),
})
const values = z.record(z.string().max(64), jsonSchema)

/** What went on in one step, for who looks into it. */
export const stepDetailSchema = z.strictObject({
  /** the block's data, every text with the values that the variables had then; null when it can't be found out any more */
  data: jsonSchema,
  messages: z.array(messageSchema),
  writes: z.record(z.string(), jsonSchema),
  effects: z.array(
    z.strictObject({
      type: z.enum(['now', 'random', 'call']),
      service: z.string().optional(),
      request: jsonSchema.optional(),
      result: jsonSchema,
      /** ms; null where nobody measured */
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

/** Freezes the draft as it is now and starts a conversation on it, at a trigger or `from` any group or block. */
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
    /** by variable id, of the flow that it begins in */
    values: values.optional(),
    pauses: pauses.optional(),
    /** what the test changes outside is carried out, and marked as a test; else simulated. 403 for who may not */
    carry_out: z.boolean().optional(),
  }),
  answer,
})
/** Whether what the test changes outside is carried out from now on. 403 for who may not switch it on. */
export const switchPlayground = defineRoute({
  method: 'POST',
  path: `${path}/:conversation/carry-out`,
  access: { feature: 'playground.use' },
  params,
  body: z.strictObject({ carry_out: z.boolean() }),
  answer,
})
/** The conversation as it is, or as it was after a turn. */
export const readPlayground = defineRoute({
  method: 'GET',
  path: `${path}/:conversation`,
  access: { feature: 'playground.use' },
  params,
  query: z.strictObject({ turn: turnNumber.optional() }),
  answer,
})
/** Goes on from the pause after a turn. */
export const continuePlayground = defineRoute({
  method: 'POST',
  path: `${path}/:conversation/continue`,
  access: { feature: 'playground.use' },
  load: 'turn',
  params,
  body: z.strictObject({ turn: z.int().min(0), pauses }),
  answer,
})
/** Sets variables for what follows. */
export const setPlaygroundVariables = defineRoute({
  method: 'POST',
  path: `${path}/:conversation/variables`,
  access: { feature: 'playground.use' },
  params,
  body: z.strictObject({ values }),
  answer,
})
/** Makes the conversation what it was after a turn; what came later is gone. Nothing is done a second time. */
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
/** Server-sent events `update` ({ conversation, debug }), resumed from the sequence number, and `draft` (api/chat). */
export const playgroundEvents = defineRoute({
  method: 'GET',
  path: `${path}/:conversation/events`,
  access: { feature: 'playground.use' },
  params,
  query: z.strictObject({ after: sequence.default(0) }),
  answer: z.unknown(),
})
