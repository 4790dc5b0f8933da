import { FaultScript } from '../faults'
import { createSeededRandom } from '../seededRandom'
import { type ContractWatch, type StandIn, type StandInOptions, startStandIn } from '../standIn'
import { createWebhookSender, type WebhookSender } from '../webhooks'
import { checkoutPages } from './checkoutPages'
import { refuseAsStripe } from './errors'
import { tellEvent } from './events'
import { stripeKinds } from './kinds'
import { portalPages } from './portalPages'
import { presentSession } from './present'
import { makeId, type Promotion, type StripeState } from './state'
import { nestedParts, stripeApi } from './stripeApi'
import { Subscriptions } from './subscriptions'

export interface StripeStandIn extends StandIn {
  /** as `STRIPE_SECRET_KEY` */
  key: string
  /** as `STRIPE_WEBHOOK_SECRET` */
  webhookSecret: string
  state: StripeState
  subscriptions: Subscriptions
  webhooks: WebhookSender
  /** tells an address of all events, signed */
  addWebhook(url: string): void
  addPromotion(code: string, percent: number, duration?: Promotion['duration']): Promotion
  /** moves Stripe's own time on: renewals, retries and ends happen in their order */
  pass(seconds: number): void
}

/** Starts a stand-in of Stripe: prices, Checkout, portal, subscriptions, invoices, and signed webhooks. */
export async function startStripeStandIn(options: StandInOptions): Promise<StripeStandIn> {
  const { clock, seed = 1, contract } = options
  const random = createSeededRandom(seed)
  const faults = new FaultScript()
  const webhooks = createWebhookSender({ clock, faults, check: contract && ((body) => contract.value('Event', body)) })
  let origin = ''
  let ahead = 0
  let at: number | null = null
  const current = () => Math.floor(clock().getTime() / 1_000) + ahead
  const state: StripeState = {
    ...{ key: `sk_test_${random.text(40)}`, webhookSecret: `whsec_${random.text(32)}`, webhookUrls: [] },
    ...{
      products: [],
      prices: [],
      meters: [],
      meterEvents: [],
      promotions: [],
      customers: [],
      sessions: [],
      portals: [],
      subscriptions: [],
    },
    ...{ schedules: [], invoices: [], events: [], webhooks, random, origin: () => origin },
    // while what is due is done, it is as late as it was due
    now: () => at ?? current(),
    pass(seconds) {
      ahead += seconds
      catchUp()
    },
  }
  const subscriptions = new Subscriptions(state, (type, object) => tellEvent(state, type, object, clock))

  function catchUp(): void {
    if (at !== null) return
    const now = current()
    for (let due = subscriptions.nextDue(); due !== null && due <= now; due = subscriptions.nextDue()) {
      at = due
      subscriptions.doDue()
    }
    at = null
    for (const session of state.sessions)
      if (session.status === 'open' && session.expires <= now) {
        session.status = 'expired'
        subscriptions.tell('checkout.session.expired', presentSession(session, origin))
      }
  }

  const addPromotion: StripeStandIn['addPromotion'] = (code, percent, duration = 'forever') => {
    const promotion: Promotion = {
      ...{ id: makeId(state, 'promo'), couponId: random.text(8), code, percent, duration },
      ...{ active: true, created: state.now() },
    }
    state.promotions.push(promotion)
    return promotion
  }
  const { routes, admit } = stripeApi(state, subscriptions, options.limited ?? false)
  const pages = [...checkoutPages(state, subscriptions), ...portalPages(state, subscriptions)]
  const vendor = {
    ...{ name: 'Stripe', routes: [...routes, ...pages].map(after(catchUp)), refuse: refuseAsStripe, admit, webhooks },
    kinds: () => stripeKinds(state, subscriptions, addPromotion),
  }
  const watch = contract && { contract: nesting(contract) }
  const standIn = await startStandIn(vendor, { ...options, ...watch }, faults)
  origin = standIn.origin
  return {
    ...standIn,
    ...{ key: state.key, webhookSecret: state.webhookSecret, state, subscriptions, webhooks, addPromotion },
    addWebhook: (url) => state.webhookUrls.push(url),
    pass: state.pass,
  }
}

type Routes = ReturnType<typeof stripeApi>['routes']
const after =
  (first: () => void) =>
  (route: Routes[number]): Routes[number] => ({
    ...route,
    handle(call) {
      first()
      return route.handle(call)
    },
  })

/** Forms and queries are written with brackets, which contracts describe as what they mean. */
const nesting = (contract: ContractWatch): ContractWatch => ({
  ...contract,
  request: (call) => contract.request({ ...call, ...nestedParts(call) }),
})
