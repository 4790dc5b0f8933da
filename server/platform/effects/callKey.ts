import type { Db } from '../database/database'

/** The key of a call outside: the engine's keys are unique within a conversation, a service serves them all. */
export const callKey = (conversationGid: string, key: string): string => `${conversationGid}.${key}`

/** The conversation that a call belongs to; undefined once it is deleted. For services that act for a project. */
export function conversationOfCall(db: Db, key: string) {
  // The key names it: a conversation's id is as unguessable as its token, and only the host makes keys.
  return db
    .selectFrom('conversations')
    .innerJoin('chatbots', (join) =>
      join
        .onRef('chatbots.id', '=', 'conversations.chatbot_id')
        .onRef('chatbots.project_id', '=', 'conversations.project_id'),
    )
    .select([
      'conversations.id',
      'conversations.gid',
      'conversations.project_id',
      'conversations.chatbot_id',
      'conversations.flow_version_id',
      'conversations.environment',
      'conversations.started_by',
      'conversations.visitor_hash',
      'chatbots.name as chatbot',
    ])
    .where('conversations.gid', '=', key.slice(0, key.indexOf('.')))
    .executeTakeFirst()
}
