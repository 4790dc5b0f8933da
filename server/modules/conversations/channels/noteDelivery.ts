import type { Work } from '../../../platform/database/database'
import { appendEvent } from '../../../platform/events/defineEvent'
import { messageDelivered } from '../events'

/** What became of a message: `sent` with what the channel calls it; how far it came later; or given up, and why. */
export type DeliveryState =
  | { status: 'sent'; sent_at: Date; external_id: string | null; error: null }
  | { reached: 'delivered' | 'read' }
  | { status: 'dead'; error: string }

/**
 * Notes what became of a message that a channel delivers, with its event, by which whoever looks at the conversation
 * sees it at once.
 *
 * @param key of the delivery, the idempotency key that the channel was given
 */
export async function noteDelivery(
  work: Work,
  { projectId, key, at }: { projectId: string; key: string; at: Date },
  state: DeliveryState,
): Promise<void> {
  const row = await work
    .updateTable('deliveries')
    .from('conversations')
    .set(state)
    .whereRef('conversations.id', '=', 'deliveries.conversation_id')
    .whereRef('conversations.project_id', '=', 'deliveries.project_id')
    .where('deliveries.key', '=', key)
    .where('deliveries.project_id', '=', projectId)
    .returning(['conversations.gid', 'deliveries.seq'])
    .executeTakeFirst()
  if (!row) return
  const status = 'reached' in state ? state.reached : state.status
  const context = { projectId, by: { actor: 'system' as const }, correlation: key, at }
  await appendEvent(work, messageDelivered, context, { conversation: row.gid, seq: row.seq, status })
}
