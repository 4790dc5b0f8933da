import type { Chatbot } from './contract'
import type { ChatbotRow } from './rows'
import { setupOf } from './setup'

export function presentChatbot(row: ChatbotRow): Chatbot {
  const by = [row.publisher_first, row.publisher_last].filter(Boolean).join(' ')
  return {
    gid: row.gid,
    egid: row.egid,
    name: row.name,
    type: row.type,
    version: row.version,
    platform_id: row.platform_id,
    fid: row.fid,
    slug: row.slug,
    business_name: row.business_name,
    business_description: row.business_description,
    setup: setupOf(row),
    published:
      row.published_number === null || row.published_at === null
        ? null
        : { version: row.published_number, at: row.published_at.toISOString(), by },
    updated_at: row.updated_at.toISOString(),
  }
}
