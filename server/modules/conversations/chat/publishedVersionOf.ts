import type { ProjectDb } from '../../../platform/database/database'

/** The version that visitors get of a chatbot; null: it is not published. */
export async function publishedVersionOf(db: ProjectDb, chatbotId: string): Promise<string | null> {
  const row = await db
    .selectFrom('flows')
    .innerJoin('chatbots', 'chatbots.id', 'flows.chatbot_id')
    .select('published_version_id')
    .where('flows.chatbot_id', '=', chatbotId)
    .where('flows.is_main', '=', true)
    .where('chatbots.deleting_since', 'is', null)
    .where('chatbots.suspended_at', 'is', null)
    .executeTakeFirst()
  return row?.published_version_id ?? null
}
