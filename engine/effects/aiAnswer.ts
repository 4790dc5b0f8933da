import { z } from 'zod'
import { answerPartSchema } from '../flow/answerParts'
import { jsonSchema } from '../values/json'
import { defineEffect, failureSchema } from './defineEffect'

const answerSchema = z.object({
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

/** Answers a question from the chatbot's sources, or by a model alone. */
export const aiAnswerEffect = defineEffect({
  name: 'ai.answer',
  request: z.strictObject({
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
  }),
  result: z.union([answerSchema, failureSchema]),
})
export type Answer = z.infer<typeof answerSchema>
