import { sql } from 'kysely'
import { z } from 'zod'
import { planOf } from '../../../access/plans'
import type { ServerContext } from '../../../platform/context'
import type { Db } from '../../../platform/database/database'
import { defineJob } from '../../../platform/jobs/defineJob'
import { takeCredits } from '../../billing/credits'
import { nextResync } from '../training/resync'

/** The job that reads a list. */
export const readFeed = defineJob('read-feed', z.strictObject({ feed: z.string() }))
/** Schedules it, in the transaction that wants it. */
export type BeginReading = (trx: Db, feed: { id: string; projectId: string }) => Promise<void>

/** Lists per sweep; the rest waits for the next ones. */
const MOST = 500
const NO_CREDITS =
  'Not re-synced: your plan’s re-sync credits for this month are used up. Upgrade, or wait for next month.'
const NO_SYNC = 'Not re-synced: your plan has no automatic sync. Upgrade, or re-sync it by hand.'
const GIVEN_UP =
  'The server tried ten times and could not read it. Re-sync it; if it stays, tell the person who runs the server.'

/**
 * Begins to read the lists that are due, each for one resync credit, in projects whose plan includes it. For all
 * projects.
 */
export async function readDueFeeds(
  { db, clock, jobs }: Pick<ServerContext, 'db' | 'clock' | 'jobs'>,
  begin: BeginReading,
): Promise<void> {
  const now = clock()
  const due = await db
    .selectFrom('knowledge_feeds')
    .innerJoin('projects', 'projects.id', 'knowledge_feeds.project_id')
    .select(['knowledge_feeds.id', 'knowledge_feeds.gid', 'project_id', 'resync', 'next_read_at', 'plan_id'])
    .where('next_read_at', '<=', now)
    .orderBy('next_read_at')
    .limit(MOST)
    .execute()
  for (const feed of due) {
    const allowed = planOf(feed.plan_id).features.auto_sync
    // keyed by its due date: a crash in between does not charge a second credit
    const key = `${feed.gid}:${feed.next_read_at?.toISOString()}`
    const use = { projectId: feed.project_id, credit: 'resync_credits', key, amount: 1, at: now } as const
    const isPaid = allowed && (await takeCredits(db, use))
    await db.transaction().execute(async (trx) => {
      await trx
        .updateTable('knowledge_feeds')
        .set({
          next_read_at: nextResync(feed.resync, now),
          ...(isPaid ? { state: 'reading' as const } : { reason: allowed ? NO_CREDITS : NO_SYNC }),
        })
        .where('project_id', '=', feed.project_id)
        .where('id', '=', feed.id)
        .execute()
      if (isPaid) await begin(trx, { id: feed.id, projectId: feed.project_id })
    })
  }
  if (due.length > 0) jobs.wake()
}

/**
 * Repairs lists that would be read for ever: one whose job was given up has failed; one without a job gets a new one.
 * For all projects.
 */
export async function repairLostFeeds(
  { db, clock, jobs }: Pick<ServerContext, 'db' | 'clock' | 'jobs'>,
  begin: BeginReading,
): Promise<void> {
  const lost = await db
    .selectFrom('knowledge_feeds as feeds')
    .leftJoin('jobs', (join) => join.on('jobs.kind', '=', readFeed.kind).on(sql<boolean>`jobs.key = feeds.id::text`))
    .select(['feeds.id', 'feeds.project_id', 'jobs.failed_at'])
    .where('feeds.state', '=', 'reading')
    .where(({ or, eb }) => or([eb('jobs.id', 'is', null), eb('jobs.failed_at', 'is not', null)]))
    .limit(MOST)
    .execute()
  for (const { id, project_id, failed_at } of lost) {
    if (failed_at === null) await begin(db, { id, projectId: project_id })
    else
      await db
        .updateTable('knowledge_feeds')
        .set({ state: 'error', reason: GIVEN_UP, updated_at: clock() })
        .where('project_id', '=', project_id)
        .where('id', '=', id)
        .where('state', '=', 'reading')
        .execute()
  }
  if (lost.length > 0) jobs.wake()
}
