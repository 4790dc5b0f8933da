import { addons } from '../../access/addons'
import type { SubscriptionView } from '../../contracts/subscription'
import { graceUntil, isLive, type Paid, type SubscriptionState } from './subscriptionState'

/** What is paid for, with the add-ons in the order of their ids. */
export const presentPaid = ({ plan_id, interval, addons: bought }: Paid) => ({
  ...{ plan_id, interval },
  addons: addons.flatMap(({ id, name }) => {
    const quantity = bought[id] ?? 0
    return quantity > 0 ? [{ id, name, quantity }] : []
  }),
})

/** A subscription as its screen shows it. */
export function presentState(state: SubscriptionState): SubscriptionView {
  const { status, cents, currency, cancel_at, trial_end, ended_at, scheduled, failing_since } = state
  const { payment_url, waits } = state
  const live = isLive(state)
  return {
    ...presentPaid(state),
    ...{ status, live, cents, currency, cancel_at, trial_end, ended_at, failing_since, payment_url, waits },
    next_charge_at: live && cancel_at === null ? state.period_end : null,
    scheduled: scheduled && { ...presentPaid(scheduled), at: scheduled.at },
    grace_until: graceUntil(state)?.toISOString() ?? null,
  }
}
