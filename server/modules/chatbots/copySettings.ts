import { sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/database/tables'

interface Place {
  projectId: string
  chatbotId: string
}

/**
 * Copies a chatbot's settings other than its flows, so that the copy answers like the original. @param lender the
 * chatbot whose knowledge base it uses; null: its own
 */
export async function copySettings(
  trx: Transaction<Database>,
  from: Place,
  to: Place,
  lender: string | null,
): Promise<void> {
  await sql`
    update chatbots as copy set type = original.type, version = original.version, platform_id = original.platform_id, business_name = original.business_name, business_description = original.business_description,
      instructions = original.instructions, ai_model_id = original.ai_model_id, ai_fallback_model_id = original.ai_fallback_model_id,
      ai_language = original.ai_language, ai_temperature = original.ai_temperature, hide_urls = original.hide_urls,
      ai_suggestions = original.ai_suggestions,
      setup_steps = original.setup_steps, monthly_budget = original.monthly_budget, visitor_budget = original.visitor_budget, linked_kb_id = ${lender},
      evaluates_training = original.evaluates_training
    from chatbots as original
    where original.id = ${from.chatbotId} and original.project_id = ${from.projectId}
      and copy.id = ${to.chatbotId} and copy.project_id = ${to.projectId}`.execute(trx)
  // its look, published or not, and its web settings
  await sql`
    insert into web_chats (chatbot_id, project_id, look_draft, look_revision, look_published, look_published_at, look_published_by,
      embed, visibility, share, share_password_hash, language, survey, continuation, updated_at)
    select ${to.chatbotId}, ${to.projectId}, look_draft, look_revision, look_published, look_published_at, look_published_by,
      embed, visibility, share, share_password_hash, language, survey, continuation, updated_at
    from web_chats where chatbot_id = ${from.chatbotId} and project_id = ${from.projectId}`.execute(trx)
}
