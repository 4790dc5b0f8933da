import { sql } from 'kysely'
import type { Broadcast, BroadcastFailure } from '../../../contracts/whatsappBroadcasts'
import { LISTED } from '../../../contracts/whatsappBroadcasts'
import type { Db } from '../../../platform/database/database'
import type { BroadcastRow } from './sendBroadcast'

type Counts = Broadcast['people']
const NOBODY: Counts = { waiting: 0, sending: 0, sent: 0, delivered: 0, read: 0, failed: 0 }

/** Broadcasts with how far their messages have come, in the order given. */
export async function presentBroadcasts(own: Db, rows: readonly BroadcastRow[]): Promise<Broadcast[]> {
  const [counts, names] = await Promise.all([countPeople(own, rows), namesOf(own, rows)])
  return rows.map((row) => ({
    ...{ gid: row.gid, name: row.name, segment: row.segment, template: row.template, status: row.status },
    ...{ per_minute: row.per_minute, price: Number(row.price), currency: row.currency, skipped: row.skipped },
    created_at: row.created_at.toISOString(),
    created_by: names.get(row.created_by ?? '') ?? null,
    people: { ...NOBODY, ...Object.fromEntries(counts.get(row.id) ?? []) },
  }))
}

/** How far a message to somebody has come, of `people` with their `deliveries`. */
const STATE = sql<keyof Counts>`case
  when people.problem is not null or deliveries.status = 'dead' then 'failed'
  when people.seq is null then 'waiting'
  when deliveries.status = 'due' then 'sending'
  else coalesce(deliveries.reached, 'sent') end`
const WITH_DELIVERIES = sql`whatsapp_broadcast_people people
  left join deliveries on deliveries.conversation_id = people.conversation_id and deliveries.seq = people.seq
    and deliveries.project_id = people.project_id`

async function countPeople(own: Db, rows: readonly BroadcastRow[]) {
  const all = new Map<string, [keyof Counts, number][]>()
  if (rows.length === 0) return all
  const counted = await sql<{ broadcast_id: string; state: keyof Counts; count: number }>`
    select people.broadcast_id, ${STATE} as state, count(*)::integer as count from ${WITH_DELIVERIES}
    where people.broadcast_id in (${sql.join(rows.map(({ id }) => id))}) group by 1, 2`.execute(own)
  for (const { broadcast_id, state, count } of counted.rows)
    all.set(broadcast_id, [...(all.get(broadcast_id) ?? []), [state, count]])
  return all
}

async function namesOf(own: Db, rows: readonly BroadcastRow[]): Promise<Map<string, string>> {
  const ids = [...new Set(rows.flatMap(({ created_by }) => created_by ?? []))]
  if (ids.length === 0) return new Map()
  const users = await own.selectFrom('users').select(['id', 'email']).where('id', 'in', ids).execute()
  return new Map(users.map(({ id, email }) => [id, email]))
}

/** The first whom it did not reach, and why. */
export async function failuresOf(own: Db, row: BroadcastRow): Promise<BroadcastFailure[]> {
  const { rows } = await sql<{ contact: string; name: string | null; phone: string | null; reason: string | null }>`
    select contacts.gid as contact, contacts.name, contacts.phone, coalesce(people.problem, deliveries.error) as reason
    from ${WITH_DELIVERIES}
    join contacts on contacts.id = people.contact_id and contacts.project_id = people.project_id
    where people.broadcast_id = ${row.id} and people.project_id = ${row.project_id} and ${STATE} = 'failed'
    order by people.id limit ${LISTED}`.execute(own)
  return rows.map(({ contact, name, phone, reason }) => ({
    ...{ contact, name: name ?? '', number: phone ?? '' },
    reason: reason ?? 'It did not arrive.',
  }))
}
