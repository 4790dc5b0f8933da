import type { Transaction } from 'kysely'
import type { ServerContext } from '../../../platform/context'
import type { Database } from '../../../platform/database/tables'
import type { KnowledgePlace } from '../../knowledge/knowledge'

/**
 * Copies a chatbot's evaluation questions to its copy, so that changes there can be measured; results are not copied.
 * @param sources the copies' gids by those of the originals. A question keeps other sources: those of a shared
 *   knowledge base, or deleted ones.
 */
export async function copyEvaluations(
  { ids, clock }: Pick<ServerContext, 'ids' | 'clock'>,
  trx: Transaction<Database>,
  from: KnowledgePlace,
  to: KnowledgePlace,
  sources: ReadonlyMap<string, string>,
): Promise<void> {
  const questions = await trx
    .selectFrom('evaluation_questions')
    .select(['question', 'words', 'source_gid', 'source_title', 'expects_unknown', 'kept', 'created_by'])
    .where('project_id', '=', from.projectId)
    .where('chatbot_id', '=', from.chatbotId)
    .orderBy('id')
    .execute()
  if (questions.length === 0) return
  await trx
    .insertInto('evaluation_questions')
    .values(
      questions.map(({ source_gid, kept, ...question }) => ({
        ...question,
        kept: kept && JSON.stringify(kept),
        source_gid: source_gid && (sources.get(source_gid) ?? source_gid),
        gid: ids(),
        project_id: to.projectId,
        chatbot_id: to.chatbotId,
        created_at: clock(),
      })),
    )
    .execute()
}
