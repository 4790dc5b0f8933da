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
  return row !== undefined
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
  return row !== undefined
}
