import type { ChatbotRow } from '../../access/chatbots'
import { setupOf } from '../../access/setup'
import type { Chatbot, ListedChatbot } from '../../contracts/chatbots'

const nameOf = (first: string | null, last: string | null): string => [first, last].filter(Boolean).join(' ')

/** @param seesNumbers whether the caller's roles permit to see statistics */
export const presentListed = (row: ChatbotRow, seesNumbers: boolean): ListedChatbot => ({
  ...presentChatbot(row),
  conversations: seesNumbers ? Number(row.conversations ?? 0) : null,
})

export function presentChatbot(row: ChatbotRow): Chatbot {
  const by = nameOf(row.publisher_first, row.publisher_last)
  return {
    gid: row.gid,
    egid: row.egid,
    name: row.name,
    type: row.type,
    version: row.version,
    platform_id: row.platform_id,
    fid: row.fid,
    slug: row.slug,
    domain: row.domain,
    business_name: row.business_name,
    business_description: row.business_description,
    setup: setupOf(row),
    setup_steps: row.setup_steps,
    sample: row.sample,
    over_limit: row.over,
    published:
      row.published_number === null || row.published_at === null
        ? null
        : { version: row.published_number, at: row.published_at.toISOString(), by },
    draft_changed: row.draft_changed,
    updated_at: row.updated_at.toISOString(),
    updated_by: nameOf(row.editor_first, row.editor_last),
  }
}
