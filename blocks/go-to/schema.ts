import { z } from 'zod'
import { idSchema } from '../../engine/flow/schema'
import { caps } from '../../engine/values/caps'
import { dynamicValueSchema } from '../../engine/values/dynamicValue'

/** Most values that are given to another flow, and taken back; ours. */
export const MAX_MAPPINGS = 50

export const goToSchema = z.strictObject({
  /** a group of this flow; another flow of the chatbot, and back; or back to where the present part was gone to from */
  to: z.enum(['group', 'flow', 'back']),
  target: z.strictObject({ groupId: idSchema, blockId: idSchema.optional() }).nullable(),
  /** of a group: the conversation goes on after this block once nothing follows there */
  comesBack: z.boolean(),
  flowId: idSchema.nullable(),
  /** a group of that flow; null: its start */
  flowGroupId: idSchema.nullable(),
  /** what variables of that flow start with */
  inputs: z
    .array(
      z.strictObject({ id: idSchema, toVariable: idSchema.nullable(), value: dynamicValueSchema(caps.setVariable) }),
    )
    .max(MAX_MAPPINGS),
  /** which of its variables are kept in variables of this flow */
  outputs: z
    .array(z.strictObject({ id: idSchema, fromVariable: idSchema.nullable(), saveTo: idSchema.nullable() }))
    .max(MAX_MAPPINGS),
})
export type GoToData = z.infer<typeof goToSchema>

/** What go-to blocks that lead to a group hold besides it. */
export const noFlow = () => ({ flowId: null, flowGroupId: null, inputs: [], outputs: [] })
export const goToDefaults = (): GoToData => ({ to: 'group', target: null, comesBack: false, ...noFlow() })
