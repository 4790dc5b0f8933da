import type { Transaction } from 'kysely'
import type { Database } from '../../../platform/database/tables'
import { fieldError } from '../../../platform/errors'
import type { KnowledgePlace } from '../knowledge'

/**
 * Makes a chatbot use another one's knowledge base of the same project, or its own again. Links can't be chained, so
 * that the origin of answers stays clear.
 * @param gid null: its own
 * @returns the id of the chatbot whose knowledge base it uses
 * @throws ApiError `invalid` at the field `chatbot`, in a sentence with the remedy
 */
export async function linkKnowledgeTo(
  trx: Transaction<Database>,
  { projectId, chatbotId }: KnowledgePlace,
  gid: string | null,
  now: Date,
): Promise<string | null> {
  // project row lock: two concurrent calls could create a chain
  await trx.selectFrom('projects').select('id').where('id', '=', projectId).forNoKeyUpdate().execute()
  const lender = gid === null ? null : await lenderOf(trx, projectId, chatbotId, gid)
  await trx
    .updateTable('chatbots')
    .set({ linked_kb_id: lender, updated_at: now })
    .where('project_id', '=', projectId)
    .where('id', '=', chatbotId)
    .execute()
  return lender
}

async function lenderOf(
  trx: Transaction<Database>,
  projectId: string,
  chatbotId: string,
  gid: string,
): Promise<string> {
  const chatbots = trx.selectFrom('chatbots').where('project_id', '=', projectId).where('deleting_since', 'is', null)
  const lender = await chatbots.select(['id', 'name', 'linked_kb_id']).where('gid', '=', gid).executeTakeFirst()
  if (!lender) throw fieldError('chatbot', 'There is no such chatbot in this project')
  if (lender.id === chatbotId) throw fieldError('chatbot', 'A chatbot already uses its own data sources')
  if (lender.linked_kb_id !== null) {
    const { name } = await chatbots.select('name').where('id', '=', lender.linked_kb_id).executeTakeFirstOrThrow()
    throw fieldError('chatbot', `“${lender.name}” uses the data sources of “${name}” itself. Choose “${name}” instead`)
  }
  const borrower = await chatbots.select('name').where('linked_kb_id', '=', chatbotId).executeTakeFirst()
  if (borrower) {
    throw fieldError('chatbot', `“${borrower.name}” uses this chatbot's data sources. Switch that one back first`)
  }
  return lender.id
}
