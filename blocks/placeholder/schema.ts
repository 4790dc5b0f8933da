import { z } from 'zod'
import { jsonSchema } from '../../engine/values/json'

export const placeholderCaps = { product: 64, type: 200, reason: 1_000 } as const

/** An unsupported block of another product, kept as a whole so that nothing is lost. */
export const placeholderSchema = z.strictObject({
  product: z.string().max(placeholderCaps.product),
  type: z.string().max(placeholderCaps.type),
  reason: z.string().max(placeholderCaps.reason),
  data: jsonSchema,
})
export type PlaceholderData = z.infer<typeof placeholderSchema>
export const placeholderDefaults = (): PlaceholderData => ({ product: '', type: '', reason: '', data: null })
