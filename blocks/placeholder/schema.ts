import { z } from 'zod'
import { jsonSchema } from '../../engine/values/json'

/** A block of another product that has no kind here: kept whole, so that nothing of the file is lost. */
export const placeholderSchema = z.strictObject({
  product: z.string().max(64),
  type: z.string().max(200),
  reason: z.string().max(1_000),
  data: jsonSchema,
})
export type PlaceholderData = z.infer<typeof placeholderSchema>
export const placeholderDefaults = (): PlaceholderData => ({ product: '', type: '', reason: '', data: null })
