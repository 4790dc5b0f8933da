import { z } from 'zod'
import { idSchema } from '../../engine/flow/schema'
import { counts } from '../../engine/values/caps'
import { conditionFields, newComparison } from '../../engine/values/comparison'

/** The port taken when no branch holds. */
export const ELSE = 'else'

export const branchSchema = z.strictObject({
  id: idSchema.refine((id) => id !== ELSE, 'Another exit has this id'),
  ...conditionFields,
})
export const conditionSchema = z.strictObject({ branches: z.array(branchSchema).max(counts.branches) })
export type Branch = z.infer<typeof branchSchema>
export type ConditionData = z.infer<typeof conditionSchema>

export const newBranch = (id: () => string): Branch => ({ id: id(), match: 'all', comparisons: [newComparison(id)] })
export const conditionDefaults = (id: () => string): ConditionData => ({ branches: [newBranch(id)] })
