import { sql } from 'kysely'
import { z } from 'zod'
import { isChatbotOver } from '../../../access/overLimit'
import type { ServerContext } from '../../../platform/context'
import type { Db } from '../../../platform/database/database'
import { defineJob } from '../../../platform/jobs/defineJob'
import { payForDue } from '../training/payForDue'

/** The job that reads a list. */
export const readFeed = defineJob('read-feed', z.strictObject({ feed: z.string() }))
/** Schedules it, in the transaction that wants it. */
export type BeginReading = (trx: Db, feed: { id: string; projectId: string }) => Promise<void>

/** Lists per sweep; the rest waits for the next ones. */
const MOST = 500
const GIVEN_UP =
  'The server tried ten times and could not read it. Re-sync it; if it stays, tell the person who runs the server.'

/**
 * Begins to read the lists that are due, each for one resync credit, in projects whose plan includes it. For all
 * projects.
 */
export async function readDueFeeds(
  context: Pick<ServerContext, 'db' | 'clock' | 'jobs'>,
  begin: BeginReading,
): Promise<void> {
  const { db, clock } = context
  const due = await db
    .selectFrom('knowledge_feeds as feeds')
    .innerJoin('projects', 'projects.id', 'feeds.project_id')
    .innerJoin('chatbots', (join) =>
      join.onRef('chatbots.id', '=', 'feeds.chatbot_id').onRef('chatbots.project_id', '=', 'feeds.project_id'),
    )
    .select(['feeds.id', 'feeds.gid', 'feeds.project_id', 'resync', 'next_read_at as due_at', 'plan_id', 'addons'])
    .select(isChatbotOver.as('over'))
    .where('next_read_at', '<=', clock())
    .orderBy('next_read_at')
    .limit(MOST)
    .execute()
  await payForDue(context, due, async (trx, { id, project_id }, { next, refused }) => {
    await trx
      .updateTable('knowledge_feeds')
      .set({ next_read_at: next, ...(refused === null ? { state: 'reading' as const } : { reason: refused }) })
      .where('project_id', '=', project_id)
      .where('id', '=', id)
      .execute()
    if (refused === null) await begin(trx, { id, projectId: project_id })
  })
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
