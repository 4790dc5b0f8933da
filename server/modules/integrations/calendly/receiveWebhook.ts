import { z } from 'zod'
import type { BookingRows, ToldBooking } from './bookingRows'

const text = z.string().max(2_000)
const toldSchema = z.object({
  event: z.enum(['invitee.created', 'invitee.canceled']),
  payload: z.object({
    uri: z.string().max(500),
    old_invitee: z.string().max(500).nullish(),
    new_invitee: z.string().max(500).nullish().catch(null),
    rescheduled: z.boolean().catch(false),
    tracking: z
      .object({ utm_content: z.string().max(500).nullish() })
      .nullish()
      .catch(null),
    cancel_url: text,
    reschedule_url: text,
    scheduled_event: z.object({ start_time: z.iso.datetime({ offset: true }) }),
  }),
})

/**
 * Takes what Calendly tells of a connection's bookings. What can't be read, and what is no booking of a conversation,
 * is passed over: the same would come again and again.
 */
export const receiveWebhook =
  (rows: BookingRows) =>
  async (connection: { id: string; project_id: string }, body: unknown): Promise<void> => {
    const told = readTold(body)
    if (told) await rows.take(connection, told)
  }

/** What is said of a booking; null for anything else. */
export function readTold(body: unknown): ToldBooking | null {
  const parsed = toldSchema.safeParse(body)
  if (!parsed.success) return null
  const { event, payload } = parsed.data
  const { uri: invitee, old_invitee, new_invitee, rescheduled, tracking, scheduled_event } = payload
  return {
    told:
      event === 'invitee.created'
        ? { event: 'created', invitee, old: old_invitee ?? null }
        : { event: 'canceled', invitee, isMove: rescheduled, next: new_invitee ?? null },
    mark: tracking?.utm_content ?? null,
    start: scheduled_event.start_time,
    rescheduleUrl: payload.reschedule_url,
    cancelUrl: payload.cancel_url,
  }
}
