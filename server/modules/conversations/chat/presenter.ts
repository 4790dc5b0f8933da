import type { z } from 'zod'
import type { ChatMessage, conversationSchema } from '../../../contracts/chat'
import type { Said, Transcript } from '../runtime/rows'

/** A conversation as its visitor may see it. Nothing is asked while a turn is under way or over. */
export function presentConversation({ gid, state, session, messages }: Transcript): z.infer<typeof conversationSchema> {
  return {
    id: gid,
    state: state === 'ended' ? 'ended' : 'waiting',
    request: state === 'waiting' ? session.request : null,
    messages: messages.map((message) => presentMessage(gid, message)),
  }
}

function presentMessage(gid: string, { seq, author, content, client_id, created_at }: Said): ChatMessage {
  return { id: `${gid}-${seq}`, seq, author, content, ...(client_id && { client_id }), at: created_at.toISOString() }
}
