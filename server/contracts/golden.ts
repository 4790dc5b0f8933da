import { z } from 'zod'
import { caps, tooLong } from '../../engine/values/caps'
import { recordedCallSchema } from './answers'
import { defineRoute, gid, ok } from './route'

/** The most questions of a chatbot, and of one import. */
export const GOLDEN_CAP = 500
/** The most characters of a question's recorded context. */
const KEPT_CHARACTERS = 300_000

const line = (max: number, empty: string) => z.string().trim().min(1, empty).max(max, tooLong(max))
/** A question with a known answer: asked again after changes. */
export const goldenBody = z.strictObject({
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
export type GoldenBody = z.infer<typeof goldenBody>
export const goldenResultSchema = z.strictObject({
  passed: z.boolean(),
  /** what is missing, for people; null if it passed */
  problem: z.string().nullable(),
  answer: z.string(),
  /** rank of the expected source among the passages, from 1; null: absent */
  rank: z.int().nullable(),
})
export type GoldenResult = z.infer<typeof goldenResultSchema>
export const goldenSchema = goldenBody.extend({
  gid,
  source_title: z.string().nullable(),
  /** of the newest run and of the one before; null: not run */
  result: goldenResultSchema.nullable(),
  before: goldenResultSchema.nullable(),
})
export type Golden = z.infer<typeof goldenSchema>
export const goldenRunSchema = z.strictObject({
  gid,
  at: z.string(),
  /** the model that answered; empty until the first answer */
  model: z.string(),
  passed: z.int(),
  total: z.int(),
  /** number of answered questions */
  done: z.int(),
  running: z.boolean(),
})
export type GoldenRun = z.infer<typeof goldenRunSchema>

const inChatbot = z.strictObject({ pgid: gid, cgid: gid })
const one = z.strictObject({ pgid: gid, cgid: gid, gid })
export const listGolden = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/chatbots/:cgid/golden',
  access: { feature: 'testing.view' },
  params: inChatbot,
  answer: z.strictObject({ questions: z.array(goldenSchema), runs: z.array(goldenRunSchema) }),
})
export type GoldenList = z.infer<typeof listGolden.answer>
export const addGolden = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/golden',
  // testers may add questions, as they may keep conversations
  access: { feature: 'testing.use' },
  params: inChatbot,
  body: goldenBody,
  answer: z.strictObject({ question: goldenSchema }),
})
/** Adds several: all of them, or none if one is invalid (fields `questions.<index>.<field>`). */
export const importGolden = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/golden/import',
  access: { feature: 'instructions.update' },
  params: inChatbot,
  body: z.strictObject({ questions: z.array(goldenBody).min(1, 'Enter a question').max(GOLDEN_CAP) }),
  bodyLimit: 25_000_000,
  answer: z.strictObject({ added: z.int() }),
})
export const changeGolden = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/chatbots/:cgid/golden/:gid',
  access: { feature: 'instructions.update' },
  params: one,
  body: goldenBody,
  answer: z.strictObject({ question: goldenSchema }),
})
export const deleteGolden = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid/chatbots/:cgid/golden/:gid',
  access: { feature: 'instructions.update' },
  params: one,
  answer: ok,
})
/** Asks all questions in the background; the list shows the progress. 409 while a run is in progress. */
export const runGolden = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/golden/run',
  access: { feature: 'testing.use' },
  params: inChatbot,
  answer: z.strictObject({ run: goldenRunSchema }),
})
