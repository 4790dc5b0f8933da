import { z } from 'zod'
import { inputDefaults, inputFields } from '../../engine/flow/inputFields'
import { ruleMessages } from '../../engine/values/rules'

export const urlInputSchema = z.strictObject(inputFields)
export type UrlInputData = z.infer<typeof urlInputSchema>
export const urlInputDefaults = (): UrlInputData => inputDefaults(ruleMessages.url)
