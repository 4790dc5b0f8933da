import { z } from 'zod'
import { caps, tooLong } from '../../engine/values/caps'
import { recordedCallSchema } from './answers'
import { defineRoute, gid, ok } from './route'

/** Questions of a chatbot, and those that one call adds. */
export const GOLDEN_CAP = 500
/** Of what a question is kept with. */
const KEPT_CHARACTERS = 300_000

const line = (max: number, empty: string) => z.string().trim().min(1, empty).max(max, tooLong(max))
/** A question whose right answer is known: what is asked after each change. */
export const goldenBody = z.strictObject({
  question: line(caps.userMessage, 'Enter a question'),
  /** words that have to be in the answer, any case; empty: none */
  words: z.array(line(200, 'Enter a word')).max(20, 'Give at most 20'),
  /** a source that has to be cited; null: any */
  source: gid.nullable(),
  /** the answer is not in the sources, and the chatbot has to say so */
  unknown: z.boolean(),
  /** of a conversation that it was kept from; left out: it stands alone */
  kept: z
    .strictObject({
      /** what was said before, oldest first */
      before: z.array(z.strictObject({ by: z.enum(['bot', 'visitor']), text: z.string().max(caps.text) })).max(100),
      /** what actions answered then: they do so again, and nothing is carried out */
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
  /** what is missing, for a person; null when it passed */
  problem: z.string().nullable(),
  answer: z.string(),
  /** places of the expected source among the passages, from 1; null: not among them */
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
  /** what answered; empty until the first answer is there */
  model: z.string(),
  passed: z.int(),
  total: z.int(),
  /** how far it is */
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
  // whoever tests keeps what was found out, as with conversations
  access: { feature: 'testing.use' },
  params: inChatbot,
  body: goldenBody,
  answer: z.strictObject({ question: goldenSchema }),
})
/** Several at once: all of them, or none where one is wrong (fields `questions.<place>.<field>`). */
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
/** Asks all of them, in the background; the list tells how far it is. 409 while a run is under way. */
export const runGolden = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/golden/run',
  access: { feature: 'testing.use' },
  params: inChatbot,
  answer: z.strictObject({ run: goldenRunSchema }),
})
