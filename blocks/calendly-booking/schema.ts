import { z } from 'zod'
import type { Migration } from '../../engine/flow/defineBlock'
import { listenDefaults, listenFields } from '../../engine/flow/inputFields'
import { idSchema } from '../../engine/flow/schema'
import { bookingCaps } from '../../engine/values/bookings'
import { caps } from '../../engine/values/caps'
import { dynamicValueSchema, staticValue } from '../../engine/values/dynamicValue'
import { plainRichText, richTextSchema } from '../../engine/values/richText'

/** How a visitor books: from times in the chat, or on Calendly's page. */
export const bookingWays = ['times', 'link'] as const

const TIMES = `Must be from 1 to ${bookingCaps.times}`

export const calendlyBookingSchema = z.strictObject({
  /** a connection of the project */
  connection: z.string().max(64).nullable(),
  /** with the name that it had when it was chosen */
  eventType: z.strictObject({ id: z.string().min(1).max(500), name: z.string().max(500) }).nullable(),
  /** `link` is also what is done where a time can't be booked from the chat */
  way: z.enum(bookingWays),
  prompt: richTextSchema(caps.text),
  /** most times that are offered at once */
  times: z.int('Enter a whole number').min(1, TIMES).max(bookingCaps.times, TIMES),
  moreLabel: dynamicValueSchema(caps.label),
  nextDayLabel: dynamicValueSchema(caps.label),
  skipLabel: dynamicValueSchema(caps.label),
  /** said when somebody else was faster */
  takenText: richTextSchema(caps.text),
  /** said before the link */
  linkText: richTextSchema(caps.text),
  linkLabel: dynamicValueSchema(caps.label),
  /** for who has booked, in case that Calendly does not tell */
  bookedLabel: dynamicValueSchema(caps.label),
  /** said when there is no booking by the link */
  notYetText: richTextSchema(caps.text),
  timeZone: dynamicValueSchema(bookingCaps.timeZone),
  /** who books */
  name: dynamicValueSchema(bookingCaps.name),
  email: dynamicValueSchema(bookingCaps.email),
  phone: dynamicValueSchema(bookingCaps.phone),
  saveTimeTo: idSchema.nullable(),
  saveStartTo: idSchema.nullable(),
  saveRescheduleTo: idSchema.nullable(),
  saveCancelTo: idSchema.nullable(),
  /** booked, rescheduled or canceled: set anew whenever Calendly tells so */
  saveStateTo: idSchema.nullable(),
  ...listenFields,
})
export type CalendlyBookingData = z.infer<typeof calendlyBookingSchema>

export const calendlyBookingDefaults = (): CalendlyBookingData => ({
  connection: null,
  eventType: null,
  way: 'times',
  prompt: plainRichText('When would you like to meet?'),
  times: 5,
  moreLabel: staticValue('Later that day'),
  nextDayLabel: staticValue('Another day'),
  skipLabel: staticValue('None of these'),
  takenText: plainRichText('Somebody has just taken that time.'),
  ...linkDefaults(),
  timeZone: staticValue('UTC'),
  name: staticValue(''),
  email: staticValue(''),
  phone: staticValue(''),
  saveTimeTo: null,
  saveStartTo: null,
  saveRescheduleTo: null,
  saveCancelTo: null,
  saveStateTo: null,
  ...listenDefaults(),
})

/** What is said where a visitor books on Calendly's page. */
const linkDefaults = () => ({
  linkText: plainRichText('Please choose a time on our booking page.'),
  linkLabel: staticValue('Choose a time'),
  bookedLabel: staticValue('I have booked'),
  notYetText: plainRichText('There is no booking yet. Please choose a time on the booking page first.'),
})

/** Blocks from before there was a link. */
export const addLink: Migration = {
  name: 'AddLink',
  up: (data) => ({ ...data, way: 'times', ...linkDefaults(), saveStateTo: null }),
}
