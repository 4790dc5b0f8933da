import { z } from 'zod'
import { extractTypes } from '../values/extractFields'
import { jsonSchema } from '../values/json'
import { defineEffect, failureSchema } from './defineEffect'

const extractCallSchema = z.strictObject({
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

const extractionSchema = z.object({
  ok: z.literal(true),
  found: z.boolean(),
  /** by the ids of the fields; what was not found is missing */
  values: z.record(z.string(), jsonSchema),
  note: z.string().optional(),
})

/** Finds the values of fields in what the visitor said, or in a text. */
export const aiExtractEffect = defineEffect({
  name: 'ai.extract',
  request: extractCallSchema,
  result: z.union([extractionSchema, failureSchema]),
})
export type ExtractCall = z.infer<typeof extractCallSchema>
export type Extraction = z.infer<typeof extractionSchema>
