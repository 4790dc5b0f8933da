import type { Call } from '../call'
import type { Route } from '../routes'
import { answer, bodyOf, find, pageOf, queryOf } from './catalogueRoutes'
import { refuseStripe } from './errors'
import { presentEvent } from './events'
import { type Field, type Fields, fieldsIn, isTrue, listIn, metadataIn, textOf } from './form'
import { draft, prorate } from './invoices'
import { presentPortal, presentSession } from './present'
import { presentInvoice } from './presentInvoice'
import { type CheckoutSession, isLive, makeId, type PortalSession, type StripeState } from './state'
import { changedItems } from './subscriptionRoutes'
import type { Subscriptions } from './subscriptions'

/** Of a page on which one pays. */
const SESSION_SECONDS = 86_400

/** Checkout and portal pages, invoices, events. */
export function paymentRoutes(state: StripeState, subscriptions: Subscriptions): Route[] {
  const customerOf = ({ customer }: Fields) => {
    const found = find(state.customers, 'customer', textOf(customer) ?? '', 'customer')
    if (found.isDeleted)
      throw refuseStripe(`No such customer: '${found.id}'`, { code: 'resource_missing', param: 'customer' })
    return found
  }
  const wanted = (given: Field | undefined) =>
    listIn(given).map((line) => {
      const { price, quantity } = fieldsIn(line)
      const found = find(state.prices, 'price', textOf(price) ?? '', 'line_items[0][price]')
      if (!found.active) throw refuseStripe('The price specified is inactive.', { param: 'line_items[0][price]' })
      return { price: found, quantity: Number(textOf(quantity) ?? 1) }
    })

  function addSession(fields: Fields): CheckoutSession {
    if (fields.mode !== 'subscription')
      throw refuseStripe('This stand-in sells subscriptions alone.', { param: 'mode' })
    const items = wanted(fields.line_items)
    if (new Set(items.map(({ price }) => price.interval)).size !== 1)
      throw refuseStripe('Prices of one subscription have one interval.', { param: 'line_items' })
    const data = fieldsIn(fields.subscription_data)
    const session: CheckoutSession = {
      ...{ id: makeId(state, 'cs_test'), customer: customerOf(fields), items, metadata: metadataIn(fields.metadata) },
      ...{ subscriptionMetadata: metadataIn(data.metadata), trialDays: Number(textOf(data.trial_period_days) ?? 0) },
      ...{ reference: textOf(fields.client_reference_id) ?? null, successUrl: textOf(fields.success_url) ?? '' },
      ...{ cancelUrl: textOf(fields.cancel_url) ?? '', takesCodes: isTrue(fields.allow_promotion_codes) },
      ...{ takesTaxId: isTrue(fieldsIn(fields.tax_id_collection).enabled), status: 'open', promotion: null },
      ...{ subscription: null, created: state.now(), expires: state.now() + SESSION_SECONDS },
    }
    state.sessions.push(session)
    return session
  }

  function preview(fields: Fields) {
    const customer = customerOf(fields)
    const subscription = find(state.subscriptions, 'subscription', textOf(fields.subscription) ?? '', 'subscription')
    if (subscription.customer !== customer || !isLive(subscription))
      throw refuseStripe('The subscription is not of that customer, or has ended.', { param: 'subscription' })
    const details = fieldsIn(fields.subscription_details)
    const at = Number(textOf(details.proration_date) ?? state.now())
    const items = changedItems(state, subscription, details.items)
    const { lines } = prorate(state, subscription, items, at)
    if (details.proration_behavior !== 'always_invoice')
      throw refuseStripe('This stand-in previews changes that are invoiced at once.', { param: 'subscription_details' })
    return draft(state, subscription, lines, 'upcoming', at)
  }

  const shownSession = (session: CheckoutSession) => answer(presentSession(session, state.origin()))
  return [
    { method: 'POST', path: '/v1/checkout/sessions', handle: (call) => shownSession(addSession(bodyOf(call))) },
    {
      method: 'GET',
      path: '/v1/checkout/sessions',
      handle(call) {
        const { customer, status } = queryOf(call)
        const found = state.sessions.filter(
          (one) =>
            (customer === undefined || one.customer.id === customer) && (status === undefined || one.status === status),
        )
        return pageOf(found.reverse(), call, (one) => presentSession(one, state.origin()))
      },
    },
    {
      method: 'GET',
      path: '/v1/checkout/sessions/{id}',
      handle: ({ params }) => shownSession(find(state.sessions, 'checkout.session', params.id ?? '')),
    },
    {
      method: 'POST',
      path: '/v1/checkout/sessions/{id}/expire',
      handle({ params }) {
        const session = find(state.sessions, 'checkout.session', params.id ?? '')
        if (session.status !== 'open')
          throw refuseStripe('Only Checkout Sessions with a status of open can be expired.')
        session.status = 'expired'
        subscriptions.tell('checkout.session.expired', presentSession(session, state.origin()))
        return shownSession(session)
      },
    },
    {
      method: 'POST',
      path: '/v1/billing_portal/sessions',
      handle(call) {
        const fields = bodyOf(call)
        const portal: PortalSession = {
          ...{ id: makeId(state, 'bps'), customer: customerOf(fields), created: state.now() },
          returnUrl: textOf(fields.return_url) ?? null,
        }
        state.portals.push(portal)
        return answer(presentPortal(portal, state.origin()))
      },
    },
    {
      method: 'POST',
      path: '/v1/invoices/create_preview',
      handle: (call) => answer(presentInvoice(preview(bodyOf(call)), state.origin())),
    },
    {
      method: 'GET',
      path: '/v1/invoices',
      handle(call) {
        const { customer, status, subscription } = queryOf(call)
        const found = state.invoices.filter(
          (one) =>
            (customer === undefined || one.customer.id === customer) &&
            (subscription === undefined || one.subscription.id === subscription) &&
            (status === undefined || one.status === status),
        )
        return pageOf(found.reverse(), call, (one) => presentInvoice(one, state.origin()))
      },
    },
    {
      method: 'GET',
      path: '/v1/invoices/{id}',
      handle: ({ params }) => answer(presentInvoice(find(state.invoices, 'invoice', params.id ?? ''), state.origin())),
    },
    {
      method: 'GET',
      path: '/v1/events',
      handle: (call: Call) => pageOf([...state.events].reverse(), call, presentEvent),
    },
    {
      method: 'GET',
      path: '/v1/events/{id}',
      handle: ({ params }) => answer(presentEvent(find(state.events, 'event', params.id ?? ''))),
    },
  ]
}
