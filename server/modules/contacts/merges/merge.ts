import { sql } from 'kysely'
import { UNDO_DAYS } from '../../../contracts/contactMerges'
import type { ServerContext } from '../../../platform/context'
import type { ProjectWork } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import type { Merged, MergeRecord, MovedTable } from '../tables'
import { type ContactRow, mergedContact, unmergedContact } from './mergedContact'

const DAY = 86_400_000

/** The tables that refer to a contact and move with it; what else a contact has is found by its addresses. */
export const movedTables = [
  'conversations',
  'notifications',
  'contact_merges',
  'webhook_messages',
  'whatsapp_broadcast_people',
] as const satisfies readonly MovedTable[]

interface Merge {
  projectId: string
  into: string
  from: string
  take: readonly string[]
  /** null: whoever wanted it has no account any more */
  userId: string | null
}

/** Merges a contact into another. @throws ApiError not_found; conflict if both are verified as others */
export async function merge(
  work: ProjectWork,
  { clock, ids }: Pick<ServerContext, 'clock' | 'ids'>,
  { projectId, into: kept, from: gone, take, userId }: Merge,
): Promise<{ gid: string; contact: ContactRow }> {
  const [into, from] = await lockBoth(work, kept, gone)
  if (into.verified_id !== null && from.verified_id !== null && into.verified_id !== from.verified_id)
    throw new ApiError('conflict', { message: 'Both are verified, as different people: they can’t be merged.' })
  const after = mergedContact(into, from, take)
  const moved: MergeRecord['moved'] = {}
  for (const table of movedTables) moved[table] = await move(work, table, { projectId, from: from.id, to: into.id })
  // as PostgreSQL writes it, so that undoing gives back the same row
  const { rows } = await sql<{ row: Record<string, unknown> }>`
    select to_jsonb(contacts) as row from contacts where id = ${from.id} and project_id = ${projectId}`.execute(work)
  await work.deleteFrom('contacts').where('id', '=', from.id).execute()
  const at = clock()
  const contact = await set(work, into.id, after, at)
  const record: MergeRecord = { from: rows[0]?.row ?? {}, before: mergedPart(into), after, moved }
  const gid = ids()
  await work
    .insertInto('contact_merges')
    .values({
      ...{ gid, project_id: projectId, contact_id: into.id, record: JSON.stringify(record), merged_by: userId },
      ...{ merged_at: at, expires_at: new Date(at.getTime() + UNDO_DAYS * DAY) },
    })
    .execute()
  return { gid, contact }
}

/** Undoes a merge. @throws ApiError not_found; conflict if it was undone, or a later one of the contact was not */
export async function unmerge(
  work: ProjectWork,
  { clock }: Pick<ServerContext, 'clock'>,
  { projectId, gid }: { projectId: string; gid: string },
): Promise<{ contact: ContactRow; merged: string }> {
  const row = await work.selectFrom('contact_merges').selectAll().where('gid', '=', gid).forUpdate().executeTakeFirst()
  if (!row || row.expires_at <= clock()) throw new ApiError('not_found')
  const later = await work
    .selectFrom('contact_merges')
    .select('id')
    .where('contact_id', '=', row.contact_id)
    .where('undone_at', 'is', null)
    .where('id', '>', row.id)
    .executeTakeFirst()
  if (row.undone_at !== null) throw new ApiError('conflict', { message: 'This merge was undone already.' })
  if (later) throw new ApiError('conflict', { message: 'Undo the later merge of this contact first.' })
  const { record } = row
  const now = await work
    .selectFrom('contacts')
    .selectAll()
    .where('id', '=', row.contact_id)
    .forUpdate()
    .executeTakeFirst()
  if (!now) throw new ApiError('not_found')
  const contact = await set(work, now.id, unmergedContact(now, record.before, record.after), clock())
  await putBack(work, projectId, record.from)
  for (const table of movedTables)
    await sql`update ${sql.table(table)} set contact_id = ${String(record.from.id)}
      where project_id = ${projectId} and contact_id = ${now.id} and id = any(${record.moved[table] ?? []}::bigint[])`.execute(
      work,
    )
  await work.updateTable('contact_merges').set({ undone_at: clock() }).where('id', '=', row.id).execute()
  return { contact, merged: String(record.from.gid) }
}

/** In the order of their ids, so that two merges of the same pair wait for each other. */
async function lockBoth(work: ProjectWork, into: string, from: string): Promise<[ContactRow, ContactRow]> {
  const rows = await work
    .selectFrom('contacts')
    .selectAll()
    .where('gid', 'in', [into, from])
    .orderBy('id')
    .forUpdate()
    .execute()
  const [kept, gone] = [into, from].map((gid) => rows.find((row) => row.gid === gid))
  if (!kept || !gone || kept === gone) throw new ApiError('not_found')
  return [kept, gone]
}

async function move(
  work: ProjectWork,
  table: MovedTable,
  { projectId, from, to }: { projectId: string; from: string; to: string },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update ${sql.table(table)} set contact_id = ${to} where project_id = ${projectId} and contact_id = ${from}
    returning id::text`.execute(work)
  return rows.map(({ id }) => id)
}

const set = (work: ProjectWork, id: string, { custom, ...values }: Merged, at: Date): Promise<ContactRow> =>
  work
    .updateTable('contacts')
    .set({ ...values, custom: JSON.stringify(custom), updated_at: at })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

const mergedPart = ({
  id: _,
  gid: _gid,
  project_id: _p,
  chatbot_id: _c,
  created_at: _at,
  updated_at: _u,
  ...part
}: ContactRow): Merged => part

/** The row as it was; its chatbot may be gone by now, and the table may have new columns. */
async function putBack(work: ProjectWork, projectId: string, row: Record<string, unknown>): Promise<void> {
  const chatbot = await work
    .selectFrom('chatbots')
    .select('id')
    .where('id', '=', String(row.chatbot_id ?? '0'))
    .executeTakeFirst()
  const values = { ...row, project_id: projectId, chatbot_id: chatbot?.id ?? null }
  const columns = sql.join(Object.keys(values).map((name) => sql.ref(name)))
  await sql`insert into contacts (${columns}) overriding system value
    select ${columns} from jsonb_populate_record(null::contacts, ${JSON.stringify(values)}::jsonb)`.execute(work)
}
