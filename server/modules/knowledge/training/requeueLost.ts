import { sql } from 'kysely'
import type { ServerContext } from '../../../platform/context'
import { appendEvent } from '../../../platform/events/defineEvent'
import { failureOf, ofRun, sourceFailed } from '../events'
import { dispatch, train, underWay } from './dispatch'

/** ms that a source may wait without a run before it is checked: whoever ends a run starts the next one at once. */
const PATIENCE = 60_000
const GIVEN_UP =
  'The server tried ten times and could not train this. Try again; if it stays, tell the person who runs it.'

/**
 * Repairs the state after a crash: sources whose run has no job are queued again, those whose job was given up get an
 * error, and stalled queues continue. For all projects.
 */
export async function requeueLost(context: Pick<ServerContext, 'db' | 'clock' | 'jobs'>): Promise<void> {
  const { db, clock } = context
  const now = clock()
  const jobOf = sql`select 1 from jobs where kind = ${train.kind} and key = knowledge_sources.run`
  await db.transaction().execute(async (trx) => {
    const lost = await trx
      .updateTable('knowledge_sources')
      .set({ status: 'error', run: null, reason: GIVEN_UP, updated_at: now })
      .where('status', 'in', underWay)
      .where('run', 'is not', null)
      .where(sql<boolean>`exists (${jobOf} and failed_at is not null)`)
      .returning(['gid', 'project_id', 'chatbot_id'])
      .execute()
    for (const source of lost)
      await appendEvent(trx, sourceFailed, ofRun(source, 'given up', now), failureOf(source, GIVEN_UP))
  })
  await db
    .updateTable('knowledge_sources')
    .set({ status: 'queued', run: null, updated_at: now })
    .where('status', 'in', underWay)
    .where('run', 'is not', null)
    .where(sql<boolean>`not exists (${jobOf})`)
    .execute()
  const projects = await db
    .selectFrom('knowledge_sources')
    .select('project_id')
    .distinct()
    .where('status', '=', 'queued')
    .where('run', 'is', null)
    .where('queued_at', '<=', new Date(now.getTime() - PATIENCE))
    .execute()
  for (const { project_id } of projects) await db.transaction().execute((trx) => dispatch(context, trx, project_id))
  if (projects.length > 0) context.jobs.wake()
}
