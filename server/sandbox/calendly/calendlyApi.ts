import { type Answer, type Call, fieldsOf, one, Refusal } from '../call'
import { CallLimit } from '../callLimit'
import { bearerOf } from '../oauth/tokens'
import type { Route } from '../routes'
import { requireLoopback } from '../webhooks'
import type { Bookings } from './bookings'
import { invalid, notFound, refuseAsCalendly, refuseCalendly } from './errors'
import {
  presentEvent,
  presentEventType,
  presentInvitee,
  presentSubscription,
  presentUser,
  schedulingUrl,
} from './present'
import { type CalendlyState, findBooking, findEventType, type Subscription, uris } from './state'
import { freeTimes } from './times'

/** The client of tokens that a person made by hand. */
export const PERSONAL = 'personal'

/** Bookings that one user's applications may make. */
const BOOKINGS = [
  { most: 10, seconds: 60 },
  { most: 50, seconds: 3_600 },
  { most: 100, seconds: 86_400 },
]

/** @returns Calendly's calls, and who may make them */
export function calendlyApi(state: CalendlyState, bookings: Bookings, limited: boolean) {
  const limits = BOOKINGS.map(({ most, seconds }) => new CallLimit(most, seconds))

  function admit(call: Call, route: Route): void {
    if (!route.scopes) return
    const grant = state.grants.grantOf(bearerOf(call))
    if (!grant) throw new Refusal(refuseAsCalendly('unauthorized'))
    call.grant = grant
    if (!route.scopes.some((scope) => grant.scopes.includes(scope))) throw new Refusal(refuseAsCalendly('forbidden'))
    if (!limited || route.counts !== 'booking') return
    for (const limit of limits) {
      const { left, resetSeconds } = limit.count('', call.at)
      if (left < 0) throw new Refusal(refuseAsCalendly('tooMany', { retryAfter: resetSeconds }))
    }
  }

  function revoke(call: Call): void {
    const grant = state.grants.holderOf(bearerOf(call) ?? '')
    if (grant) state.grants.revoke(grant)
  }
  return { routes: [...eventRoutes(state), ...bookingRoutes(state, bookings), ...webhookRoutes(state)], admit, revoke }
}

const ok = (body: unknown, status = 200): Answer => ({ status, body })
const resource = (body: unknown, status = 200) => ok({ resource: body }, status)

/** A list of one page, of up to 100, and where the next begins. */
function collection(all: readonly unknown[], { query, path }: Call, origin: string): Answer {
  const count = Math.min(100, Number(one(query.count) ?? 20))
  const from = Number(one(query.page_token) ?? 0)
  if (!Number.isInteger(from) || from < 0) throw invalid('page_token', 'is invalid')
  const hasMore = from + count < all.length
  const next_page_token = hasMore ? String(from + count) : null
  const next_page = hasMore ? `${origin}${path}?count=${count}&page_token=${next_page_token}` : null
  const shown = all.slice(from, from + count)
  return ok({ collection: shown, pagination: { count: shown.length, next_page, next_page_token, previous_page: null } })
}

function eventRoutes(state: CalendlyState): Route[] {
  return [
    { method: 'GET', path: '/users/me', scopes: ['users:read'], handle: () => resource(presentUser(state)) },
    {
      method: 'GET',
      path: '/event_types',
      scopes: ['event_types:read'],
      handle: (call) => {
        const { user, organization, active } = call.query
        if (user === undefined && organization === undefined)
          throw invalid('user', 'user or organization must be given')
        const found = state.eventTypes.filter((type) => active === undefined || String(type.active) === one(active))
        return collection(
          found.map((type) => presentEventType(state, type)),
          call,
          state.origin(),
        )
      },
    },
    {
      method: 'GET',
      path: '/event_types/{uuid}',
      scopes: ['event_types:read'],
      handle: ({ params }) => resource(presentEventType(state, findEventType(state, params.uuid ?? ''))),
    },
    {
      method: 'GET',
      path: '/event_type_available_times',
      scopes: ['availability:read', 'event_types:read'],
      handle: ({ query }) => {
        const eventType = findEventType(state, one(query.event_type) ?? '')
        const times = freeTimes(state, eventType, one(query.start_time) ?? '', one(query.end_time) ?? '')
        return ok({
          collection: times.map((time) => ({
            status: 'available',
            invitees_remaining: 1,
            start_time: time.toISOString(),
            scheduling_url: `${schedulingUrl(state, eventType)}/${time.toISOString()}`,
          })),
        })
      },
    },
    {
      method: 'POST',
      path: '/scheduling_links',
      scopes: ['scheduling_links:write'],
      handle: ({ body }) => {
        const { owner } = fieldsOf(body) as { owner: string }
        const eventType = findEventType(state, owner)
        const key = `${state.random.text(4)}-${state.random.text(3)}-${state.random.text(3)}`.toLowerCase()
        state.links.set(key, { eventType, used: false })
        return resource(
          { booking_url: `${state.origin()}/d/${key}/${eventType.slug}`, owner, owner_type: 'EventType' },
          201,
        )
      },
    },
  ]
}

interface InviteeInput {
  event_type: string
  start_time: string
  invitee: { name?: string; first_name?: string; last_name?: string; email: string; timezone: string }
  questions_and_answers?: { question: string; answer: string; position: number }[]
  tracking?: Record<string, string>
}

