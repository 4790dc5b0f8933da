import { randomUUID } from 'node:crypto'
import { addons } from '../../access/addons'
import { creditsFor } from '../../access/offers'
import type { ServerContext } from '../../platform/context'
import type { ProjectWork } from '../../platform/database/database'
import { changePlan } from '../billing/setPlan'
import type { StripeSource } from './stripe/createStripe'
import { type ReadSubscription, readState } from './stripe/readState'
import { entitledBy, graceUntil, mayExceed, type SubscriptionState } from './subscriptionState'

/** How often a reading begins anew since another was faster. */
const MOST = 20

export type Refresh = (projectId: string) => Promise<ReadSubscription | null>

/**
 * Reads a project's subscription at Stripe, keeps it, and gives the project what it pays for. What Stripe has now
 * counts, whatever told of it, so that events may come twice, late and in any order. Of two readings at once the one
 * that ends last begins anew: it may have been answered first.
 * @returns the subscription; null: there is none
 */
export const createRefresh =
  ({ db, clock }: Pick<ServerContext, 'db' | 'clock'>, stripe: StripeSource): Refresh =>
  async (projectId) => {
    const own = db.forProject(projectId)
    for (let tries = 0; tries < MOST; tries++) {
      const row = await own.selectFrom('subscriptions').select(['customer_id', 'version']).executeTakeFirst()
      if (!row) return null
      const read = await readState(await stripe(), row.customer_id)
      const isKept = await own
        .transaction()
        .execute((work) => keep(work, projectId, row.version, read?.state ?? null, clock()))
      if (isKept) return read
    }
    throw new Error(`The subscription of project ${projectId} was read again and again by others meanwhile`)
  }

/** @returns false: another reading was kept meanwhile */
async function keep(
  work: ProjectWork,
  projectId: string,
  version: number,
  read: SubscriptionState | null,
  now: Date,
): Promise<boolean> {
  const before = await work
    .selectFrom('subscriptions')
    .select(['state', 'version', 'overage_cap'])
    .forUpdate()
    .executeTakeFirst()
  if (!before || before.version !== version) return false
  const state = read && failingSince(read, before.state)
  await work
    .updateTable('subscriptions')
    .set({
      ...{ state: state && JSON.stringify(state), version: version + 1, read_at: now },
      grace_until: state && graceUntil(state),
    })
    .execute()
  // who never subscribed keeps the plan that was given by hand
  if (state === null && before.state === null) return true
  const { plan_id, addons: bought } = state ? entitledBy(state, now) : { plan_id: 'free', addons: {} }
  const all = Object.fromEntries(addons.map(({ id }) => [id, bought[id] ?? 0]))
  const origin = { projectId, by: { actor: 'system' }, correlation: randomUUID(), at: now } as const
  await changePlan(work, { plan_id, addons: all }, origin)
  const cap = mayExceed(state, now) && state.overage ? before.overage_cap : null
  await work
    .updateTable('projects')
    .set({ overage_credits: cap === null ? 0 : creditsFor(cap) })
    .where('id', '=', projectId)
    .execute()
  return true
}

/** A second invoice that fails as well does not begin the days of grace anew. */
const failingSince = (state: SubscriptionState, before: SubscriptionState | null): SubscriptionState => {
  const earlier = before?.id === state.id ? before.failing_since : null
  const isLater = state.failing_since !== null && earlier !== null && earlier < state.failing_since
  return isLater ? { ...state, failing_since: earlier } : state
}
