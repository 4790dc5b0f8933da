import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import { ApiError } from '../../platform/errors'
import type { Overage } from './overage'
import { type Planned, planChange } from './plannedChange'
import type { Refresh } from './refresh'
import type { StripeSource } from './stripe/createStripe'
import { asking } from './stripe/explainStripe'
import { isOverage } from './stripe/overagePrice'
import { intervalOf, type PricedItem, priced, soldBy } from './stripe/prices'
import { type ReadSubscription, SCHEDULE_MARK, scheduleText } from './stripe/readState'
import { isLive, type Paid, type PaidChange } from './subscriptionState'

/** What a change comes to, before anybody says yes. Money in whole cents. */
export interface ChangePreview {
  when: Planned['when']
  /** what is paid for then */
  after: Paid
  /** what is charged at once; 0 for a change that waits */
  due: number
  /** what stays as a credit for the next invoices */
  credit: number
  /** between the lines and what is charged: taken off by codes, added by taxes, left or owed of before */
  discount: number
  tax: number
  balance: number
  lines: { text: string; cents: number }[]
  /** each period from then on, and when the first begins */
  next: { cents: number; at: string }
  currency: string
  /** the second to which parts of the period are computed, so that what was shown is what is charged */
  at: number
  /** of what the subscription was then: a change of another one is refused */
  seen: string
}

const MOST_LINES = 40

/**
 * Changes of a subscription that goes on. Each reads it at Stripe first, and again after. Before Stripe stops counting
 * credits beyond the plan, it is told of all that were used.
 */
export function createChanges(stripe: StripeSource, refresh: Refresh, overage: Pick<Overage, 'reportAll' | 'close'>) {
  async function readLive(projectId: string): Promise<ReadSubscription> {
    const read = await refresh(projectId)
    if (!read || !isLive(read.state)) throw new ApiError('no_subscription')
    return read
  }

  async function plan(projectId: string, change: PaidChange) {
    const read = await readLive(projectId)
    const { state } = read
    if (state.cancel_at !== null) throw new ApiError('subscription_ends')
    const planned = planChange(state, change)
    if (planned.when === 'now' && state.scheduled) throw new ApiError('change_planned')
    return { read, planned }
  }

  return {
    /** @throws ApiError no_subscription, subscription_ends, change_planned, and what `asking` throws */
    preview: (projectId: string, change: PaidChange, at: number): Promise<ChangePreview> =>
      asking(async () => {
        const { read, planned } = await plan(projectId, change)
        const { state, subscription } = read
        const after = planned.after ?? state
        const client = await stripe()
        const items = await priced(client, after)
        if (endsCounting(read, planned)) await overage.reportAll(projectId)
        const common = { after: paidOf(after), at, seen: seenOf(read), currency: state.currency }
        const cents = items.reduce((sum, item) => sum + item.cents * item.quantity, 0)
        if (planned.when === 'later')
          return { ...common, ...NOTHING, when: 'later', next: { cents, at: state.period_end } }
        const invoice = await client.invoices.createPreview({
          ...{ customer: idOf(subscription.customer), subscription: subscription.id },
          subscription_details: {
            ...{ items: changedItems(subscription, items), proration_behavior: 'always_invoice', proration_date: at },
          },
        })
        const lines = invoice.lines.data.slice(0, MOST_LINES)
        const ends = lines.map(({ period }) => period.end)
        return {
          ...{ ...common, when: 'now', due: invoice.amount_due, credit: Math.max(0, -invoice.total) },
          lines: lines.map(({ description, amount }) => ({ text: (description ?? '').slice(0, 300), cents: amount })),
          discount: sumOf(invoice.total_discount_amounts),
          // prices that include their taxes name them as well
          tax: sumOf(invoice.total_taxes?.filter(({ tax_behavior }) => tax_behavior === 'exclusive') ?? null),
          balance: invoice.starting_balance,
          next: {
            cents,
            at: after.interval === state.interval ? state.period_end : iso(Math.max(at, ...ends)),
          },
        }
      }),

    /**
     * Carries out what was shown. What only adds is paid at once, and waits if the payment does; all else comes at the
     * period's end.
     * @throws ApiError conflict if the subscription is another one than what was seen
     */
    change: (projectId: string, change: PaidChange, { at, seen }: { at: number; seen: string }) =>
      asking(async () => {
        const { read, planned } = await plan(projectId, change)
        if (seenOf(read) !== seen) throw new ApiError('conflict')
        const client = await stripe()
        if (planned.when === 'later') {
          await schedule(client, read, planned.after)
          return refresh(projectId)
        }
        const ends = endsCounting(read, planned)
        try {
          if (ends) await overage.close(projectId)
          await client.subscriptions.update(read.subscription.id, {
            items: changedItems(read.subscription, await priced(client, planned.after)),
            ...{ proration_behavior: 'always_invoice', proration_date: at, payment_behavior: 'pending_if_incomplete' },
          })
        } catch (refused) {
          // as it was: they may be used again
          if (ends) await refresh(projectId).catch(() => undefined)
          throw refused
        }
        return refresh(projectId)
      }),

    /** Undoes what waits for the period's end. */
    keep: (projectId: string) =>
      asking(async () => {
        const { subscription } = await readLive(projectId)
        await release(await stripe(), subscription)
        return refresh(projectId)
      }),

    /** Ends it with the period, or takes that back. */
    cancel: (projectId: string, cancels: boolean) =>
      asking(async () => {
        const { subscription, state } = await readLive(projectId)
        // Stripe refuses to update what a schedule leads, and there is nothing to take back
        if (!cancels && state.cancel_at === null) return refresh(projectId)
        const client = await stripe()
        if (cancels && state.overage) await overage.reportAll(projectId)
        if (cancels) await release(client, subscription)
        await client.subscriptions.update(subscription.id, { cancel_at_period_end: cancels })
        return refresh(projectId)
      }),
  }
}
export type Changes = ReturnType<typeof createChanges>