function bookingRoutes(state: CalendlyState, bookings: Bookings): Route[] {
  const reads = ['scheduled_events:read', 'scheduled_events:write']
  const find = ({ params }: Call) => findBooking(state, params.uuid ?? params.event_uuid ?? '')
  return [
    {
      method: 'POST',
      path: '/invitees',
      scopes: ['scheduled_events:write'],
      counts: 'booking',
      handle: ({ body }) => {
        if (state.plan === 'free')
          throw refuseCalendly(403, 'Permission Denied', 'Please upgrade to a paid Calendly account.')
        const given = fieldsOf(body) as unknown as InviteeInput
        const { name, first_name = '', last_name = '', email, timezone } = given.invitee
        const shown = (name ?? `${first_name} ${last_name}`).trim()
        if (shown === '') throw invalid('invitee.name', 'must be given')
        const booking = bookings.book({
          eventType: findEventType(state, given.event_type),
          start: new Date(given.start_time),
          invitee: { name: shown, email, timezone, answers: given.questions_and_answers, tracking: given.tracking },
        })
        return resource(presentInvitee(state, booking), 201)
      },
    },
    {
      method: 'GET',
      path: '/scheduled_events',
      scopes: reads,
      handle: (call) => {
        const { user, organization, invitee_email, status, min_start_time, max_start_time, sort } = call.query
        if (user === undefined && organization === undefined)
          throw invalid('user', 'user or organization must be given')
        const email = one(invitee_email)?.toLowerCase()
        const from = Date.parse(one(min_start_time) ?? '0001-01-01')
        const to = Date.parse(one(max_start_time) ?? '9999-12-31')
        const found = state.bookings
          .filter(({ invitee }) => email === undefined || invitee.email.toLowerCase() === email)
          .filter(({ canceled }) => status === undefined || (canceled ? 'canceled' : 'active') === one(status))
          .filter(({ start }) => start.getTime() >= from && start.getTime() <= to)
          .sort((a, b) => (one(sort) === 'start_time:desc' ? -1 : 1) * (a.start.getTime() - b.start.getTime()))
        return collection(
          found.map((booking) => presentEvent(state, booking)),
          call,
          state.origin(),
        )
      },
    },
    {
      method: 'GET',
      path: '/scheduled_events/{uuid}',
      scopes: reads,
      handle: (call) => resource(presentEvent(state, find(call))),
    },
    {
      method: 'GET',
      path: '/scheduled_events/{uuid}/invitees',
      scopes: reads,
      handle: (call) => {
        const booking = find(call)
        const email = one(call.query.email)?.toLowerCase()
        const isAsked = email === undefined || booking.invitee.email.toLowerCase() === email
        return collection(isAsked ? [presentInvitee(state, booking)] : [], call, state.origin())
      },
    },
    {
      method: 'GET',
      path: '/scheduled_events/{event_uuid}/invitees/{invitee_uuid}',
      scopes: reads,
      handle: (call) => {
        const booking = find(call)
        if (booking.invitee.uuid !== call.params.invitee_uuid) throw notFound()
        return resource(presentInvitee(state, booking))
      },
    },
    {
      method: 'POST',
      path: '/scheduled_events/{uuid}/cancellation',
      scopes: ['scheduled_events:write'],
      handle: (call) => {
        const { reason = '' } = fieldsOf(call.body) as { reason?: string }
        const booking = bookings.cancel(find(call), 'host', reason)
        const { cancellation } = presentEvent(state, booking) as { cancellation?: object }
        return resource(cancellation, 201)
      },
    },
  ]
}

interface SubscriptionInput {
  url: string
  events: string[]
  scope: string
  organization: string
  user?: string
  signing_key?: string
}

function webhookRoutes(state: CalendlyState): Route[] {
  const path = '/webhook_subscriptions'
  const reads = ['webhooks:read', 'webhooks:write']
  const find = ({ params }: Call): Subscription => {
    const found = state.subscriptions.find(({ uuid }) => uuid === params.uuid)
    if (!found) throw notFound()
    return found
  }
  return [
    {
      method: 'POST',
      path,
      scopes: ['webhooks:write'],
      handle: ({ body, grant }) => {
        const {
          url,
          events,
          scope,
          organization,
          user = null,
          signing_key,
        } = fieldsOf(body) as unknown as SubscriptionInput
        requireLoopback(url, (message) => invalid('url', message))
        if (organization !== uris(state.origin()).organization) throw invalid('organization', 'is not yours')
        if (state.subscriptions.some((other) => other.url === url)) throw new Refusal(refuseAsCalendly('conflict'))
        const added: Subscription = {
          uuid: state.random.text(16),
          url,
          events,
          scope,
          user,
          organization,
          // an application's webhooks have its key, whatever it asks for
          signingKey: grant?.clientId === PERSONAL ? (signing_key ?? '') : state.signingKey,
          state: 'active',
          failingSince: null,
          createdAt: state.clock(),
        }
        state.subscriptions.push(added)
        return resource(presentSubscription(state, added), 201)
      },
    },
    {
      method: 'GET',
      path,
      scopes: reads,
      handle: (call) =>
        collection(
          state.subscriptions.map((one) => presentSubscription(state, one)),
          call,
          state.origin(),
        ),
    },
    {
      method: 'GET',
      path: `${path}/{uuid}`,
      scopes: reads,
      handle: (call) => resource(presentSubscription(state, find(call))),
    },
    {
      method: 'DELETE',
      path: `${path}/{uuid}`,
      scopes: ['webhooks:write'],
      handle: (call) => {
        const found = find(call)
        state.subscriptions = state.subscriptions.filter((other) => other !== found)
        return { status: 204 }
      },
    },
  ]
}
