import { z } from 'zod'
import { answerPartSchema } from '../../engine/flow/answerParts'
import { aiResponseSchema } from '../../engine/flow/conversation'
import { testEffectSchema } from '../../engine/flow/testEffects'
import { caps, tooLong } from '../../engine/values/caps'
import { jsonSchema } from '../../engine/values/json'
import { defineRoute, gid } from './route'
import { passageSchema, zones } from './sources'

/** A recorded call of an action: its input, its result, and what the visitor was shown. */
export const recordedCallSchema = z.strictObject({
  /** the action's name given by its editor */
  name: z.string().max(300),
  input: jsonSchema,
  answer: jsonSchema,
  ok: z.boolean(),
  parts: z.array(answerPartSchema).max(10),
})
export type RecordedCall = z.infer<typeof recordedCallSchema>

/** A step on the way to an answer, for the debug card: a search, a model call, an action. */
export const stepSchema = z.strictObject({
  name: z.string(),
  /** a text for people: the request and its result */
  detail: z.string(),
  ms: z.number(),
  ok: z.boolean(),
  /** of an action */
  call: recordedCallSchema.optional(),
  /** of an action in a test: what it changed outside, or would have */
  effect: testEffectSchema.optional(),
})
/** How an answer came about. */
export const answerDebugSchema = z.strictObject({
  /** catalogue id and name of the model that wrote it */
  model: z.strictObject({ id: z.int(), name: z.string() }),
  temperature: z.number(),
  /** the search query, after taking the conversation into account */
  searched: z.string(),
  passages: z.array(passageSchema),
  zone: z.enum(zones),
  confidence: z.number(),
  /** the model's prompt; null if none was called */
  prompt: z.string().nullable(),
  tokens: z.strictObject({ input: z.int(), output: z.int() }).nullable(),
  credits: z.number(),
  ms: z.number(),
  steps: z.array(stepSchema),
  /** for the editor: why a model failed, which one replaced it */
  note: z.string().nullable(),
})
export type AnswerDebug = z.infer<typeof answerDebugSchema>

export const citationSchema = z.strictObject({
  /** as in the text: [1] */
  number: z.int(),
  title: z.string(),
  /** null: there is none, or it is hidden */
  url: z.string().nullable(),
  source: gid,
  text: z.string(),
})
/** A question of an entry, or a section's heading. */
const suggestionSchema = z.strictObject({ id: z.string(), label: z.string() })
export type Suggestion = z.infer<typeof suggestionSchema>
export const chatAnswerSchema = z.strictObject({
  /** Markdown with numbered citations; if nothing was found, the text for that */
  text: z.string(),
  found: z.boolean(),
  citations: z.array(citationSchema),
  /** shown beside the text, from actions that the model used */
  parts: z.array(answerPartSchema),
  /** nothing was found, but these questions and sections are near; `text` asks about them */
  suggestions: z
    .strictObject({
      /** the label of the button that refuses them all */
      none: z.string(),
      offers: z.array(suggestionSchema),
    })
    .optional(),
  debug: answerDebugSchema,
})
export type ChatAnswer = z.infer<typeof chatAnswerSchema>

/**
 * An answer in the playground, which is an AI response by the names of SPEC.md 3: testers must be able to tell "I don't
 * know" from a failure.
 */
export const triedAnswerSchema = chatAnswerSchema.omit({ found: true }).extend({
  ...aiResponseSchema.shape,
  /** no model or no credits: the text is for visitors, the record's note says why */
  failed: z.boolean(),
})
export type TriedAnswer = z.infer<typeof triedAnswerSchema>

export const overridesSchema = z.strictObject({
  model_id: z.int().optional(),
  temperature: z.number().min(0).max(1).optional(),
  /** unsaved instructions */
  instructions: z.string().max(20_000, tooLong(20_000)).optional(),
})

/** The events of an answer's stream. `text` comes while it is written, one of the others ends it. */
export interface AnswerEvents {
  text: { delta: string }
  answer: TriedAnswer
  failed: { message: string }
}

/**
 * Asks the chatbot outside of any flow (playground). Answers a stream of server-sent events: `text` ({ delta }) as it
 * is written, then `answer` (TriedAnswer), or `failed` ({ message }). 409 with the messages of SPEC.md 8 while the
 * set-up is incomplete.
 */
export const askChatbot = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/answers',
  access: { feature: 'playground.use' },
  // for a person comparing two settings; a program could spend the project's credits
  limit: { by: 'user', most: 60 },
  params: z.strictObject({ pgid: gid, cgid: gid }),
  body: z.strictObject({
    question: z.string().trim().min(1, 'Enter a question').max(caps.userMessage, tooLong(caps.userMessage)),
    /** earlier lines, oldest first */
    before: z.array(z.strictObject({ by: z.enum(['bot', 'visitor']), text: z.string().max(caps.text) })).max(100),
    overrides: overridesSchema.optional(),
    /** a suggestion of an earlier answer, whose section is the answer */
    chosen: z.string().max(100).optional(),
    /**
     * identifies the conversation, in which a once-per-conversation action is used once; absent: each question is a
     * separate one
     */
    talk: gid.optional(),
    /** carry out actions' changes outside, marked as a test; otherwise they are simulated. 403 without permission */
    carry_out: z.boolean().optional(),
  }),
  bodyLimit: 4_000_000,
  answer: z.unknown(),
})
