import { z } from 'zod'
import { inputDefaults, inputFields } from '../../engine/flow/inputFields'
import { idSchema } from '../../engine/flow/schema'
import { ruleMessages } from '../../engine/values/rules'

export const locationInputSchema = z.strictObject({
  ...inputFields,
  /**
   * where `latitude, longitude` goes, if the visitor sent a place; `saveTo` gets its name and address, or what was
   * typed
   */
  savePointTo: idSchema.nullable(),
})
export type LocationInputData = z.infer<typeof locationInputSchema>
export const locationInputDefaults = (): LocationInputData => ({
  ...inputDefaults(ruleMessages.text),
  savePointTo: null,
})
