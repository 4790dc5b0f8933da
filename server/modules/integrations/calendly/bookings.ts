import { z } from 'zod'
import type { BookCall } from '../../../../engine/effects/bookings'
import { VendorError } from '../calls/vendorError'
import type { VendorCall } from '../defineVendor'

/** The event and the invitee of a booking, which its addresses are made of. */
export type BookingId = `${string}/${string}`

const inviteeSchema = z.object({
  uri: z.string().max(500),
  event: z.string().max(500),
  tracking: z.object({ utm_content: z.string().nullish() }).nullish().catch(null),
  cancel_url: z.string().max(2_000),
  reschedule_url: z.string().max(2_000),
})
type Invitee = z.infer<typeof inviteeSchema>
const oneSchema = z.object({ resource: inviteeSchema })
const inviteesSchema = z.object({ collection: z.array(inviteeSchema) })
const eventsSchema = z.object({ collection: z.array(z.object({ uri: z.string().max(500) })) })

const MINUTE = 60_000

/** Calls about bookings of the connected person. All throw VendorError. */
export function openBookings(call: VendorCall, apiUrl: string, user: string) {
  const get = (path: string, query: Record<string, string> = {}) =>
    call({ method: 'GET', url: `${apiUrl}${path}`, query, kind: 'read' })

  return {
    /** Books a time, with a mark by which it is known again. @throws VendorError taken */
    async book({ eventType, start, name, email, phone }: BookCall, zone: string, mark: string): Promise<Invitee> {
      const json = {
        event_type: eventType,
        start_time: start,
        invitee: {
          name: name.trim(),
          email: email.trim(),
          timezone: zone,
          ...(phone.trim() !== '' && { text_reminder_number: phone.trim() }),
        },
        tracking: { utm_source: 'parley', utm_content: mark },
      }
      const url = `${apiUrl}/invitees`
      const about = 'The event type'
      return oneSchema.parse(await call({ method: 'POST', url, json, kind: 'write', pace: 'booking', about })).resource
    },

    /** The booking with that mark; null if there is none. */
    async find({ email, start }: BookCall, mark: string): Promise<Invitee | null> {
      const at = Date.parse(start)
      const { collection } = eventsSchema.parse(
        await get('/scheduled_events', {
          user,
          invitee_email: email.trim(),
          min_start_time: new Date(at - MINUTE).toISOString(),
          max_start_time: new Date(at + MINUTE).toISOString(),
        }),
      )
      for (const { uri } of collection) {
        const answer = await get(`/scheduled_events/${lastOf(uri)}/invitees`, { email: email.trim() })
        const own = inviteesSchema.parse(answer).collection.find(({ tracking }) => tracking?.utm_content === mark)
        if (own) return own
      }
      return null
    },

    async get(id: BookingId): Promise<Invitee> {
      const [event = '', invitee = ''] = id.split('/')
      return oneSchema.parse(await get(`/scheduled_events/${event}/invitees/${invitee}`)).resource
    },
  }
}

export const idOf = ({ event, uri }: Invitee): BookingId => `${lastOf(event)}/${lastOf(uri)}`

/** Ids are addresses: the last part is what paths are made of. @throws VendorError unreadable */
function lastOf(uri: string): string {
  const last = uri.slice(uri.lastIndexOf('/') + 1)
  if (!/^[\w-]{1,100}$/.test(last)) throw new VendorError('unreadable', 'Calendly')
  return last
}
