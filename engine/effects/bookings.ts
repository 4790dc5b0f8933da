import { z } from 'zod'
import { bookingCaps } from '../values/bookings'
import { defineEffect, optional } from './defineEffect'

const shared = {
  /** the project's connection, by its id */
  connection: z.string().regex(/^[a-z0-9]{16}$/, 'This is not a connection'),
  /** the vendor's address of what is booked */
  eventType: z.string().min(1).max(500),
  /** such as Europe/Berlin; empty: UTC */
  timeZone: z.string().max(200),
  /** in which times are written, such as en */
  language: z.string().max(50),
}
const moment = z.iso.datetime()

const bookingsRequestSchema = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('times'),
    ...shared,
    /** from when on; null: from now */
    from: moment.nullable(),
    most: z.int().min(1).max(bookingCaps.times),
  }),
  z.strictObject({
    action: z.literal('book'),
    ...shared,
    start: moment,
    name: z.string().trim().min(1, 'Enter the name of who books').max(bookingCaps.name),
    email: z.string().max(bookingCaps.email),
    /** empty: none */
    phone: z.string().max(bookingCaps.phone),
  }),
])

const timeSchema = z.object({ start: z.string(), label: z.string() })

/** Free times of one day, and the booking of one. */
export const bookingsEffect = defineEffect({
  name: 'bookings',
  request: bookingsRequestSchema,
  result: z.object({
    ok: z.boolean(),
    /** `not-found` (no times), `taken`, or a sentence for the editor */
    error: optional(z.string()),
    times: optional(z.array(timeSchema)),
    /** from when on there are further times of the same day, and the first of a later day; null: none */
    more: optional(z.string().nullable()),
    nextDay: optional(z.string().nullable()),
    booking: optional(
      z.object({ start: z.string(), label: z.string(), cancelUrl: z.string(), rescheduleUrl: z.string() }),
    ),
  }),
})
type Call = z.infer<typeof bookingsRequestSchema>
export type TimesCall = Extract<Call, { action: 'times' }>
export type BookCall = Extract<Call, { action: 'book' }>
