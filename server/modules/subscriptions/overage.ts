import type { ProjectCaller } from '../../access/access'
import { OVERAGE } from '../../access/offers'
import { CURRENCY } from '../../contracts/billing'
import type { OverageView } from '../../contracts/subscription'
import type { ServerContext } from '../../platform/context'
import { ApiError } from '../../platform/errors'
import { usedOverage } from '../billing/credits'
import { beginReport, endReport, projectsToReport } from '../billing/overage'
import type { Refresh } from './refresh'
import { storedState } from './storedState'
import type { StripeSource } from './stripe/createStripe'
import { asking } from './stripe/explainStripe'
import { overagePrice, syncOverage } from './stripe/overagePrice'
import { mayExceed } from './subscriptionState'

type Context = Pick<ServerContext, 'db' | 'clock' | 'config' | 'log'>
type Payer = Pick<ProjectCaller, 'db' | 'project'>

/** Reports of one project in one go: one a month that is not reported yet. */
const AT_ONCE = 24

/** AI message credits beyond the plan: allowed by who pays up to a sum a month, counted, and reported to Stripe. */
export function createOverage(context: Context, stripe: StripeSource, refresh: Refresh) {
  const { clock, config, db, log } = context

  async function read({ db: own, project }: Payer): Promise<OverageView> {
    const row = await own.selectFrom('subscriptions').select('overage_cap').executeTakeFirst()
    const { overage_credits: credits } = await own
      .selectFrom('projects')
      .select('overage_credits')
      .where('id', '=', project.id)
      .executeTakeFirstOrThrow()
    const used = await usedOverage(own, project.id, clock())
    return {
      ...{
        possible: config.stripe !== null && mayExceed(await storedState(own), clock()),
        cap_cents: row?.overage_cap ?? null,
      },
      ...{ cents_each: OVERAGE.cents, currency: CURRENCY, credits, used, cents: Math.floor(used) * OVERAGE.cents },
    }
  }

  return {
    read,

    /**
     * Allows credits beyond the plan up to a sum a month, or none any more. What was used is charged all the same.
     * @throws ApiError no_subscription unless it is paid by the month, change_planned, and what `asking` throws
     */
    async allow(payer: Payer, cap: number | null): Promise<OverageView> {
      const { db: own, project } = payer
      if (cap !== null) await asking(() => count(project.id))
      await own.transaction().execute(async (work) => {
        await work.updateTable('subscriptions').set({ overage_cap: cap }).execute()
        // at once, whether Stripe can be reached or not
        if (cap === null)
          await work.updateTable('projects').set({ overage_credits: 0 }).where('id', '=', project.id).execute()
      })
      if (cap !== null) await asking(() => refresh(project.id))
      return read(payer)
    },

    /**
     * Tells Stripe what was used beyond plans since the last time; what can't be told now is told the next time. Where
     * Stripe soon stops counting, nothing more is used.
     */
    async report(): Promise<void> {
      for (const projectId of await endingSoon()) await attempt(projectId, () => refresh(projectId))
      for (const projectId of await projectsToReport(db)) await attempt(projectId, () => reportAll(projectId))
    },

    /** Tells Stripe what a project used, such as before it is shown what a change costs. @throws if it can't be told */
    reportAll,

    /**
     * Uses no more of a project, and tells Stripe what was used: before Stripe stops counting. `refresh` allows it
     * again where Stripe goes on.
     * @throws if it can't be told
     */
    async close(projectId: string): Promise<void> {
      const own = db.forProject(projectId)
      await own.updateTable('projects').set({ overage_credits: 0 }).where('id', '=', projectId).execute()
      await reportAll(projectId)
    },
  }

  /** @returns projects that may use credits beyond their plan, but not until Stripe stops counting */
  async function endingSoon(): Promise<string[]> {
    const rows = await db
      .selectFrom('subscriptions')
      .innerJoin('projects', 'projects.id', 'subscriptions.project_id')
      .select(['project_id', 'state'])
      .where('overage_credits', '>', 0)
      .execute()
    return rows.filter(({ state }) => !mayExceed(state, clock())).map(({ project_id }) => project_id)
  }

  async function attempt(projectId: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      log.warn({ err: error, projectId }, 'credits beyond a plan could not be reported to Stripe')
    }
  }

  async function reportAll(projectId: string): Promise<void> {
    for (let told = 0; told < AT_ONCE && (await reportNext(projectId)); told++);
  }

  /** Has Stripe count credits of the project's subscription. */
  async function count(projectId: string): Promise<void> {
    const found = await refresh(projectId)
    if (!found || !mayExceed(found.state, clock())) throw new ApiError('no_subscription')
    if (found.state.overage) return
    // a schedule leads the items: they can't be changed beside it
    if (found.state.scheduled) throw new ApiError('change_planned')
    const client = await stripe()
    // nobody runs the command for a stand-in
    if (config.vendors.sandbox !== null) await syncOverage(client)
    await client.subscriptions.update(found.subscription.id, {
      items: [{ price: await overagePrice(client) }],
      ...{ proration_behavior: 'always_invoice', payment_behavior: 'pending_if_incomplete' },
    })
  }

  /** @returns whether there was something to report */
  async function reportNext(projectId: string): Promise<boolean> {
    const own = db.forProject(projectId)
    const row = await own
      .selectFrom('subscriptions')
      .innerJoin('projects', 'projects.id', 'subscriptions.project_id')
      .select(['customer_id', 'gid'])
      .executeTakeFirst()
    const next = row && (await beginReport(own, projectId))
    if (!row || !next) return false
    const { month, from, to } = next
    // the same name for the same credits: told again, they count once
    const identifier = `${row.gid}-${month}-${from}-${to}`
    await (await stripe()).billing.meterEvents.create(
      {
        ...{ event_name: OVERAGE.meter, identifier },
        payload: { stripe_customer_id: row.customer_id, value: String(to - from) },
      },
      { idempotencyKey: identifier },
    )
    await endReport(own, projectId, next)
    return true
  }
}
export type Overage = ReturnType<typeof createOverage>
