import { addons } from '../../access/addons'
import { plans } from '../../access/plans'
import type { Paid, PaidChange, SubscriptionState } from './subscriptionState'

/** What is paid for after a change. */
export const withChange = (paid: Paid, { plan_id, interval, addons: changed }: PaidChange): Paid => ({
  plan_id: plan_id ?? paid.plan_id,
  interval: interval ?? paid.interval,
  addons: Object.fromEntries(Object.entries({ ...paid.addons, ...changed }).filter(([, quantity]) => quantity > 0)),
})

export const isSame = (one: Paid, other: Paid): boolean =>
  one.plan_id === other.plan_id &&
  one.interval === other.interval &&
  addons.every(({ id }) => (one.addons[id] ?? 0) === (other.addons[id] ?? 0))

const rank = (id: string) => plans.findIndex((plan) => plan.id === id)

/**
 * Whether a change only adds, so that it holds at once. Whatever takes something away was paid for until the period's
 * end, and waits for it: a smaller plan, fewer of an add-on, the month instead of the year. A larger plan is more,
 * whatever else changes.
 */
export function isMore(before: Paid, after: Paid): boolean {
  if (before.plan_id !== after.plan_id) return rank(after.plan_id) > rank(before.plan_id)
  if (before.interval !== after.interval && after.interval === 'month') return false
  return addons.every(({ id }) => (after.addons[id] ?? 0) >= (before.addons[id] ?? 0))
}

export type Planned = { when: 'now'; after: Paid } | { when: 'later'; after: Paid | null }

/**
 * When a change comes, and to what. Changes that wait come together at the period's end.
 * @returns `after` is null if nothing is left to change then
 */
export function planChange(state: SubscriptionState, change: PaidChange): Planned {
  const { plan_id, interval, addons: present } = state
  const paid = { plan_id, interval, addons: present }
  const after = withChange(paid, change)
  if (isMore(paid, after)) return { when: 'now', after }
  const target = withChange(state.scheduled ?? paid, change)
  return { when: 'later', after: isSame(target, paid) ? null : target }
}
