import type { z } from 'zod'
import type { Session } from '../../../engine/run/session'
import type { ServerContext } from '../../context'
import type { Conversation as ConversationRow } from '../../host/createHost'
import type { ChatMessage, Conversation, conversationSchema } from './contract'

/**
 * A conversation as its visitor may see it, with the messages from `from` on. Read anew, in one statement, so that what it waits
 * for and the messages belong together.
 */
export async function presentConversation(
  { db }: ServerContext,
  ref: { id: string; project_id: string },
  from = 1,
): Promise<z.infer<typeof conversationSchema>> {
  const rows = await db
    .selectFrom('conversations')
    .leftJoin('messages', (join) =>
      join
        .onRef('messages.conversation_id', '=', 'conversations.id')
        .onRef('messages.project_id', '=', 'conversations.project_id')
        .on('messages.seq', '>=', from),
    )
    .select(['conversations.gid', 'conversations.state', 'conversations.session'])
    .select(['messages.seq', 'messages.author', 'messages.content', 'messages.client_id', 'messages.created_at'])
    .where('conversations.id', '=', ref.id)
    .where('conversations.project_id', '=', ref.project_id)
    .orderBy('messages.seq')
    .execute()
  const [first] = rows
  if (!first) return { id: '', state: 'ended', request: null, messages: [] }
  const session = first.session
  return {
    id: first.gid,
    state: first.state === 'ended' ? 'ended' : 'waiting',
    request: presentRequest(first.state, session),
    messages: rows.flatMap((row) => (row.seq === null ? [] : [presentMessage(first.gid, row as StoredMessage)])),
  }
}

type StoredMessage = { seq: number; author: 1 | 2; content: ChatMessage['content']; client_id: string | null; created_at: Date }

function presentMessage(gid: string, row: StoredMessage): ChatMessage {
  return {
    id: `${gid}-${row.seq}`,
    seq: row.seq,
    author: row.author,
    content: row.content,
    ...(row.client_id ? { client_id: row.client_id } : {}),
    at: row.created_at.toISOString(),
  }
}

/** Nothing is asked while a turn is under way or over. */
function presentRequest(state: ConversationRow['state'], session: Session): Conversation['request'] {
  return state === 'waiting' ? session.request : null
}