const NOTHING = { due: 0, credit: 0, lines: [], discount: 0, tax: 0, balance: 0 }
const sumOf = (amounts: readonly { amount: number }[] | null) =>
  (amounts ?? []).reduce((sum, { amount }) => sum + amount, 0)

/** Whether credits beyond the plan are counted no longer from then on. */
const endsCounting = ({ state }: ReadSubscription, { when, after }: Planned): boolean =>
  when === 'now' && after.interval === 'year' && state.overage === true

const iso = (seconds: number) => new Date(seconds * 1_000).toISOString()
const idOf = (given: string | { id: string }): string => (typeof given === 'string' ? given : given.id)
const paidOf = ({ plan_id, interval, addons }: Paid): Paid => ({ plan_id, interval, addons })

const seenOf = ({ subscription, state }: ReadSubscription): string =>
  createHash('sha256')
    .update(JSON.stringify([subscription.id, itemsOf(subscription), state.scheduled, state.cancel_at]))
    .digest('hex')
    .slice(0, 32)

const itemsOf = ({ items }: Stripe.Subscription) =>
  items.data.map(({ id, price, quantity }) => ({ id, price: price.id, quantity: quantity ?? 1 }))

/**
 * What has to be changed of a subscription's items. An item that stays as it is keeps its price, which may be one that
 * is not sold any more; what is not ours is left alone, and so are credits beyond the plan while it is paid by the
 * month.
 */
function changedItems(
  subscription: Stripe.Subscription,
  wanted: readonly PricedItem[],
): Stripe.SubscriptionUpdateParams.Item[] {
  const changes: Stripe.SubscriptionUpdateParams.Item[] = []
  const left = [...wanted]
  for (const item of subscription.items.data) {
    const sold = soldBy(item.price)
    // credits beyond the plan are charged by the month alone
    if (isOverage(item.price) && wanted.some(({ interval }) => interval === 'year'))
      changes.push({ id: item.id, deleted: true })
    if (!sold) continue
    const at = left.findIndex(({ kind, id }) => kind === sold.kind && (kind === 'plan' || id === sold.id))
    const [next] = at < 0 ? [] : left.splice(at, 1)
    if (!next) changes.push({ id: item.id, deleted: true })
    else if (isKept(item, sold.id, next)) {
      if (item.quantity !== next.quantity) changes.push({ id: item.id, quantity: next.quantity })
    } else changes.push({ id: item.id, price: next.price, quantity: next.quantity })
  }
  return [...changes, ...left.map(({ price, quantity }) => ({ price, quantity }))]
}

/** Whether an item is of the same thing in the same interval: then its price stays. */
const isKept = ({ price }: Stripe.SubscriptionItem, id: string, next: PricedItem): boolean =>
  id === next.id && intervalOf(price) === next.interval

async function release(client: Stripe, { schedule }: Stripe.Subscription): Promise<void> {
  if (typeof schedule === 'object' && schedule?.status === 'active')
    await client.subscriptionSchedules.release(schedule.id)
}

/** What is counted has no quantity. */
const phaseItem = ({ price, quantity = 1 }: Stripe.SubscriptionItem) => ({
  price: price.id,
  ...(!isOverage(price) && { quantity }),
})

/** Has a subscription become something else at its period's end. @param target null: it stays what it is */
async function schedule(client: Stripe, { subscription }: ReadSubscription, target: Paid | null): Promise<void> {
  if (target === null) return release(client, subscription)
  const wanted = await priced(client, target)
  const known = typeof subscription.schedule === 'object' ? subscription.schedule : null
  const made =
    known?.status === 'active'
      ? known
      : await client.subscriptionSchedules.create({ from_subscription: subscription.id })
  const [present] = made.phases
  if (!present) throw new Error(`The schedule ${made.id} has no phase`)
  const counted = subscription.items.data.filter(({ price }) => isOverage(price))
  // whoever has a discount keeps it: a phase without any would end it
  const discounts = subscription.discounts.map((discount) => ({ discount: idOf(discount) }))
  await client.subscriptionSchedules.update(made.id, {
    end_behavior: 'release',
    phases: [
      {
        ...{ start_date: present.start_date, end_date: present.end_date, discounts, proration_behavior: 'none' },
        items: subscription.items.data.map(phaseItem),
      },
      {
        ...{ duration: { interval: target.interval }, discounts, proration_behavior: 'none' },
        items: [
          ...wanted.map(({ price, quantity }) => ({ price, quantity })),
          ...(target.interval === 'month' ? counted.map(phaseItem) : []),
        ],
        metadata: { [SCHEDULE_MARK]: scheduleText(target) },
      },
    ],
  })
}
