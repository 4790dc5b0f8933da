import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database'
import { messageDelivered } from '../events'

/** What became of a message: `sent` with what the channel calls it; how far it came later; or given up, and why. */
export type DeliveryState =
  | { status: 'sent'; external_id: string | null }
  | { reached: 'delivered' | 'read' }
  | { status: 'dead'; error: string }

/** A delivery, by the idempotency key that the channel was given, and what became of it. */
export interface DeliveryNote {
  key: string
  state: DeliveryState
}

/**
 * Notes what became of messages that a channel delivers, with an event for each, by which whoever looks at the
 * conversation sees it at once. One statement, unless the same message is told of several times.
 */
export async function noteDeliveries(
  own: Db,
  { projectId, at }: { projectId: string; at: Date },
  notes: readonly DeliveryNote[],
): Promise<void> {
  let left = notes
  while (left.length > 0) {
    const keys = new Set<string>()
    const later: DeliveryNote[] = []
    const now = left.filter((note) => {
      const isFirst = !keys.has(note.key)
      if (isFirst) keys.add(note.key)
      else later.push(note)
      return isFirst
    })
    await noteOnce(own, { projectId, at }, now)
    left = later
  }
}

async function noteOnce(
  own: Db,
  { projectId, at }: { projectId: string; at: Date },
  notes: readonly DeliveryNote[],
): Promise<void> {
  const states = notes.map(({ state }) => ({ status: null, reached: null, error: null, external_id: null, ...state }))
  const { type, migrations } = messageDelivered
  await sql`
    with noted as (
      update deliveries set
        status = coalesce(given.status, deliveries.status),
        reached = coalesce(given.reached, deliveries.reached),
        sent_at = case when given.status = 'sent' then ${at}::timestamptz else deliveries.sent_at end,
        external_id = case when given.status = 'sent' then given.external_id else deliveries.external_id end,
        error = case when given.status is null then deliveries.error else given.error end
      from unnest(
        ${notes.map(({ key }) => key)}::text[], ${states.map(({ status }) => status)}::text[],
        ${states.map(({ reached }) => reached)}::text[], ${states.map(({ error }) => error)}::text[],
        ${states.map(({ external_id }) => external_id)}::text[]
      ) as given (key, status, reached, error, external_id), conversations
      where deliveries.key = given.key and deliveries.project_id = ${projectId}
        and conversations.id = deliveries.conversation_id and conversations.project_id = deliveries.project_id
      returning conversations.gid, deliveries.seq, given.key, coalesce(given.status, given.reached) as told)
    insert into "events" (project_id, type, version, actor, correlation, payload, at)
    select ${projectId}, ${type}::text, ${migrations.length}, 'system', key,
      json_build_object('conversation', gid, 'seq', seq, 'status', told), ${at}::timestamptz
    from noted`.execute(own)
}
