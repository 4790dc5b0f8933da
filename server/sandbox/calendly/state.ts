import type { Client, Grants, Person } from '../oauth/grants'
import type { SeededRandom } from '../seededRandom'
import { notFound } from './errors'

export interface EventType {
  uuid: string
  name: string
  slug: string
  minutes: number
  active: boolean
  /** questions beside name and email */
  questions: { name: string; required: boolean }[]
}

export interface Booking {
  uuid: string
  eventType: EventType
  start: Date
  end: Date
  canceled: Cancellation | null
  invitee: Invitee
  createdAt: Date
}

export interface Cancellation {
  reason: string
  by: 'host' | 'invitee'
  at: Date
}

export interface Invitee {
  uuid: string
  name: string
  email: string
  timezone: string
  answers: { question: string; answer: string; position: number }[]
  tracking: Record<string, string | null>
  /** the booking that this one took the place of */
  oldBooking: Booking | null
  newBooking: Booking | null
  updatedAt: Date
}

export interface Subscription {
  uuid: string
  url: string
  events: string[]
  scope: string
  user: string | null
  organization: string
  signingKey: string
  state: 'active' | 'disabled'
  /** since when deliveries fail */
  failingSince: Date | null
  createdAt: Date
}

/** What the stand-in of Calendly knows. */
export interface CalendlyState {
  client: Client
  /** what the application's webhooks are signed with */
  signingKey: string
  people: readonly [Person]
  /** `free`: bookings are made on its pages only */
  plan: 'free' | 'paid'
  grants: Grants
  eventTypes: EventType[]
  bookings: Booking[]
  subscriptions: Subscription[]
  /** links that may be used once, by their key */
  links: Map<string, { eventType: EventType; used: boolean }>
  clock: () => Date
  random: SeededRandom
  origin: () => string
}

/** Ids are whole addresses. */
export const uris = (origin: string) => ({
  user: ({ id }: Person) => `${origin}/users/${id}`,
  organization: `${origin}/organizations/ORG0000000000001`,
  eventType: ({ uuid }: EventType) => `${origin}/event_types/${uuid}`,
  event: ({ uuid }: Booking) => `${origin}/scheduled_events/${uuid}`,
  invitee: (booking: Booking) => `${origin}/scheduled_events/${booking.uuid}/invitees/${booking.invitee.uuid}`,
  subscription: ({ uuid }: Subscription) => `${origin}/webhook_subscriptions/${uuid}`,
})

export const findEventType = ({ eventTypes }: CalendlyState, uri: string): EventType => {
  const found = eventTypes.find(({ uuid }) => uri.endsWith(`/${uuid}`) || uri === uuid)
  if (!found) throw notFound()
  return found
}

export const findBooking = ({ bookings }: CalendlyState, uuid: string): Booking => {
  const found = bookings.find((booking) => booking.uuid === uuid)
  if (!found) throw notFound()
  return found
}
