import { z } from 'zod'
import { idSchema } from '../../engine/flow/schema'
import { caps, counts } from '../../engine/values/caps'
import { comparisonOperators } from '../../engine/values/compare'
import { dynamicValueSchema, staticValue } from '../../engine/values/dynamicValue'

export const comparisonSchema = z.strictObject({
  id: idSchema,
  variableId: idSchema.nullable(),
  operator: z.enum(comparisonOperators),
  /** not looked at by `is-empty` and `is-set` */
  value: dynamicValueSchema(caps.comparison),
})
export const branchSchema = z.strictObject({
  id: idSchema,
  match: z.enum(['all', 'any']),
  comparisons: z.array(comparisonSchema).max(counts.comparisons),
})
export const conditionSchema = z.strictObject({ branches: z.array(branchSchema).max(counts.branches) })
export type Comparison = z.infer<typeof comparisonSchema>
export type Branch = z.infer<typeof branchSchema>
export type ConditionData = z.infer<typeof conditionSchema>

export const newComparison = (id: () => string): Comparison => ({
  id: id(),
  variableId: null,
  operator: 'equals',
  value: staticValue(''),
})
export const newBranch = (id: () => string): Branch => ({ id: id(), match: 'all', comparisons: [newComparison(id)] })
export const conditionDefaults = (id: () => string): ConditionData => ({ branches: [newBranch(id)] })
