import { z } from 'zod'
import { inputDefaults, inputFields } from '../../engine/flow/inputFields'
import { isPhoneCountry } from '../../engine/values/phone'
import { ruleMessages } from '../../engine/values/rules'

export const phoneInputSchema = z.strictObject({
  ...inputFields,
  /** ISO 3166 code of the country whose numbers may be typed without country code; null: all need one */
  country: z.string().refine(isPhoneCountry, 'Choose a country').nullable(),
})
export type PhoneInputData = z.infer<typeof phoneInputSchema>
export const phoneInputDefaults = (): PhoneInputData => ({ ...inputDefaults(ruleMessages.phone), country: null })
