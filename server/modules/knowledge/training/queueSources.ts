import { type Kysely, sql } from 'kysely'
import type { ServerContext } from '../../../platform/context'
import type { Database } from '../../../platform/database/tables'
import { tickChecklist } from '../../onboarding/checklist'
import { dispatch } from './dispatch'

/**
 * Puts sources of a project at the end of the queue, whatever their state: results of a running run are discarded. Call
 * `context.jobs.wake()` after the commit.
 */
export async function queueSources(
  context: Pick<ServerContext, 'clock' | 'jobs'>,
  trx: Kysely<Database>,
  projectId: string,
  sources: readonly string[],
): Promise<void> {
  if (sources.length === 0) return
  const now = context.clock()
  await trx
    .updateTable('knowledge_sources')
    .set({ status: 'queued', reason: null, run: null, queued_at: now, updated_at: now })
    .where('project_id', '=', projectId)
    .where(sql<boolean>`id = any(${[...sources]}::bigint[])`)
    .execute()
  await tickChecklist(trx, projectId, 'kb')
  await dispatch(context, trx, projectId)
}
