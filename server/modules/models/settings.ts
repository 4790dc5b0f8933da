import { aiLanguages } from '../../../engine/values/aiLanguages'
import type { AiSettings } from '../../contracts/ai'
import type { Db } from '../../platform/database/database'
import { ApiError } from '../../platform/errors'

/** A chatbot's AI settings. @throws ApiError `not_found` */
export async function settingsOf(db: Db, projectId: string, chatbotId: string): Promise<AiSettings> {
  const row = await db
    .selectFrom('chatbots')
    .select([
      'ai_model_id',
      'ai_fallback_model_id',
      'ai_language',
      'ai_temperature',
      'ai_suggestions',
      'hide_urls',
      'monthly_budget',
      'visitor_budget',
    ])
    .where('id', '=', chatbotId)
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  if (!row) throw new ApiError('not_found')
  const budget = (text: string | null) => (text === null ? null : Number(text))
  return {
    model_id: row.ai_model_id,
    fallback_model_id: row.ai_fallback_model_id,
    language: aiLanguages.find((name) => name === row.ai_language) ?? 'Auto',
    temperature: row.ai_temperature,
    suggestions: row.ai_suggestions,
    hide_urls: row.hide_urls,
    monthly_budget: budget(row.monthly_budget),
    visitor_budget: budget(row.visitor_budget),
  }
}
