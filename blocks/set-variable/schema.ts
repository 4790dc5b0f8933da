import { z } from 'zod'
import { idSchema } from '../../engine/flow/schema'
import { caps } from '../../engine/values/caps'
import { dynamicValueSchema, staticValue } from '../../engine/values/dynamicValue'

/** `now` and `random` need no value: the time as ISO 8601, an id of 16 letters and digits. */
export const setVariableModes = ['set', 'append', 'increment', 'clear', 'now', 'random'] as const

export const setVariableSchema = z.strictObject({
  variableId: idSchema.nullable(),
  mode: z.enum(setVariableModes),
  value: dynamicValueSchema(caps.setVariable),
})
export type SetVariableData = z.infer<typeof setVariableSchema>
export const setVariableDefaults = (): SetVariableData => ({ variableId: null, mode: 'set', value: staticValue('') })
