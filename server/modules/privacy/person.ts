import { type Selectable, sql } from 'kysely'
import type { Json } from '../../../engine/values/json'
import type { ProjectDb, ProjectWork } from '../../platform/database/database'
import { ApiError } from '../../platform/errors'
import { isConversationOf, isLeadOf } from '../contacts/readTimeline'
import { presentContact } from '../contacts/routes'
import type { ContactsTable } from '../contacts/tables'

/** The most messages and leads in a person's document. */
const MOST = 20_000

/** @throws ApiError not_found */
export async function contactOf(db: ProjectDb | ProjectWork, gid: string): Promise<Selectable<ContactsTable>> {
  const row = await db.selectFrom('contacts').selectAll().where('gid', '=', gid).executeTakeFirst()
  if (!row) throw new ApiError('not_found')
  return row
}

/** All that is known of a person. */
export async function readPerson(db: ProjectDb, contact: Selectable<ContactsTable>): Promise<Json> {
  const ofProject = contact.project_id
  const { rows: leads } = await sql<Record<string, Json>>`
    select gid, source, name, email, phone, answers, status, created_at::text as at from leads
    where project_id = ${ofProject} and not deleted and ${isLeadOf(contact)} order by id limit ${MOST}`.execute(db)
  const { rows: messages } = await sql<Record<string, Json>>`
    select conversations.gid as conversation, m.seq, m.author, m.content, m.created_at::text as at
    from conversations join messages m on m.conversation_id = conversations.id and m.project_id = conversations.project_id
    where conversations.project_id = ${ofProject} and ${isConversationOf(contact)}
    order by conversations.id, m.seq limit ${MOST}`.execute(db)
  return { contact: presentContact(contact), leads, messages }
}

/**
 * Erases a person: the contact, its leads, and its conversations with all that belongs to them. What blocks were
 * answered about the contact is deleted as well; the figures, which name nobody, stay.
 */
export async function erasePerson(
  work: ProjectWork,
  contact: Selectable<ContactsTable>,
): Promise<{ conversations: number; leads: number }> {
  const ofProject = contact.project_id
  const conversations = await sql`
    delete from conversations where project_id = ${ofProject} and ${isConversationOf(contact)}`.execute(work)
  const leads = await sql`delete from leads where project_id = ${ofProject} and ${isLeadOf(contact)}`.execute(work)
  await sql`delete from contact_calls where project_id = ${ofProject}
    and result::text like ${`%"${contact.gid}"%`}`.execute(work)
  await work.deleteFrom('contacts').where('id', '=', contact.id).execute()
  return { conversations: Number(conversations.numAffectedRows ?? 0n), leads: Number(leads.numAffectedRows ?? 0n) }
}
