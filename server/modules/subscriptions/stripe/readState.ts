import type Stripe from 'stripe'
import { planOf } from '../../../access/plans'
import type { Paid, SubscriptionState } from '../subscriptionState'
import { isMissing } from './explainStripe'
import { isOverage } from './overagePrice'
import { intervalOf, soldBy } from './prices'

/** A customer's subscription as Stripe has it, and what it comes to. */
export interface ReadSubscription {
  subscription: Stripe.Subscription
  state: SubscriptionState
}

const ENDED = new Set(['canceled', 'incomplete', 'incomplete_expired'])

/** @returns null: there is none, or the customer is no longer there */
export async function readState(client: Stripe, customer: string): Promise<ReadSubscription | null> {
  try {
    const { data } = await client.subscriptions.list({
      ...{ customer, status: 'all', limit: 100, expand: ['data.latest_invoice', 'data.schedule'] },
    })
    const subscription = currentOf(data)
    return subscription ? { subscription, state: stateOf(subscription) } : null
  } catch (thrown) {
    if (isMissing(thrown)) return null
    throw thrown
  }
}

/** The one that goes on; the oldest of several, since that is the one that was known first. Else what ended last. */
function currentOf(all: readonly Stripe.Subscription[]): Stripe.Subscription | undefined {
  const byAge = [...all].sort((one, other) => one.created - other.created)
  return byAge.find(({ status }) => !ENDED.has(status)) ?? byAge.at(-1)
}

const at = (seconds: number) => new Date(seconds * 1_000).toISOString()
const atOrNull = (seconds: number | null) => (seconds === null ? null : at(seconds))

/** What Stripe says of a subscription in Parley's words. Prices that are not ours pay for nothing here. */
export function stateOf(subscription: Stripe.Subscription): SubscriptionState {
  const { items, status, cancel_at, cancel_at_period_end, trial_end, ended_at, pending_update } = subscription
  const ends = items.data.map(({ current_period_end }) => current_period_end)
  const periodEnd = ends.length > 0 ? Math.min(...ends) : subscription.created
  const invoice = typeof subscription.latest_invoice === 'object' ? subscription.latest_invoice : null
  const isOpen = invoice?.status === 'open'
  const isFailing = status === 'past_due' || status === 'unpaid'
  return {
    ...paidBy(items.data.map(({ price, quantity }) => ({ price, quantity }))),
    ...{ id: subscription.id, status, currency: subscription.currency, period_end: at(periodEnd) },
    // what is counted costs what is used of it
    cents: items.data.reduce(
      (sum, { price, quantity = 1 }) => sum + (isOverage(price) ? 0 : (price.unit_amount ?? 0) * quantity),
      0,
    ),
    cancel_at: atOrNull(cancel_at ?? (cancel_at_period_end ? periodEnd : null)),
    ...{ trial_end: status === 'trialing' ? atOrNull(trial_end) : null, ended_at: atOrNull(ended_at) },
    scheduled: scheduledBy(subscription),
    failing_since: isFailing ? at(invoice?.created ?? periodEnd) : null,
    payment_url: isOpen && (isFailing || pending_update) ? (invoice?.hosted_invoice_url ?? null) : null,
    waits: pending_update !== null,
    overage: items.data.some(({ price }) => isOverage(price)),
  }
}

function paidBy(items: readonly { price: Stripe.Price; quantity?: number | undefined }[]): Paid {
  const addons: Record<string, number> = {}
  let plan = 'free'
  for (const { price, quantity = 1 } of items) {
    const sold = soldBy(price)
    if (sold?.kind === 'plan') plan = planOf(sold.id).id
    else if (sold) addons[sold.id] = (addons[sold.id] ?? 0) + quantity
  }
  const [first] = items
  return { plan_id: plan, interval: first ? intervalOf(first.price) : 'month', addons }
}

/**
 * What a schedule makes of it at the period's end. It is written with it as text (`scheduleText`), since a phase names
 * prices without saying what they are of.
 */
function scheduledBy({ schedule }: Stripe.Subscription): SubscriptionState['scheduled'] {
  if (typeof schedule !== 'object' || schedule === null || schedule.status !== 'active') return null
  const [, next] = schedule.phases
  const target = next && readScheduleText(next.metadata?.[SCHEDULE_MARK])
  return target ? { ...target, at: at(next.start_date) } : null
}

/** Under which a phase says what it is. */
export const SCHEDULE_MARK = 'parley_paid'

/** `growth month 3:2 5:1`: the plan, how often it is paid, and the add-ons. At most 500 characters, as Stripe takes. */
export const scheduleText = ({ plan_id, interval, addons }: Paid): string =>
  [plan_id, interval, ...Object.entries(addons).map(([id, quantity]) => `${id}:${quantity}`)].join(' ')

function readScheduleText(text: string | undefined): Paid | null {
  const [plan_id = '', interval, ...bought] = (text ?? '').slice(0, 500).split(' ')
  if (interval !== 'month' && interval !== 'year') return null
  const addons = bought.flatMap((each) => {
    const [id = '', quantity = ''] = each.split(':')
    return /^\d{1,4}$/.test(id) && /^\d{1,4}$/.test(quantity) ? [[id, Number(quantity)] as const] : []
  })
  return { plan_id: planOf(plan_id).id, interval, addons: Object.fromEntries(addons) }
}
