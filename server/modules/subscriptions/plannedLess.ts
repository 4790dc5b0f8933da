import type { Entitled } from '../../access/entitlements'
import { graceUntil, isLive, type SubscriptionState } from './subscriptionState'

/**
 * What a project will be allowed by its subscription as it stands: after a change that is planned, after its end, or
 * after the days of grace if nothing is paid until then.
 * @returns null: it stays as it is
 */
export function plannedOf(state: SubscriptionState | null): (Entitled & { at: string }) | null {
  if (!isLive(state)) return null
  const { cancel_at, scheduled } = state
  if (cancel_at !== null) return { plan_id: 'free', addons: {}, at: cancel_at }
  if (scheduled) return { plan_id: scheduled.plan_id, addons: scheduled.addons, at: scheduled.at }
  const grace = graceUntil(state)
  return grace && state.status === 'past_due' ? { plan_id: 'free', addons: {}, at: grace.toISOString() } : null
}
