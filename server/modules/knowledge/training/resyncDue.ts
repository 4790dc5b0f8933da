import { planOf } from '../../../access/plans'
import type { ServerContext } from '../../../platform/context'
import { takeCredits } from '../../billing/credits'
import { queueSources } from './queueSources'
import { nextResync } from './resync'

/** Sources per sweep; the rest waits for the next ones. */
const MOST = 5_000
const NO_CREDITS =
  'Not re-synced: your plan’s re-sync credits for this month are used up. Upgrade, or wait for next month.'

/**
 * Queues links that are due for automatic sync, each for one resync credit, in projects whose plan includes it. For all
 * projects.
 */
export async function resyncDue(context: Pick<ServerContext, 'db' | 'clock' | 'jobs'>): Promise<void> {
  const { db, clock } = context
  const now = clock()
  const due = await db
    .selectFrom('knowledge_sources')
    .innerJoin('projects', 'projects.id', 'knowledge_sources.project_id')
    .select(['knowledge_sources.id', 'knowledge_sources.gid', 'project_id', 'resync', 'next_resync_at', 'plan_id'])
    .where('next_resync_at', '<=', now)
    .where('status', 'in', ['ready', 'error'])
    .orderBy('next_resync_at')
    .limit(MOST)
    .execute()
  for (const source of due) {
    const allowed = planOf(source.plan_id).features.auto_sync
    // keyed by its due date: a crash in between does not charge a second credit
    const use = {
      projectId: source.project_id,
      credit: 'resync_credits',
      key: `${source.gid}:${source.next_resync_at?.toISOString()}`,
      amount: 1,
      at: now,
    } as const
    const queued = allowed && (await takeCredits(db, use))
    await db.transaction().execute(async (trx) => {
      await trx
        .updateTable('knowledge_sources')
        .set({
          next_resync_at: nextResync(source.resync, now),
          ...(allowed && !queued && { reason: NO_CREDITS }),
        })
        .where('project_id', '=', source.project_id)
        .where('id', '=', source.id)
        .execute()
      if (queued) await queueSources(context, trx, source.project_id, [source.id])
    })
  }
  if (due.length > 0) context.jobs.wake()
}
