import { z } from 'zod'
import { inputDefaults, inputFields } from '../../engine/flow/inputFields'
import { caps } from '../../engine/values/caps'
import { ruleMessages } from '../../engine/values/rules'

export const textInputSchema = z.strictObject({
  ...inputFields,
  /** a field of several lines */
  long: z.boolean(),
  maxLength: z.int().min(1).max(caps.userMessage),
})
export type TextInputData = z.infer<typeof textInputSchema>
export const textInputDefaults = (): TextInputData => ({
  ...inputDefaults(ruleMessages.text),
  long: false,
  maxLength: caps.userMessage,
})
