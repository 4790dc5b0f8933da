import { z } from 'zod'
import { extractTypes } from '../values/extractFields'
import { jsonSchema } from '../values/json'
import { answerPartSchema } from './answerParts'

/** What the AI blocks ask of the services `ai.answer` and `ai.extract`, and what they are told. */
export const answerCallSchema = z.strictObject({
  source: z.enum(['knowledge', 'model']),
  /** empty: what the visitor said last */
  question: z.string(),
  /** a name of engine/values/aiLanguages.ts; null: as the chatbot is set */
  language: z.string().nullable(),
  /** null: as the chatbot is set */
  temperature: z.number().min(0).max(1).nullable(),
  /** empty: the chatbot's */
  instructions: z.string(),
  /** of the catalogue; left out: the chatbot's */
  model: z.int().optional(),
  /** false: not shown while it is written */
  stream: z.literal(false).optional(),
})
export const answerSchema = z.object({
  ok: z.literal(true),
  found: z.boolean(),
  /** Markdown; where nothing was found, what a visitor is told all the same: that no answer can be given now, or nothing */
  text: z.string(),
  sources: z.array(z.strictObject({ title: z.string(), url: z.string().optional() })),
  /** what the visitor is shown beside the text */
  parts: z.array(answerPartSchema).optional(),
  /** what actions keep, by the ids of the flow's variables */
  saved: z.record(z.string(), jsonSchema).optional(),
  /** why nothing was found, for the editor */
  note: z.string().optional(),
})

export const extractCallSchema = z.strictObject({
  /** null: what the visitor said */
  text: z.string().nullable(),
  /** how many of the visitor's messages, the newest ones */
  messages: z.int().min(1),
  fields: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      description: z.string(),
      type: z.enum(extractTypes),
      choices: z.array(z.string()),
    }),
  ),
})
export const extractionSchema = z.object({
  ok: z.literal(true),
  found: z.boolean(),
  /** by the ids of the fields; what was not found is missing */
  values: z.record(z.string(), jsonSchema),
  note: z.string().optional(),
})

export type AnswerCall = z.infer<typeof answerCallSchema>
export type Answer = z.infer<typeof answerSchema>
export type ExtractCall = z.infer<typeof extractCallSchema>
export type Extraction = z.infer<typeof extractionSchema>
