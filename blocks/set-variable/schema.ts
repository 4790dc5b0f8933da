import { z } from 'zod'
import { expressionIssue } from '../../engine/expression/schema'
import { idSchema } from '../../engine/flow/schema'
import { caps } from '../../engine/values/caps'
import { dynamicValueSchema, staticValue } from '../../engine/values/dynamicValue'
import { isReservedId } from '../../engine/values/systemVariables'

export const setVariableModes = [
  'set',
  'expression',
  'append',
  'increment',
  'take-first',
  'take-last',
  'now',
  'random',
  'clear',
] as const

const target = idSchema.nullable().refine((id) => id === null || !isReservedId(id), 'System variables can’t be set')

export const setVariableSchema = z
  .strictObject({
    variableId: target,
    mode: z.enum(setVariableModes),
    /** the source, in mode `expression`; ignored by modes without a value */
    value: dynamicValueSchema(caps.setVariable),
    /** the target of `take-first` and `take-last` */
    takeTo: target,
  })
  .superRefine(({ mode, value }, context) => {
    const issue = mode === 'expression' ? expressionIssue(value) : null
    if (issue !== null) context.addIssue({ code: 'custom', path: ['value'], message: issue })
  })
export type SetVariableData = z.infer<typeof setVariableSchema>

export const setVariableDefaults = (): SetVariableData => ({
  variableId: null,
  mode: 'set',
  value: staticValue(''),
  takeTo: null,
})
