import type { Route } from '../routes'
import { answer, bodyOf, find, pageOf, queryOf } from './catalogueRoutes'
import { refuseStripe } from './errors'
import { type Field, type Fields, fieldsIn, isTrue, listIn, metadataIn, textOf, textsIn } from './form'
import { presentSchedule, presentSubscription } from './present'
import { type Item, isLive, makeId, type Phase, periodAfter, type StripeState, type Subscription } from './state'
import type { Subscriptions } from './subscriptions'

/** @returns what the items of a subscription would be @throws Refusal for an item or price that there is not */
export function changedItems(state: StripeState, subscription: Subscription, given: Field | undefined): Item[] {
  let items = subscription.items.map((item) => ({ ...item }))
  for (const change of listIn(given).map(fieldsIn)) {
    const id = textOf(change.id)
    const price = textOf(change.price)
    const found = price === undefined ? undefined : find(state.prices, 'price', price, 'items[0][price]')
    const quantity = change.quantity === undefined ? undefined : Number(textOf(change.quantity))
    if (id === undefined) {
      if (!found) throw refuseStripe('An item needs a price.', { param: 'items' })
      items.push({ id: makeId(state, 'si'), price: found, quantity: quantity ?? 1, created: state.now() })
      continue
    }
    const item = find(items, 'subscription item', id, 'items[0][id]')
    if (isTrue(change.deleted)) items = items.filter((one) => one !== item)
    else Object.assign(item, { price: found ?? item.price, quantity: quantity ?? item.quantity })
  }
  if (new Set(items.map(({ price }) => price.id)).size !== items.length)
    throw refuseStripe('Two items of a subscription have the same price.', { param: 'items' })
  if (items.length === 0) throw refuseStripe('A subscription must have at least one active plan.', { param: 'items' })
  return items
}

/** Subscriptions and what is scheduled for them. */
export function subscriptionRoutes(state: StripeState, subscriptions: Subscriptions): Route[] {
  const of = (id = '') => find(state.subscriptions, 'subscription', id)
  const scheduleOf = (id = '') => find(state.schedules, 'subscription schedule', id)
  const shown = (subscription: Subscription, expand: Field | undefined) =>
    answer(presentSubscription(subscription, state.origin(), textsIn(expand)))

  function update(subscription: Subscription, fields: Fields): void {
    if (!isLive(subscription)) throw refuseStripe('A canceled subscription can only update its cancellation_details.')
    const { cancel_at_period_end: cancels, items } = fields
    if (subscription.schedule && (cancels !== undefined || items !== undefined))
      throw refuseStripe('The subscription is managed by a subscription schedule: release it first.')
    if (subscription.pending) {
      const { invoice } = subscription.pending
      invoice.status = 'void'
      subscription.pending = null
    }
    if (items !== undefined) {
      if (fields.payment_behavior !== 'pending_if_incomplete' || fields.proration_behavior !== 'always_invoice')
        throw refuseStripe('This stand-in changes items with pending_if_incomplete and always_invoice alone.')
      if (cancels !== undefined) throw refuseStripe('pending_if_incomplete takes no cancel_at_period_end.')
      const at = Number(textOf(fields.proration_date) ?? state.now())
      subscriptions.change(subscription, changedItems(state, subscription, items), at)
    }
    if (cancels !== undefined) subscriptions.cancelAtEnd(subscription, isTrue(cancels))
  }

  function readPhases(given: Field | undefined): Phase[] {
    let before = state.now()
    return listIn(given)
      .map(fieldsIn)
      .map(({ start_date, end_date, items, duration, metadata }) => {
        const wanted = listIn(items).map((item) => {
          const { price, quantity } = fieldsIn(item)
          return {
            price: find(state.prices, 'price', textOf(price) ?? '', 'phases'),
            quantity: Number(textOf(quantity) ?? 1),
          }
        })
        const start = Number(textOf(start_date) ?? before)
        const interval = textOf(fieldsIn(duration).interval) === 'year' ? 'year' : 'month'
        before = Number(textOf(end_date) ?? periodAfter(start, interval))
        return { start, end: before, items: wanted, metadata: metadataIn(metadata) }
      })
  }

  return [
    {
      method: 'GET',
      path: '/v1/subscriptions',
      handle(call) {
        const { customer, status, expand } = queryOf(call)
        const names = textsIn(expand).map((name) => name.replace(/^data\./, ''))
        const found = state.subscriptions.filter(
          (one) =>
            (customer === undefined || one.customer.id === customer) &&
            (status === 'all' || (status === undefined ? one.status !== 'canceled' : one.status === status)),
        )
        return pageOf(found.reverse(), call, (one) => presentSubscription(one, state.origin(), names))
      },
    },
    {
      method: 'GET',
      path: '/v1/subscriptions/{id}',
      handle: (call) => shown(of(call.params.id), queryOf(call).expand),
    },
    {
      method: 'POST',
      path: '/v1/subscriptions/{id}',
      handle(call) {
        const subscription = of(call.params.id)
        update(subscription, bodyOf(call))
        return shown(subscription, bodyOf(call).expand)
      },
    },
    {
      method: 'DELETE',
      path: '/v1/subscriptions/{id}',
      handle(call) {
        const subscription = of(call.params.id)
        if (!isLive(subscription)) throw refuseStripe(`No such subscription: '${subscription.id}'`)
        subscriptions.end(subscription, 'cancellation_requested')
        return shown(subscription, undefined)
      },
    },
    {
      method: 'POST',
      path: '/v1/subscription_schedules',
      handle(call) {
        const subscription = of(textOf(bodyOf(call).from_subscription))
        if (subscription.schedule || !isLive(subscription))
          throw refuseStripe('The subscription has a schedule already, or has ended.', { param: 'from_subscription' })
        return answer(presentSchedule(subscriptions.schedule(subscription)))
      },
    },
    {
      method: 'GET',
      path: '/v1/subscription_schedules/{id}',
      handle: ({ params }) => answer(presentSchedule(scheduleOf(params.id))),
    },
    {
      method: 'POST',
      path: '/v1/subscription_schedules/{id}',
      handle(call) {
        const schedule = scheduleOf(call.params.id)
        if (schedule.status !== 'active') throw refuseStripe('Only active schedules can be updated.')
        const phases = readPhases(bodyOf(call).phases)
        if (phases[0]?.start !== schedule.phases[0]?.start)
          throw refuseStripe('The current phase can not be moved.', { param: 'phases' })
        schedule.phases = phases
        subscriptions.tell('subscription_schedule.updated', presentSchedule(schedule))
        return answer(presentSchedule(schedule))
      },
    },
    {
      method: 'POST',
      path: '/v1/subscription_schedules/{id}/release',
      handle(call) {
        const schedule = scheduleOf(call.params.id)
        if (schedule.status !== 'active') throw refuseStripe('Only active schedules can be released.')
        subscriptions.endSchedule(schedule, 'released')
        return answer(presentSchedule(schedule))
      },
    },
  ]
}
