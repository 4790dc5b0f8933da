import { z } from 'zod'
import { idSchema } from '../../engine/flow/schema'
import { caps } from '../../engine/values/caps'
import { dynamicValueSchema } from '../../engine/values/dynamicValue'

/** Most values passed to another flow, and saved from it; ours. */
export const MAX_MAPPINGS = 50

export const goToSchema = z.strictObject({
  /**
   * a group of this flow; another flow of the chatbot, returning; or back to the block that entered the present part
   */
  to: z.enum(['group', 'flow', 'back']),
  target: z.strictObject({ groupId: idSchema, blockId: idSchema.optional() }).nullable(),
  /** for a group: whether the conversation returns after this block when nothing follows there */
  comesBack: z.boolean(),
  flowId: idSchema.nullable(),
  /** a group of that flow; null: its start */
  flowGroupId: idSchema.nullable(),
  /** initial values of that flow's variables */
  inputs: z
    .array(
      z.strictObject({ id: idSchema, toVariable: idSchema.nullable(), value: dynamicValueSchema(caps.setVariable) }),
    )
    .max(MAX_MAPPINGS),
  /** which of its variables are saved in variables of this flow */
  outputs: z
    .array(z.strictObject({ id: idSchema, fromVariable: idSchema.nullable(), saveTo: idSchema.nullable() }))
    .max(MAX_MAPPINGS),
})
export type GoToData = z.infer<typeof goToSchema>

/** The unused fields of a go-to block that leads to a group. */
export const noFlow = () => ({ flowId: null, flowGroupId: null, inputs: [], outputs: [] })
export const goToDefaults = (): GoToData => ({ to: 'group', target: null, comesBack: false, ...noFlow() })
