import type { Kysely } from 'kysely'
import type { EvaluationBody } from '../../../contracts/evaluations'
import type { Database } from '../../../platform/database/tables'
import { fieldError } from '../../../platform/errors'
import type { KnowledgePlace } from '../../knowledge/knowledge'

/**
 * The column values of a question.
 * @throws ApiError at the invalid field: a contradictory expectation, a missing source
 */
export async function valuesOf(
  db: Kysely<Database>,
  { projectId, chatbotId }: KnowledgePlace,
  { question, words, source, unknown, kept }: EvaluationBody,
  field = '',
) {
  if (unknown && (source !== null || words.length > 0)) {
    throw fieldError(`${field}unknown`, 'What is not in the sources has no words and no source to expect')
  }
  const found =
    source === null
      ? null
      : await db
          .selectFrom('knowledge_sources')
          .innerJoin('chatbots', 'chatbots.project_id', 'knowledge_sources.project_id')
          .select(['knowledge_sources.gid', 'knowledge_sources.title'])
          .where('knowledge_sources.gid', '=', source)
          .where('knowledge_sources.project_id', '=', projectId)
          .where('chatbots.id', '=', chatbotId)
          .where(({ eb, fn }) =>
            // its own, or of the chatbot whose knowledge base it uses
            eb('knowledge_sources.chatbot_id', 'in', [
              fn.coalesce('chatbots.linked_kb_id', 'chatbots.id'),
              eb.ref('chatbots.id'),
            ]),
          )
          .executeTakeFirst()
  if (found === undefined) throw fieldError(`${field}source`, 'This source is no longer there: choose another one')
  return {
    question,
    words,
    source_gid: found?.gid ?? null,
    source_title: found?.title ?? null,
    expects_unknown: unknown,
    kept: kept ? JSON.stringify(kept) : null,
  }
}
