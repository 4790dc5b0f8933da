import { FaultScript } from '../faults'
import { type Client, type Grant, Grants, type Person } from '../oauth/grants'
import { createSeededRandom } from '../seededRandom'
import { type StandIn, type StandInOptions, startStandIn } from '../standIn'
import { createWebhookSender, type WebhookSender } from '../webhooks'
import { bookingPages } from './bookingPages'
import { Bookings } from './bookings'
import { calendlyApi, PERSONAL } from './calendlyApi'
import { CALENDLY_SCOPES, calendlyOAuth } from './calendlyOAuth'
import { refuseAsCalendly } from './errors'
import { calendlyKinds } from './kinds'
import type { CalendlyState, EventType } from './state'

export interface CalendlyStandIn extends StandIn {
  /** as `CALENDLY_CLIENT_ID` and `CALENDLY_CLIENT_SECRET` */
  client: Client
  state: CalendlyState
  /** what people do with bookings: book, cancel, reschedule; webhooks follow */
  bookings: Bookings
  webhooks: WebhookSender
  addEventType(eventType: Pick<EventType, 'name'> & Partial<EventType>): EventType
  /** gives tokens without the consent page. Default: all scopes */
  issue(scopes?: readonly string[]): Grant
  /** a token that a person made by hand, which lives until it is revoked */
  issuePersonal(scopes?: readonly string[]): Grant
}

/** Starts a stand-in of Calendly: OAuth, kinds of events, free times, bookings, their pages, and webhooks. */
export async function startCalendlyStandIn(options: StandInOptions): Promise<CalendlyStandIn> {
  const { clock, seed = 1, domain = 'example.com', contract } = options
  const random = createSeededRandom(seed)
  const people: [Person] = [{ id: 'ADA0000000000001', name: 'Ada Example', email: `ada@${domain}` }]
  const client = { id: 'parley-calendly', secret: 'stand-in-secret-calendly' }
  const rules = {
    accessSeconds: 7_200,
    codeSeconds: 600,
    rotates: true,
    endsOldAccess: false,
    accessToken: () => random.text(120),
    refreshToken: () => random.text(43),
  }
  const faults = new FaultScript()
  const webhooks = createWebhookSender({
    clock,
    faults,
    check: contract && ((body) => contract.value('Webhook', body)),
  })
  let origin = ''
  const state: CalendlyState = {
    client,
    signingKey: random.text(32),
    people,
    plan: 'paid',
    grants: new Grants(rules, clock, random),
    eventTypes: [],
    bookings: [],
    subscriptions: [],
    links: new Map(),
    clock,
    random,
    origin: () => origin,
  }
  const addEventType: CalendlyStandIn['addEventType'] = (eventType) => {
    const slug = eventType.name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
    const added = { uuid: random.text(16), slug, minutes: 30, active: true, questions: [], ...eventType }
    state.eventTypes.push(added)
    return added
  }
  addEventType({ name: 'First call' })
  const bookings = new Bookings(state, webhooks)
  const api = calendlyApi(state, bookings, options.limited ?? false)
  const routes = [...calendlyOAuth(state, options.home), ...api.routes, ...bookingPages(state, bookings)]
  const { admit, revoke } = api
  const vendor = {
    name: 'Calendly',
    routes,
    refuse: refuseAsCalendly,
    kinds: () => calendlyKinds(state, bookings),
    grants: state.grants,
    admit,
    revoke,
    webhooks,
  }
  const standIn = await startStandIn(vendor, options, faults)
  origin = standIn.origin
  const all = Object.keys(CALENDLY_SCOPES)
  return {
    ...standIn,
    client,
    state,
    bookings,
    webhooks,
    addEventType,
    issue: (scopes = all) => state.grants.issue(people[0], client.id, scopes),
    issuePersonal: (scopes = all) =>
      state.grants.issue(people[0], PERSONAL, scopes, false, { accessSeconds: 3_153_600_000 }),
  }
}
