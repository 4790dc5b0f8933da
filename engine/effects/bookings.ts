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
const variable = z.string().max(64).nullable()
/** Variables that are set anew when a booking is moved or cancelled later, by id; null: none */
const saves = optional(
  z.strictObject({ time: variable, start: variable, reschedule: variable, cancel: variable, state: variable }),
)

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
    saves,
  }),
  z.strictObject({
    action: z.literal('link'),
    ...shared,
    /** for its form; may be empty */
    name: z.string().max(bookingCaps.name),
    email: z.string().max(bookingCaps.email),
    /** the day that it opens with; null: the first that is free */
    day: moment.nullable(),
    saves,
  }),
  z.strictObject({
    action: z.literal('find'),
    ...shared,
    /** the event of a link */
    event: z.string().regex(/^[a-z0-9]{16}$/),
  }),
])

const timeSchema = z.object({ start: z.string(), label: z.string() })

/** A booking, in words for the visitor where it has some. */
export const bookingSchema = z.object({
  start: z.string(),
  label: z.string(),
  cancelUrl: z.string(),
  rescheduleUrl: z.string(),
})
export type Booking = z.infer<typeof bookingSchema>

/** What is saved of a booking: that it was made, and what became of it. */
export const bookingStates = ['booked', 'rescheduled', 'canceled'] as const
export type BookingState = (typeof bookingStates)[number]

/**
 * Free times of one day, the booking of one, a link to the vendor's own page for one booking, and whether there was one
 * by it.
 */
export const bookingsEffect = defineEffect({
  name: 'bookings',
  request: bookingsRequestSchema,
  result: z.object({
    ok: z.boolean(),
    /** `not-found` (no times, no booking), `taken`, `link` (only by the vendor's page), or a sentence for the editor */
    error: optional(z.string()),
    times: optional(z.array(timeSchema)),
    /** from when on there are further times of the same day, and the first of a later day; null: none */
    more: optional(z.string().nullable()),
    nextDay: optional(z.string().nullable()),
    booking: optional(bookingSchema),
    /** `event`: the event that answers a question once somebody has booked by it */
    link: optional(z.object({ url: z.string(), event: z.string() })),
    /** a sentence for the editor beside a success */
    note: optional(z.string()),
  }),
})
type Call = z.infer<typeof bookingsRequestSchema>
export type TimesCall = Extract<Call, { action: 'times' }>
export type BookCall = Extract<Call, { action: 'book' }>
export type LinkCall = Extract<Call, { action: 'link' }>
export type FindCall = Extract<Call, { action: 'find' }>
export type BookingSaves = NonNullable<LinkCall['saves']>
