import { type Kysely, sql } from 'kysely'
import type { ServerContext } from '../../../platform/context'
import type { Database } from '../../../platform/database/tables'
import type { KnowledgePlace } from '../knowledge'
import { dispatch } from './dispatch'

/**
 * Stops queued and running sources: all of a chatbot's, or the given ones. Their previous content stays. Call
 * `context.jobs.wake()` after the commit. @returns the gids of those stopped
 */
export async function stopSources(
  context: Pick<ServerContext, 'clock' | 'jobs'>,
  trx: Kysely<Database>,
  { projectId, chatbotId }: KnowledgePlace,
  sources?: readonly string[],
): Promise<string[]> {
  const stopped = await trx
    .updateTable('knowledge_sources')
    .set({ status: 'stopped', run: null, reason: null, updated_at: context.clock() })
    .where('project_id', '=', projectId)
    .where('chatbot_id', '=', chatbotId)
    .where('status', 'in', ['queued', 'reading', 'training'])
    .$if(sources !== undefined, (query) => query.where(sql<boolean>`id = any(${[...(sources ?? [])]}::bigint[])`))
    .returning('gid')
    .execute()
  if (stopped.length > 0) await dispatch(context, trx, projectId)
  return stopped.map(({ gid }) => gid)
}
