import { z } from 'zod'
import { inputDefaults, inputFields } from '../../engine/flow/inputFields'
import { ruleMessages } from '../../engine/values/rules'

export const emailInputSchema = z.strictObject(inputFields)
export type EmailInputData = z.infer<typeof emailInputSchema>
export const emailInputDefaults = (): EmailInputData => inputDefaults(ruleMessages.email)
