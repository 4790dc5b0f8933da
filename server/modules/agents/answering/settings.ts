import { languageSchema } from '../../../contracts/web/settings'
import type { Db } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import type { KnowledgePlace } from '../../knowledge/knowledge'
import { BUILT_IN_MODEL } from '../../models/models'
import type { Overrides } from './answering'

/** A chatbot's settings for answers. */
export interface AnswerSettings {
  modelId: number
  /** null: none */
  fallbackId: number | null
  /** a name of engine/values/aiLanguages.ts */
  language: string
  temperature: number
  hiddenUrls: string[]
  /** whether the nearest questions may be offered */
  suggests: boolean
  /** the chat's texts that an editor replaced, by language and key */
  ownTexts: Readonly<Record<string, Readonly<Record<string, string>>>>
  instructions: string
  /** the chatbot's own */
  name: string
  business: { name: string; description: string }
}

/** The chatbot's settings, overridden by a block or tester. Throws not_found. */
export async function readAnswerSettings(
  db: Db,
  { projectId, chatbotId }: KnowledgePlace,
  overrides: Overrides & { language?: string } = {},
): Promise<AnswerSettings> {
  const row = await db
    .selectFrom('chatbots as chatbot')
    .leftJoin('web_chats as web', (join) =>
      join.onRef('web.chatbot_id', '=', 'chatbot.id').onRef('web.project_id', '=', 'chatbot.project_id'),
    )
    .select(['ai_model_id', 'ai_fallback_model_id', 'ai_language', 'ai_temperature', 'ai_suggestions', 'hide_urls'])
    .select(['name', 'instructions', 'business_name', 'business_description', 'web.language as web_language'])
    .where('chatbot.id', '=', chatbotId)
    .where('chatbot.project_id', '=', projectId)
    .executeTakeFirst()
  if (!row) throw new ApiError('not_found')
  const modelId = overrides.model_id ?? row.ai_model_id ?? BUILT_IN_MODEL
  return {
    modelId,
    fallbackId: row.ai_fallback_model_id === modelId ? null : row.ai_fallback_model_id,
    language: overrides.language ?? row.ai_language,
    // a single-precision column returns 0.30000001
    temperature: Math.round((overrides.temperature ?? row.ai_temperature) * 100) / 100,
    hiddenUrls: row.hide_urls,
    suggests: row.ai_suggestions,
    ownTexts: languageSchema.catch(languageSchema.parse({})).parse(row.web_language ?? {}).texts,
    instructions: overrides.instructions ?? row.instructions,
    name: row.name,
    business: { name: row.business_name, description: row.business_description },
  }
}
