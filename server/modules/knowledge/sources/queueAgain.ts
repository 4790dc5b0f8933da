import { randomUUID } from 'node:crypto'
import type { ProjectCaller } from '../../../access/access'
import { entitlementsOf } from '../../../access/entitlements'
import type { ServerContext } from '../../../platform/context'
import type { Db } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import type { EventContext } from '../../../platform/events/defineEvent'
import { takeCredits, usedCredits } from '../../billing/monthlyCredits'
import { appendSources, sourcesQueued } from '../events'
import type { KnowledgePlace } from '../knowledge'
import { queueSources } from '../training/queueSources'
import type { ListedSource } from './rows'

/**
 * Queues sources for reading again: links that were trained before cost one resync credit each; failed and stopped ones
 * are retried. Queued and running ones are skipped. @returns how many were queued
 * @throws ApiError `plan_limit` if the credits don't suffice: then none is queued
 */
export async function queueAgain(
  context: Pick<ServerContext, 'clock' | 'jobs'>,
  { caller, place, origin }: { caller: ProjectCaller; place: KnowledgePlace; origin: EventContext },
  sources: readonly (ListedSource & { content_hash: string | null })[],
): Promise<number> {
  const { db, project } = caller
  const { clock } = context
  const again = sources.filter(({ status }) => status === 'ready' || status === 'error' || status === 'stopped')
  const amount = again.filter(({ kind, status }) => kind === 'link' && status === 'ready').length
  if (amount > 0) {
    const use = { projectId: project.id, credit: 'resync_credits', key: randomUUID(), amount, at: clock() } as const
    if (!(await takeCredits(db, use))) throw await tooFew(db, project, amount, clock())
  }
  await db.transaction().execute(async (trx) => {
    const ids = again.map(({ id }) => id)
    await queueSources(context, trx, project.id, ids)
    const gids = again.map(({ gid }) => gid)
    await appendSources(trx, sourcesQueued, origin, place, gids)
  })
  context.jobs.wake()
  return again.length
}

async function tooFew(db: Db, project: ProjectCaller['project'], amount: number, at: Date) {
  const max = entitlementsOf(project).limits.resync_credits
  if (max === 0) return new ApiError('plan_limit')
  const left = Math.max(0, max - (await usedCredits(db, project.id, 'resync_credits', at)))
  return new ApiError('plan_limit', {
    message: `Re-syncing ${amount} links takes as many re-sync credits, and your plan has ${left} left this month. Choose fewer links, upgrade, or wait for next month.`,
  })
}
