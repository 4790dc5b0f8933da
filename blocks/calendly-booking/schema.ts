import { z } from 'zod'
import { listenDefaults, listenFields } from '../../engine/flow/inputFields'
import { idSchema } from '../../engine/flow/schema'
import { bookingCaps } from '../../engine/values/bookings'
import { caps } from '../../engine/values/caps'
import { dynamicValueSchema, staticValue } from '../../engine/values/dynamicValue'
import { plainRichText, richTextSchema } from '../../engine/values/richText'

const TIMES = `Must be from 1 to ${bookingCaps.times}`

export const calendlyBookingSchema = z.strictObject({
  /** a connection of the project */
  connection: z.string().max(64).nullable(),
  /** with the name that it had when it was chosen */
  eventType: z.strictObject({ id: z.string().min(1).max(500), name: z.string().max(500) }).nullable(),
  prompt: richTextSchema(caps.text),
  /** most times that are offered at once */
  times: z.int('Enter a whole number').min(1, TIMES).max(bookingCaps.times, TIMES),
  moreLabel: dynamicValueSchema(caps.label),
  nextDayLabel: dynamicValueSchema(caps.label),
  skipLabel: dynamicValueSchema(caps.label),
  /** said when somebody else was faster */
  takenText: richTextSchema(caps.text),
  timeZone: dynamicValueSchema(bookingCaps.timeZone),
  /** who books */
  name: dynamicValueSchema(bookingCaps.name),
  email: dynamicValueSchema(bookingCaps.email),
  phone: dynamicValueSchema(bookingCaps.phone),
  saveTimeTo: idSchema.nullable(),
  saveStartTo: idSchema.nullable(),
  saveRescheduleTo: idSchema.nullable(),
  saveCancelTo: idSchema.nullable(),
  ...listenFields,
})
export type CalendlyBookingData = z.infer<typeof calendlyBookingSchema>

export const calendlyBookingDefaults = (): CalendlyBookingData => ({
  connection: null,
  eventType: null,
  prompt: plainRichText('When would you like to meet?'),
  times: 5,
  moreLabel: staticValue('Later that day'),
  nextDayLabel: staticValue('Another day'),
  skipLabel: staticValue('None of these'),
  takenText: plainRichText('Somebody has just taken that time.'),
  timeZone: staticValue('UTC'),
  name: staticValue(''),
  email: staticValue(''),
  phone: staticValue(''),
  saveTimeTo: null,
  saveStartTo: null,
  saveRescheduleTo: null,
  saveCancelTo: null,
  ...listenDefaults(),
})
