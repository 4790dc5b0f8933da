import { z } from 'zod'
import { defineEvent } from '../../platform/events/defineEvent'

const about = z.strictObject({ connection: z.string(), vendor: z.string() })

/** An account at a vendor was connected, or connected again. */
export const integrationConnected = defineEvent('integration.connected', about)
export const integrationDisconnected = defineEvent('integration.disconnected', about)
/** Stand-ins took the vendors' place in the whole installation, or no longer do. */
export const sandboxSwitched = defineEvent('sandbox.switched', z.strictObject({ on: z.boolean() }))
/** The vendor no longer lets us in. */
export const integrationBroken = defineEvent('integration.broken', about.extend({ problem: z.string() }))

/** A booking of a conversation: `start` is when it is. */
const booking = z.strictObject({
  booking: z.string(),
  conversation: z.string().nullable(),
  start: z.string().nullable(),
})
/** It was made, in the chat or by a link that was offered there. */
export const bookingCreated = defineEvent('booking.created', booking)
/** Whoever booked, or the team, moved it to another time. */
export const bookingRescheduled = defineEvent('booking.rescheduled', booking)
export const bookingCanceled = defineEvent('booking.canceled', booking)
