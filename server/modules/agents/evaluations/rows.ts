import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../../platform/database/tables'
import type { KnowledgePlace } from '../../knowledge/knowledge'

/** A chatbot's evaluation questions in order of creation, each with its source's current title. */
export const questionsOf = (db: Kysely<Database>, { projectId, chatbotId }: KnowledgePlace) =>
  db
    .selectFrom('evaluation_questions as question')
    .leftJoin('knowledge_sources as source', (join) =>
      join.onRef('source.gid', '=', 'question.source_gid').onRef('source.project_id', '=', 'question.project_id'),
    )
    .select([
      'question.id',
      'question.gid',
      'question.question',
      'question.words',
      'question.source_gid',
      'question.source_title',
      'question.expects_unknown',
      'question.kept',
      // null: it was deleted
      'source.title as title_now',
    ])
    .where('question.project_id', '=', projectId)
    .where('question.chatbot_id', '=', chatbotId)
    .orderBy('question.id')
export type EvaluationRow = Awaited<ReturnType<ReturnType<typeof questionsOf>['execute']>>[number]

/** The newest result of each question and the one before, as 1 and 2. */
export const newestResults = (db: Kysely<Database>, { projectId, chatbotId }: KnowledgePlace) =>
  db
    .selectFrom((inner) =>
      inner
        .selectFrom('evaluation_results as result')
        .innerJoin('evaluation_questions as question', (join) =>
          join.onRef('question.id', '=', 'result.question_id').onRef('question.project_id', '=', 'result.project_id'),
        )
        .select(['question_id', 'passed', 'problem', 'answer', 'rank'])
        .select(sql<string>`row_number() over (partition by question_id order by run_id desc)`.as('age'))
        .where('result.project_id', '=', projectId)
        .where('question.chatbot_id', '=', chatbotId)
        .as('newest'),
    )
    .selectAll()
    .where('age', '<=', '2')
    .execute()
export type ResultRow = Awaited<ReturnType<typeof newestResults>>[number]

/** Serializes concurrent additions and starts of runs. */
export const lockChatbot = (trx: Transaction<Database>, { projectId, chatbotId }: KnowledgePlace) =>
  trx
    .selectFrom('chatbots')
    .select('id')
    .where('id', '=', chatbotId)
    .where('project_id', '=', projectId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()

export async function countOf(db: Kysely<Database>, { projectId, chatbotId }: KnowledgePlace): Promise<number> {
  const { count } = await db
    .selectFrom('evaluation_questions')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('project_id', '=', projectId)
    .where('chatbot_id', '=', chatbotId)
    .executeTakeFirstOrThrow()
  return Number(count)
}
