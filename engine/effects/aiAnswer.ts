import { z } from 'zod'
import { answerPartSchema } from '../flow/answerParts'
import { jsonSchema } from '../values/json'
import { defineEffect, failureSchema } from './defineEffect'

const answerSchema = z.object({
  ok: z.literal(true),
  found: z.boolean(),
  /** Markdown; if nothing was found, what the visitor is told instead (no answer can be given now), or empty */
  text: z.string(),
  sources: z.array(z.strictObject({ title: z.string(), url: z.string().optional() })),
  /** shown to the visitor beside the text */
  parts: z.array(answerPartSchema).optional(),
  /** nothing was found, but these are near: what the visitor is asked with them is `text` */
  suggestions: z
    .strictObject({
      /** the label of the button that refuses them all */
      none: z.string(),
      offers: z.array(z.strictObject({ id: z.string(), label: z.string() })),
    })
    .optional(),
  /** what `text` says after the words that it may help, where the answer is uncertain; absent: it is certain */
  uncertain: z.string().optional(),
  /** values that actions save, by variable id */
  saved: z.record(z.string(), jsonSchema).optional(),
  /** why nothing was found, for the editor */
  note: z.string().optional(),
})

/** Answers a question from the chatbot's sources, or by a model alone. */
export const aiAnswerEffect = defineEffect({
  name: 'ai.answer',
  request: z.strictObject({
    source: z.enum(['knowledge', 'model']),
    /** empty: the visitor's last message */
    question: z.string(),
    /** a name of engine/values/aiLanguages.ts; null: the chatbot's setting */
    language: z.string().nullable(),
    /** null: the chatbot's setting */
    temperature: z.number().min(0).max(1).nullable(),
    /** empty: the chatbot's */
    instructions: z.string(),
    /** a model of the catalogue; absent: the chatbot's */
    model: z.int().optional(),
    /** false: not shown while it is generated */
    stream: z.literal(false).optional(),
    /** offers the nearest questions if nothing is found */
    suggest: z.literal(true).optional(),
    /** the offer that the visitor chose of those for the question before: it is answered with */
    chosen: z.string().optional(),
  }),
  result: z.union([answerSchema, failureSchema]),
})
export type Answer = z.infer<typeof answerSchema>
