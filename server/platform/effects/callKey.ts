import type { RootDb } from '../database/database'

/**
 * The key of a call outside: the engine's keys are unique within a run, a service serves all conversations. It begins with the conversation's
 * id and a dot.
 * @param run the number of the run in its conversation; the first one's calls have keys without it
 */
export const callKey = (conversationGid: string, run: number, key: string): string =>
  run === 1 ? `${conversationGid}.${key}` : `${conversationGid}.run-${run}.${key}`

/**
 * The conversation that a call belongs to, with its run, and the handle of its project's rows; undefined once it is deleted. For services
 * that act for a project.
 */
export async function conversationOfCall({ db }: { db: RootDb }, key: string) {
  const row = await findConversation(db, key)
  return row && { ...row, db: db.forProject(row.project_id) }
}

function findConversation(db: RootDb, key: string) {
  // The key names it: a conversation's id is as unguessable as its token, and only the host makes keys.
  return db
    .selectFrom('conversations')
    .innerJoin('chatbots', (join) =>
      join
        .onRef('chatbots.id', '=', 'conversations.chatbot_id')
        .onRef('chatbots.project_id', '=', 'conversations.project_id'),
    )
    .innerJoin('runs', (join) =>
      join.onRef('runs.id', '=', 'conversations.run_id').onRef('runs.project_id', '=', 'conversations.project_id'),
    )
    .select([
      'conversations.id',
      'conversations.run_id',
      'conversations.gid',
      'conversations.project_id',
      'conversations.chatbot_id',
      'runs.flow_version_id',
      'conversations.environment',
      'conversations.started_by',
      'conversations.visitor_hash',
      'chatbots.name as chatbot',
    ])
    .where('conversations.gid', '=', key.slice(0, key.indexOf('.')))
    .executeTakeFirst()
}
