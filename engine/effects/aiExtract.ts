import { z } from 'zod'
import { extractTypes } from '../values/extractFields'
import { jsonSchema } from '../values/json'
import { defineEffect, failureSchema } from './defineEffect'

const extractCallSchema = z.strictObject({
  /** null: the visitor's messages */
  text: z.string().nullable(),
  /** how many of the visitor's messages, newest first */
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

const extractionSchema = z.object({
  ok: z.literal(true),
  found: z.boolean(),
  /** by field id; fields that were not found are absent */
  values: z.record(z.string(), jsonSchema),
  note: z.string().optional(),
})

/** Extracts values of fields from the visitor's messages or a text. */
export const aiExtractEffect = defineEffect({
  name: 'ai.extract',
  request: extractCallSchema,
  result: z.union([extractionSchema, failureSchema]),
})
export type ExtractCall = z.infer<typeof extractCallSchema>
export type Extraction = z.infer<typeof extractionSchema>
