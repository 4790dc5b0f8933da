import type { Db } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import type { ConversationRef } from '../conversations/conversationRef'
import type { Said, Transcript } from './rows'

/**
 * A conversation with its messages from a sequence number on, or from the message with a client id. One statement, so
 * that the question that waits and the messages are consistent. @throws ApiError not_found
 */
export async function readTranscript(
  db: Db,
  ref: ConversationRef,
  from: number | { clientId: string } = 1,
): Promise<Transcript> {
  const rows = await db
    .selectFrom('conversations')
    .innerJoin('runs', (join) =>
      join.onRef('runs.id', '=', 'conversations.run_id').onRef('runs.project_id', '=', 'conversations.project_id'),
    )
    .leftJoin('messages', (join) =>
      join
        .onRef('messages.conversation_id', '=', 'conversations.id')
        .onRef('messages.project_id', '=', 'conversations.project_id')
        .on(({ eb, selectFrom }) => {
          if (typeof from === 'number') return eb('messages.seq', '>=', from)
          const sent = selectFrom('messages as sent')
            .select('sent.seq')
            .where('sent.conversation_id', '=', ref.id)
            .where('sent.project_id', '=', ref.project_id)
            .where('sent.client_id', '=', from.clientId)
          return eb('messages.seq', '>=', sent)
        }),
    )
    .select(['conversations.gid', 'conversations.status', 'runs.state', 'runs.session'])
    .select(['messages.seq', 'messages.author', 'messages.content', 'messages.block_id', 'messages.client_id'])
    .select('messages.created_at')
    .where('conversations.id', '=', ref.id)
    .where('conversations.project_id', '=', ref.project_id)
    .orderBy('messages.seq')
    .execute()
  const [first] = rows
  if (!first) throw new ApiError('not_found')
  const { gid, status, state, session } = first
  return { gid, status, state, session, messages: rows.filter((row): row is typeof row & Said => row.seq !== null) }
}
