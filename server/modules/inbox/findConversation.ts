import { type ExpressionBuilder, sql } from 'kysely'
import type { Db } from '../../platform/database/database'
import type { Database } from '../../platform/database/tables'
import { ApiError } from '../../platform/errors'
import type { ConversationRef } from '../conversations/conversations/conversationRef'

/** What is read of a conversation before something is done with it. */
export interface FoundConversation extends ConversationRef {
  gid: string
  chatbot_id: string
  channel: string
  address: string | null
  visitor_hash: Buffer | null
  contact_id: string | null
  environment: Database['conversations']['environment']
  last_seq: number
  merged_into: string | null
}

/**
 * Condition: a visitor's conversation. Written out, since a plan that is made once knows no parameters, and the
 * indexes of the lists have these conversations alone.
 */
export const isVisitors = sql<boolean>`conversations.environment in ('production', 'sharing')`

/** Condition: a conversation that members may see. Tests are their testers', unless they were handed over for real. */
export const isVisible = ({ or, exists, selectFrom }: ExpressionBuilder<Database, 'conversations'>) =>
  or([
    isVisitors,
    exists(
      selectFrom('hand_offs')
        .select('hand_offs.conversation_id')
        .whereRef('hand_offs.conversation_id', '=', 'conversations.id'),
    ),
  ])

/** @throws ApiError not_found */
export async function findConversation(db: Db, projectId: string, gid: string): Promise<FoundConversation> {
  const row = await db
    .selectFrom('conversations')
    .select(['id', 'project_id', 'gid', 'chatbot_id', 'channel', 'address', 'visitor_hash', 'last_seq'])
    .select(['contact_id', 'environment', 'merged_into'])
    .where('gid', '=', gid)
    .where('project_id', '=', projectId)
    .where(isVisible)
    .executeTakeFirst()
  if (!row) throw new ApiError('not_found')
  return row
}
