import { z } from 'zod'
import { idSchema } from '../../engine/flow/schema'

/** Ours: ten years. */
export const MAX_DAYS = 3650

export const returningUserSchema = z.strictObject({
  /** minimum of whole days since the visitor's last conversation; 0: any returning visitor */
  days: z.int().min(0).max(MAX_DAYS),
  saveDays: idSchema.nullable(),
})
export type ReturningUserData = z.infer<typeof returningUserSchema>
export const returningUserDefaults = (): ReturningUserData => ({ days: 1, saveDays: null })
