import { z } from 'zod'
import { idSchema } from '../../engine/flow/schema'

export const goToSchema = z.strictObject({
  target: z.strictObject({ groupId: idSchema, blockId: idSchema.optional() }).nullable(),
})
export type GoToData = z.infer<typeof goToSchema>
export const goToDefaults = (): GoToData => ({ target: null })
