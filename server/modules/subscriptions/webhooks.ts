import { sql } from 'kysely'
import { z } from 'zod'
import type { ServerContext } from '../../platform/context'
import { defineJob, type HandledJob } from '../../platform/jobs/defineJob'
import { insertAgain } from '../../platform/jobs/insertJob'
import type { Refresh } from './refresh'

export const readSubscription = defineJob('read-subscription', z.null())

/** What of an event counts: that something happened to a customer. The rest is asked for. */
export interface ToldEvent {
  id: string
  type: string
  data: { object: { id?: unknown; object?: unknown; customer?: unknown } }
}

const customerIn = ({ data: { object } }: ToldEvent): string | null => {
  const { customer, id, object: kind } = object
  const given = kind === 'customer' ? id : customer
  return typeof given === 'string' ? given : null
}

/**
 * Keeps what Stripe told, once, and has the subscription read soon: answered at once, since Stripe waits. Events of
 * customers that no project has are another application's.
 */
export async function receiveEvent(
  { db, clock, jobs }: Pick<ServerContext, 'db' | 'clock' | 'jobs'>,
  event: ToldEvent,
): Promise<void> {
  const customer = customerIn(event)
  if (customer === null) return
  const row = await db
    .selectFrom('subscriptions')
    .select('project_id')
    .where('customer_id', '=', customer)
    .executeTakeFirst()
  if (!row) return
  const { project_id: projectId } = row
  await db
    .forProject(projectId)
    .transaction()
    .execute(async (work) => {
      const kept = await work
        .insertInto('stripe_events')
        .values({ id: event.id, project_id: projectId, type: event.type, received_at: clock() })
        .onConflict((same) => same.column('id').doNothing())
        .returning('id')
        .executeTakeFirst()
      if (!kept) return
      // one that is under way may have asked before this happened: again after it, and not beside it, or both mail
      const job = sql`select ${projectId}::bigint as project_id, ${projectId}::text as key, 'null'::json as payload`
      await insertAgain(readSubscription, job, clock()).execute(work)
    })
  jobs.wake()
}

/** The job that reads a project's subscription; it comes again while Stripe can't be reached. */
export const readsSubscription = (
  { db, clock }: Pick<ServerContext, 'db' | 'clock'>,
  refresh: Refresh,
  after: (projectId: string) => Promise<void>,
): HandledJob =>
  readSubscription.handledBy(async (_, { projectId }) => {
    if (projectId === null) return undefined
    const own = db.forProject(projectId)
    const waiting = await own.selectFrom('stripe_events').select('id').where('handled_at', 'is', null).execute()
    await refresh(projectId)
    await after(projectId)
    if (waiting.length > 0)
      await own
        .updateTable('stripe_events')
        .set({ handled_at: clock() })
        .where(
          'id',
          'in',
          waiting.map(({ id }) => id),
        )
        .execute()
    return undefined
  })

/** Has subscriptions read for a reason that nobody told of: all once a day, and those whose days of grace are over. */
export async function readSome(
  { db, clock, jobs }: Pick<ServerContext, 'db' | 'clock' | 'jobs'>,
  which: 'all' | 'over',
): Promise<void> {
  const rows = await db
    .selectFrom('subscriptions')
    .innerJoin('projects', 'projects.id', 'subscriptions.project_id')
    .select('project_id')
    .$if(which === 'over', (some) => some.where('grace_until', '<=', clock()).where('projects.plan_id', '!=', 'free'))
    .execute()
  for (const { project_id: projectId } of rows)
    await jobs.schedule(db, readSubscription, { payload: null, runAt: clock(), projectId, key: projectId, keep: true })
  jobs.wake()
}

/** How long events are kept: Stripe sends one again for three days. */
const KEPT = 30 * 86_400_000

export const forgetEvents = ({ db, clock }: Pick<ServerContext, 'db' | 'clock'>) =>
  db
    .deleteFrom('stripe_events')
    .where('received_at', '<', new Date(clock().getTime() - KEPT))
    .execute()
