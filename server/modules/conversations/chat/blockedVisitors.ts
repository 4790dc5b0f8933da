import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/database/database'

/** Whether a visitor of the web may not write to a chatbot any more. */
export async function isBlocked(
  db: Db,
  { chatbotId, visitor }: { chatbotId: string; visitor: { hash: Buffer } },
): Promise<boolean> {
  const row = await db
    .selectFrom('blocked_visitors')
    .select('id')
    .where('chatbot_id', '=', chatbotId)
    .where('visitor_hash', '=', visitor.hash)
    .executeTakeFirst()
  return row !== undefined || isOfBlockedContact(db, chatbotId, sql`conversations.visitor_hash = ${visitor.hash}`)
}

/** Whether who writes from an address of another channel may not write to a chatbot any more. */
export async function isBlockedAddress(
  db: Db,
  { chatbotId, channel, address }: { chatbotId: string; channel: string; address: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('blocked_visitors')
    .select('id')
    .where('chatbot_id', '=', chatbotId)
    .where('channel', '=', channel)
    .where('address', '=', address)
    .executeTakeFirst()
  const hasWritten = sql`conversations.channel = ${channel} and conversations.address = ${address}`
  return row !== undefined || isOfBlockedContact(db, chatbotId, hasWritten)
}

/** Whether a conversation of theirs is linked to a contact that members have blocked. */
async function isOfBlockedContact(db: Db, chatbotId: string, isTheirs: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql`select from conversations
    join contacts on contacts.id = conversations.contact_id and contacts.project_id = conversations.project_id
    where conversations.chatbot_id = ${chatbotId} and ${isTheirs} and contacts.blocked limit 1`.execute(db)
  return rows.length > 0
}
