import type { ServerContext } from '../../platform/context'
import type { Db } from '../../platform/database/database'
import { ApiError, fieldError } from '../../platform/errors'
import { appendEvent, type EventContext } from '../../platform/events/defineEvent'
import { messageCorrected } from './events'
import type { FoundConversation } from './findConversation'

/**
 * Marks one of the bot's messages as corrected by a source of the project. @throws ApiError not_found for a message
 * that the bot did not write; invalid for a source that is gone
 */
export async function markCorrected(
  db: Db,
  { clock }: Pick<ServerContext, 'clock'>,
  row: FoundConversation,
  { seq, source, userId, origin }: { seq: number; source: string; userId: string; origin: EventContext },
): Promise<void> {
  await db.transaction().execute(async (work) => {
    const message = await work
      .selectFrom('messages')
      .select(['author', 'sender_id'])
      .where('conversation_id', '=', row.id)
      .where('project_id', '=', row.project_id)
      .where('seq', '=', seq)
      .executeTakeFirst()
    if (message?.author !== 1 || message.sender_id !== null) throw new ApiError('not_found')
    const found = await work
      .selectFrom('knowledge_sources')
      .select('id')
      .where('gid', '=', source)
      .where('project_id', '=', row.project_id)
      .executeTakeFirst()
    if (!found) throw fieldError('source', 'This source is no longer there.')
    const values = { source_id: found.id, corrected_by: userId, corrected_at: clock() }
    await work
      .insertInto('corrected_messages')
      .values({ conversation_id: row.id, project_id: row.project_id, seq, ...values })
      .onConflict((conflict) => conflict.columns(['conversation_id', 'seq']).doUpdateSet(values))
      .execute()
    await appendEvent(work, messageCorrected, origin, { conversation: row.gid, seq })
  })
}
