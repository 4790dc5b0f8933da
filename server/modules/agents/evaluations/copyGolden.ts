import type { Transaction } from 'kysely'
import type { ServerContext } from '../../../platform/context'
import type { Database } from '../../../platform/database/tables'
import type { KnowledgePlace } from '../../knowledge/knowledge'

/**
 * Gives a chatbot's copy the golden questions of the original, so that what is changed in it can be measured; scores are made anew.
 * @param sources the copies' gids by those of the originals. A question keeps what is not among them: a source of the chatbot whose
 * knowledge base both use, or one that is gone.
 */
export async function copyGolden(
  { ids, clock }: Pick<ServerContext, 'ids' | 'clock'>,
  trx: Transaction<Database>,
  from: KnowledgePlace,
  to: KnowledgePlace,
  sources: ReadonlyMap<string, string>,
): Promise<void> {
  const questions = await trx
    .selectFrom('golden_questions')
    .select(['question', 'words', 'source_gid', 'source_title', 'expects_unknown', 'kept', 'created_by'])
    .where('project_id', '=', from.projectId)
    .where('chatbot_id', '=', from.chatbotId)
    .orderBy('id')
    .execute()
  if (questions.length === 0) return
  await trx
    .insertInto('golden_questions')
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
