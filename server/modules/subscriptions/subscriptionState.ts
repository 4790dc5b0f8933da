import type { Addons } from '../../access/addons'
import type { Interval } from '../../access/offers'

/** What a subscription pays for. */
export interface Paid {
  plan_id: string
  interval: Interval
  addons: Addons
}

/** What is changed of it; what is left out stays. Of an add-on 0 takes it away. */
export type PaidChange = Partial<Paid>

/** A subscription as Stripe has it. Times are ISO 8601. */
export interface SubscriptionState extends Paid {
  id: string
  /** Stripe's own word */
  status: string
  /** in whole cents, of one interval */
  cents: number
  currency: string
  period_end: string
  /** it ends then by itself; null: it renews */
  cancel_at: string | null
  trial_end: string | null
  ended_at: string | null
  /** what it becomes at the period's end */
  scheduled: (Paid & { at: string }) | null
  /** since when a payment fails; null: none does */
  failing_since: string | null
  /** where that is paid, or a change that waits is confirmed */
  payment_url: string | null
  /** a change waits until it is paid */
  waits: boolean
  /** credits beyond the plan are counted and charged; absent: in readings of before that was possible */
  overage?: boolean
}

const DAY = 86_400_000
/** How long the plan stays after a payment failed: longer than Stripe's usual retries of a week or two need. */
export const GRACE_DAYS = 14

const FREE = { plan_id: 'free', addons: {} } as const

/** Until when a failed payment takes nothing away; null: none has failed. */
export const graceUntil = ({ failing_since }: SubscriptionState): Date | null =>
  failing_since === null ? null : new Date(Date.parse(failing_since) + GRACE_DAYS * DAY)

/** Whether it goes on: it may be changed, and another must not begin beside it. */
export const isLive = (state: SubscriptionState | null): state is SubscriptionState =>
  state !== null && ['trialing', 'active', 'past_due', 'unpaid', 'paused'].includes(state.status)

/** How long before Stripe stops counting no more is used: in it, all that was is told, twice if once fails. */
export const LAST_REPORT_MINUTES = 20

/** When Stripe stops counting credits beyond the plan: at the end of a subscription, or when it becomes yearly. */
function countsUntil({ cancel_at, scheduled }: SubscriptionState): number {
  if (cancel_at !== null) return Date.parse(cancel_at)
  return scheduled?.interval === 'year' ? Date.parse(scheduled.at) : Number.POSITIVE_INFINITY
}

/**
 * Whether credits beyond the plan may be used: while it is paid, by the month. Who pays by the year would be charged
 * for them once a year, and what is used in the last minutes would come too late to be charged.
 */
export const mayExceed = (state: SubscriptionState | null, now: Date): state is SubscriptionState =>
  state?.status === 'active' &&
  state.interval === 'month' &&
  now.getTime() < countsUntil(state) - LAST_REPORT_MINUTES * 60_000

/**
 * What a project may do by its subscription at a time: what it pays for while it is paid, and for some days after a
 * payment failed; the free plan otherwise. What was bought besides ends with the plan.
 */
export function entitledBy(state: SubscriptionState, now: Date): { plan_id: string; addons: Addons } {
  const paid = { plan_id: state.plan_id, addons: state.addons }
  if (state.status === 'active' || state.status === 'trialing') return paid
  const grace = graceUntil(state)
  return state.status === 'past_due' && grace !== null && now < grace ? paid : FREE
}
