import { z } from 'zod'
import { answerPartSchema } from '../../engine/flow/answerParts'
import { testEffectSchema } from '../../engine/flow/testEffects'
import { caps, tooLong } from '../../engine/values/caps'
import { jsonSchema } from '../../engine/values/json'
import { defineRoute, gid } from './route'
import { passageSchema, zones } from './sources'

/** A call of an action as it went: what the model gave, what it was told, what the visitor was shown. */
export const recordedCallSchema = z.strictObject({
  /** as its editor calls the action */
  name: z.string().max(300),
  input: jsonSchema,
  answer: jsonSchema,
  ok: z.boolean(),
  parts: z.array(answerPartSchema).max(10),
})
export type RecordedCall = z.infer<typeof recordedCallSchema>

/** One thing that happened on the way to an answer, for the debug card: a search, a call of a model, an action. */
export const stepSchema = z.strictObject({
  name: z.string(),
  /** in words, for a person: what was asked and what came of it */
  detail: z.string(),
  ms: z.number(),
  ok: z.boolean(),
  /** of an action */
  call: recordedCallSchema.optional(),
  /** of an action of a test: what it changed outside, or would have */
  effect: testEffectSchema.optional(),
})
/** What an answer came from. */
export const answerDebugSchema = z.strictObject({
  /** the catalogue's id and name of the model that wrote it */
  model: z.strictObject({ id: z.int(), name: z.string() }),
  temperature: z.number(),
  /** the question as it was searched for, once the conversation was taken into account */
  searched: z.string(),
  passages: z.array(passageSchema),
  zone: z.enum(zones),
  confidence: z.number(),
  /** what the model was sent; null where none was asked */
  prompt: z.string().nullable(),
  tokens: z.strictObject({ input: z.int(), output: z.int() }).nullable(),
  credits: z.number(),
  ms: z.number(),
  steps: z.array(stepSchema),
  /** for the editor: why a model failed, which one stood in */
  note: z.string().nullable(),
})
export type AnswerDebug = z.infer<typeof answerDebugSchema>

export const citationSchema = z.strictObject({
  /** as it stands in the text: [1] */
  number: z.int(),
  title: z.string(),
  /** null: there is none, or it is not shown */
  url: z.string().nullable(),
  source: gid,
  text: z.string(),
})
export const chatAnswerSchema = z.strictObject({
  /** Markdown with numbered citations; where nothing was found, what is said then */
  text: z.string(),
  found: z.boolean(),
  citations: z.array(citationSchema),
  /** what the visitor is shown beside the text, since the model used actions */
  parts: z.array(answerPartSchema),
  debug: answerDebugSchema,
})
export type ChatAnswer = z.infer<typeof chatAnswerSchema>

/** An answer as the playground gets it: whoever tests has to tell "I don't know" from what went wrong. */
export const triedAnswerSchema = chatAnswerSchema.extend({
  /** no model or no credits: the text is what visitors are told, the note of the record why */
  failed: z.boolean(),
})
export type TriedAnswer = z.infer<typeof triedAnswerSchema>

export const overridesSchema = z.strictObject({
  model_id: z.int().optional(),
  temperature: z.number().min(0).max(1).optional(),
  /** instructions that are not saved yet */
  instructions: z.string().max(20_000, tooLong(20_000)).optional(),
})

/** What the stream of an answer says, by the event's name. `text` comes while it is written, one of the others ends it. */
export interface AnswerEvents {
  text: { delta: string }
  answer: TriedAnswer
  failed: { message: string }
}

/**
 * The chatbot's own answer, outside of any flow: the playground. Answers a stream of server-sent events: `text` ({ delta }) as it is
 * written, then `answer` (TriedAnswer), or `failed` ({ message }). 409 with the messages of SPEC.md 8 while the set-up is not complete.
 */
export const askChatbot = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/answers',
  access: { feature: 'playground.use' },
  // a person asks, two settings side by side; a program would spend the project's credits with it
  limit: { by: 'user', most: 60 },
  params: z.strictObject({ pgid: gid, cgid: gid }),
  body: z.strictObject({
    question: z.string().trim().min(1, 'Enter a question').max(caps.userMessage, tooLong(caps.userMessage)),
    /** what was said before, oldest first */
    before: z.array(z.strictObject({ by: z.enum(['bot', 'visitor']), text: z.string().max(caps.text) })).max(100),
    overrides: overridesSchema.optional(),
    /** names what is talked here, so that an action for once a conversation is used once in it; without it each question is one */
    talk: gid.optional(),
    /** what actions change outside is carried out, and marked as a test; else simulated. 403 for who may not */
    carry_out: z.boolean().optional(),
  }),
  bodyLimit: 4_000_000,
  answer: z.unknown(),
})
