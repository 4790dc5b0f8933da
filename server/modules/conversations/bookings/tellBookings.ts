import { z } from 'zod'
import type { Booking } from '../../../../engine/effects/bookings'
import type { Json } from '../../../../engine/values/json'
import type { ServerContext } from '../../../platform/context'
import { type Consumer, defineConsumer } from '../../../platform/events/defineConsumer'
import { defineJob, type HandledJob } from '../../../platform/jobs/defineJob'
import { type BookingRow, type BookingRows, bookingOf } from '../../integrations/calendly/bookingRows'
import { createTimeWords } from '../../integrations/calendly/timeWords'
import { bookingCanceled, bookingCreated, bookingRescheduled } from '../../integrations/events'
import type { Runtime } from '../runtime/createRuntime'

const tellBooking = defineJob('booking', z.strictObject({ booking: z.string() }))

/** What becomes of a booking is told to its conversation, soon after. */
export const tellsBookings = ({ clock, jobs }: Pick<ServerContext, 'clock' | 'jobs'>): Consumer =>
  defineConsumer({
    name: 'bookings',
    events: [bookingCreated, bookingRescheduled, bookingCanceled],
    since: 'now',
    async handle(work, { payload, projectId }) {
      if (payload.conversation === null) return
      const job = { payload: { booking: payload.booking }, key: payload.booking, runAt: clock(), projectId }
      await jobs.schedule(work, tellBooking, job)
    },
  })

/**
 * The question that waits for the booking is answered; otherwise the variables that it was saved to are set anew. Goes
 * by the row, so that it may be done again, and whatever else was told meanwhile is in it.
 */
export const tellsBooking = (
  rows: Pick<BookingRows, 'find'>,
  { happen, debugging }: Pick<Runtime, 'happen' | 'debugging'>,
): HandledJob =>
  tellBooking.handledBy(async ({ booking }, { projectId }) => {
    const row = projectId === null ? undefined : await rows.find(projectId, booking)
    if (!row || row.conversation_id === null) return undefined
    const ref = { id: row.conversation_id, project_id: row.project_id }
    const present = bookingOf(row, createTimeWords(row.time_zone, row.language).label)
    if (present && (await happen(ref, { event: row.gid, values: { ...present } }))) return undefined
    const values = valuesOf(row, present)
    if (Object.keys(values).length > 0) await debugging.setKnown(ref, values)
    return undefined
  })

/** By variable id. */
function valuesOf({ saves, state }: BookingRow, booking: Booking | null): Record<string, Json> {
  if (!saves) return {}
  const found: (readonly [id: string | null, value: Json])[] = [[saves.state, state]]
  if (booking)
    found.push(
      [saves.time, booking.label],
      [saves.start, booking.start],
      [saves.reschedule, booking.rescheduleUrl],
      [saves.cancel, booking.cancelUrl],
    )
  return Object.fromEntries(found.flatMap(([id, value]) => (id === null ? [] : [[id, value]])))
}
