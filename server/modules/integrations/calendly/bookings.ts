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
export type Invitee = z.infer<typeof inviteeSchema>
const oneSchema = z.object({ resource: inviteeSchema })
const inviteesSchema = z.object({ collection: z.array(inviteeSchema) })
const eventsSchema = z.object({
  collection: z.array(
    z.object({
      uri: z.string().max(500),
      start_time: z.iso.datetime({ offset: true }),
      created_at: z.iso.datetime({ offset: true }).nullish().catch(null),
    }),
  ),
})
const eventTypeSchema = z.object({
  resource: z.object({
    scheduling_url: z.url().max(2_000),
    custom_questions: z
      .array(z.object({ enabled: z.boolean().catch(true), required: z.boolean().catch(false) }))
      .nullish()
      .catch([]),
  }),
})
const linkSchema = z.object({ resource: z.object({ booking_url: z.url().max(2_000) }) })

const MINUTE = 60_000
/** How many of the newest events are looked through for a mark: each is a call. */
const NEWEST = 10

type Booked = Pick<BookCall, 'eventType' | 'start' | 'name' | 'email' | 'phone'>

/** Calls about bookings of the connected person. All throw VendorError. */
export function openBookings(call: VendorCall, apiUrl: string, user: string) {
  const get = (path: string, query: Record<string, string> = {}) =>
    call({ method: 'GET', url: `${apiUrl}${path}`, query, kind: 'read' })

  return {
    /** Books a time, with a mark by which it is known again. @throws VendorError taken, ByPageOnly */
    async book({ eventType, start, name, email, phone }: Booked, zone: string, mark: string): Promise<Invitee> {
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
      try {
        return oneSchema.parse(await call({ method: 'POST', url, json, kind: 'write', pace: 'booking', about }))
          .resource
      } catch (error) {
        throw error instanceof VendorError && isByPageOnly(error) ? new ByPageOnly(error.value) : error
      }
    },

    /** Its page, and whether that asks more than a call can answer. */
    async eventType(uri: string): Promise<{ url: string; asksMore: boolean }> {
      const about = 'The event type'
      const url = `${apiUrl}/event_types/${lastOf(uri)}`
      const { resource } = eventTypeSchema.parse(await call({ method: 'GET', url, kind: 'read', about }))
      const asksMore = (resource.custom_questions ?? []).some(({ enabled, required }) => enabled && required)
      return { url: resource.scheduling_url, asksMore }
    },

    /** A page for one booking. One that is lost harms nobody. */
    async link(eventType: string): Promise<string> {
      const json = { max_event_count: 1, owner: eventType, owner_type: 'EventType' }
      const url = `${apiUrl}/scheduling_links`
      const about = 'The event type'
      const answer = await call({ method: 'POST', url, json, kind: 'write', isRepeatable: true, about })
      return linkSchema.parse(answer).resource.booking_url
    },

    /** The booking with that mark among the newest that are still to come; null if there is none. */
    async findNew(mark: string, since: Date, now: Date): Promise<{ invitee: Invitee; start: string } | null> {
      const { collection } = eventsSchema.parse(
        await get('/scheduled_events', {
          ...{ user, status: 'active', min_start_time: now.toISOString(), sort: 'start_time:asc', count: '100' },
        }),
      )
      const madeAt = (event: { created_at?: string | null | undefined }) =>
        Date.parse(event.created_at ?? '') || Infinity
      const newest = collection
        .filter((event) => madeAt(event) >= since.getTime() - MINUTE)
        .sort((a, b) => madeAt(b) - madeAt(a))
        .slice(0, NEWEST)
      for (const { uri, start_time } of newest) {
        const answer = await get(`/scheduled_events/${lastOf(uri)}/invitees`, { count: '100', status: 'active' })
        const own = inviteesSchema.parse(answer).collection.find(({ tracking }) => tracking?.utm_content === mark)
        if (own) return { invitee: own, start: start_time }
      }
      return null
    },

    /** The booking with that mark; null if there is none. */
    async find({ email, start }: Pick<Booked, 'email' | 'start'>, mark: string): Promise<Invitee | null> {
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

/** Thrown where a booking can only be made on Calendly's own page: the plan, or questions of the event type. */
export class ByPageOnly extends VendorError {
  constructor(detail: string) {
    super('refused', detail)
  }
}

const isByPageOnly = ({ code, value }: VendorError): boolean =>
  (code === 'forbidden' && /upgrade|\bplan\b|paid/i.test(value)) ||
  (code === 'refused' && /questions_and_answers/.test(value))

export const idOf = ({ event, uri }: Invitee): BookingId => `${lastOf(event)}/${lastOf(uri)}`

/** Ids are addresses: the last part is what paths are made of. @throws VendorError unreadable */
function lastOf(uri: string): string {
  const last = uri.slice(uri.lastIndexOf('/') + 1)
  if (!/^[\w-]{1,100}$/.test(last)) throw new VendorError('unreadable', 'Calendly')
  return last
}
