import { z } from 'zod'
import { dynamicValueSchema, staticValue } from '../../engine/values/dynamicValue'

/** Characters; WhatsApp takes as many. */
export const MOST_WORDS = 1_000
export const MOST_NUMBER = 30

export const locationSchema = z.strictObject({
  /** degrees, as in 51.5074 */
  latitude: dynamicValueSchema(MOST_NUMBER),
  longitude: dynamicValueSchema(MOST_NUMBER),
  name: dynamicValueSchema(MOST_WORDS),
  address: dynamicValueSchema(MOST_WORDS),
})
export type LocationData = z.infer<typeof locationSchema>
export const locationDefaults = (): LocationData => ({
  latitude: staticValue(''),
  longitude: staticValue(''),
  name: staticValue(''),
  address: staticValue(''),
})
