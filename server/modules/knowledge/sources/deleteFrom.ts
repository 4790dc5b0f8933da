import type { Transaction } from 'kysely'
import type { ServerContext } from '../../../platform/context'
import type { Database } from '../../../platform/database/tables'
import type { KnowledgePlace } from '../knowledge'
import { dispatch } from '../training/dispatch'
import { scheduleCalibration } from '../training/scheduleCalibration'

/**
 * Deletes sources with their passages; missing ones are ignored. Their files are removed by the next sweep unless
 * referenced elsewhere. @returns the gids of the deleted ones
 */
export async function deleteFrom(
  context: ServerContext,
  trx: Transaction<Database>,
  place: KnowledgePlace,
  gids: readonly string[],
): Promise<string[]> {
  const { projectId, chatbotId } = place
  const deleted = await trx
    .deleteFrom('knowledge_sources')
    .where('project_id', '=', projectId)
    .where('chatbot_id', '=', chatbotId)
    .where('gid', 'in', [...gids])
    .returning(['gid', 'run', 'chunk_count'])
    .execute()
  if (deleted.some(({ chunk_count }) => chunk_count > 0)) {
    await trx
      .updateTable('chatbots')
      .set(({ eb }) => ({ knowledge_version: eb('knowledge_version', '+', '1') }))
      .where('project_id', '=', projectId)
      .where('id', '=', chatbotId)
      .execute()
    await scheduleCalibration(context, trx, place)
  }
  // running ones leave room for others
  if (deleted.some(({ run }) => run !== null)) await dispatch(context, trx, projectId)
  return deleted.map(({ gid }) => gid)
}
