import { z } from 'zod'
import { caps, tooLong } from '../../engine/values/caps'
import { recordedCallSchema } from './answers'
import { defineRoute, gid, ok } from './route'

/** The most questions of a chatbot, and of one import. */
export const EVALUATIONS_CAP = 500
/** The most characters of a question's recorded context. */
const KEPT_CHARACTERS = 300_000

const line = (max: number, empty: string) => z.string().trim().min(1, empty).max(max, tooLong(max))
/** A question with a known answer: asked again after changes. */
export const evaluationBody = z.strictObject({
  question: line(caps.userMessage, 'Enter a question'),
  /** words that the answer must contain, ignoring case; empty: none */
  words: z.array(line(200, 'Enter a word')).max(20, 'Give at most 20'),
  /** a source that must be cited; null: any */
  source: gid.nullable(),
  /** the sources don't contain the answer, and the chatbot must say so */
  unknown: z.boolean(),
  /** the conversation that it was created from; absent: none */
  kept: z
    .strictObject({
      /** the conversation before it, oldest first */
      before: z.array(z.strictObject({ by: z.enum(['bot', 'visitor']), text: z.string().max(caps.text) })).max(100),
      /** recorded results of actions: they are used again, and nothing is carried out */
      actions: z.array(recordedCallSchema).max(20),
    })
    .refine((kept) => JSON.stringify(kept).length <= KEPT_CHARACTERS, {
      message: 'This conversation is too long to save. Ask the question in a shorter one',
    })
    .optional(),
})
export type EvaluationBody = z.infer<typeof evaluationBody>
export const evaluationResultSchema = z.strictObject({
  passed: z.boolean(),
  /** what is missing, for people; null if it passed */
  problem: z.string().nullable(),
  answer: z.string(),
  /** rank of the expected source among the passages, from 1; null: absent */
  rank: z.int().nullable(),
})
export type EvaluationResult = z.infer<typeof evaluationResultSchema>
export const evaluationSchema = evaluationBody.extend({
  gid,
  source_title: z.string().nullable(),
  /** of the newest run and of the one before; null: not run */
  result: evaluationResultSchema.nullable(),
  before: evaluationResultSchema.nullable(),
})
export type EvaluationQuestion = z.infer<typeof evaluationSchema>
export const evaluationRunSchema = z.strictObject({
  gid,
  at: z.string(),
  /** the model that answered; empty until the first answer */
  model: z.string(),
  /** a training began it */
  after_training: z.boolean(),
  passed: z.int(),
  total: z.int(),
  /** number of answered questions */
  done: z.int(),
  running: z.boolean(),
})
export type EvaluationRun = z.infer<typeof evaluationRunSchema>

const inChatbot = z.strictObject({ pgid: gid, cgid: gid })
const one = z.strictObject({ pgid: gid, cgid: gid, gid })
export const listEvaluations = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/chatbots/:cgid/evaluations',
  access: { feature: 'testing.view' },
  params: inChatbot,
  answer: z.strictObject({
    questions: z.array(evaluationSchema),
    runs: z.array(evaluationRunSchema),
    /** all are asked when a training has ended */
    after_training: z.boolean(),
  }),
})
export type EvaluationList = z.infer<typeof listEvaluations.answer>
export const addEvaluation = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/evaluations',
  // testers may add questions, as they may keep conversations
  access: { feature: 'testing.use' },
  params: inChatbot,
  body: evaluationBody,
  answer: z.strictObject({ question: evaluationSchema }),
})
/** Adds several: all of them, or none if one is invalid (fields `questions.<index>.<field>`). */
export const importEvaluations = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/evaluations/import',
  access: { feature: 'instructions.update' },
  params: inChatbot,
  body: z.strictObject({ questions: z.array(evaluationBody).min(1, 'Enter a question').max(EVALUATIONS_CAP) }),
  bodyLimit: 25_000_000,
  answer: z.strictObject({ added: z.int() }),
})
export const changeEvaluation = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/chatbots/:cgid/evaluations/:gid',
  access: { feature: 'instructions.update' },
  params: one,
  body: evaluationBody,
  answer: z.strictObject({ question: evaluationSchema }),
})
export const deleteEvaluation = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid/chatbots/:cgid/evaluations/:gid',
  access: { feature: 'instructions.update' },
  params: one,
  answer: ok,
})
/** Whether all questions are asked when a training has ended, in the background. */
export const setEvaluationRuns = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/chatbots/:cgid/evaluations/runs',
  access: { feature: 'instructions.update' },
  params: inChatbot,
  body: z.strictObject({ after_training: z.boolean() }),
  answer: ok,
})
/** Asks all questions in the background; the list shows the progress. 409 while a run is in progress. */
export const runEvaluations = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/evaluations/run',
  access: { feature: 'testing.use' },
  params: inChatbot,
  answer: z.strictObject({ run: evaluationRunSchema }),
})
