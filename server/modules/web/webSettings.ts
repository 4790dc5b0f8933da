import type { Json } from '../../../engine/values/json'
import { type Look, lookSchema } from '../../contracts/web/look'
import {
  continuationSchema,
  embedSchema,
  languageSchema,
  shareSchema,
  surveySchema,
  visibilitySchema,
  type WebSettings,
} from '../../contracts/web/settings'
import type { Db } from '../../platform/database/database'

export interface WebChat extends WebSettings {
  /** what visitors see; the default look while none was published */
  look: Look
}

interface Place {
  projectId: string
  chatbotId: string
}

/** How a chatbot is on the web for its visitors. One query, by primary key. */
export async function readWebChat(
  db: Db,
  { projectId, chatbotId }: Place,
): Promise<WebChat & { hasPassword: boolean }> {
  const row = await db
    .selectFrom('web_chats')
    .select([
      'embed',
      'visibility',
      'share',
      'language',
      'survey',
      'continuation',
      'look_published',
      'share_password_hash',
    ])
    .where('project_id', '=', projectId)
    .where('chatbot_id', '=', chatbotId)
    .executeTakeFirst()
  return { ...webChatOf(row ?? {}), hasPassword: (row?.share_password_hash ?? null) !== null }
}

/** A row as the schemas have it: what it lacks has its default. */
export const webChatOf = (row: Partial<Record<keyof WebSettings | 'look_published', Json>>): WebChat => ({
  embed: embedSchema.parse(row.embed ?? {}),
  visibility: visibilitySchema.parse(row.visibility ?? {}),
  share: shareSchema.parse(row.share ?? {}),
  language: languageSchema.parse(row.language ?? {}),
  survey: surveySchema.parse(row.survey ?? {}),
  continuation: continuationSchema.parse(row.continuation ?? {}),
  look: lookSchema.parse(row.look_published ?? {}),
})

/** The editors' look and its state, for who works on it. */
export async function readLookRow(db: Db, { projectId, chatbotId }: Place) {
  const row = await db
    .selectFrom('web_chats')
    .select(['look_draft', 'look_revision', 'look_published', 'look_published_at'])
    .where('project_id', '=', projectId)
    .where('chatbot_id', '=', chatbotId)
    .executeTakeFirst()
  return {
    draft: lookSchema.parse(row?.look_draft ?? {}),
    revision: row?.look_revision ?? 0,
    published: row?.look_published ? lookSchema.parse(row.look_published) : null,
    published_at: row?.look_published_at?.toISOString() ?? null,
  }
}
