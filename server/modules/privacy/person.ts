import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Json } from '../../../engine/values/json'
import type { ProjectDb, ProjectWork } from '../../platform/database/database'
import { ApiError } from '../../platform/errors'
import { isConversationOf, isLeadOf } from '../contacts/readTimeline'
import { presentContact } from '../contacts/routes'
import type { ContactsTable } from '../contacts/tables'

/** The most rows of a table in a person's document. */
const MOST = 20_000

/** @throws ApiError not_found */
export async function contactOf(db: ProjectDb | ProjectWork, gid: string): Promise<Selectable<ContactsTable>> {
  const row = await db.selectFrom('contacts').selectAll().where('gid', '=', gid).executeTakeFirst()
  if (!row) throw new ApiError('not_found')
  return row
}

/** Tables that are erased by name; the others go with the contact or its conversations (personalData.ts). */
export const erasedByName = [
  'whatsapp_webhooks',
  'conversations',
  'leads',
  'contact_calls',
  'mails',
  'inbound_mails',
  'contacts',
] as const

/** Mails of the person's conversations, and those to the person's address. */
const isMailOf = (contact: Selectable<ContactsTable>) => sql<boolean>`(
  exists (select from conversations where conversations.id = mails.conversation_id
    and conversations.project_id = mails.project_id and ${isConversationOf(contact)})
  or (${contact.email}::text <> '' and strpos(lower(mails.addresses::text), lower(${JSON.stringify(contact.email ?? '')}::text)) > 0))`

/** Mails that came in to the person's conversations, and those from the person's address. */
const isInboundMailOf = (contact: Selectable<ContactsTable>) => sql<boolean>`(
  exists (select from conversations where conversations.id = inbound_mails.conversation_id
    and conversations.project_id = inbound_mails.project_id and ${isConversationOf(contact)})
  or (${contact.email}::text <> '' and lower(inbound_mails.sender) = lower(${contact.email ?? ''}::text)))`

/** Who has a conversation of the person's at WhatsApp; joined with the number that they wrote to, as `number`. */
const isAtWhatsapp = (contact: Selectable<ContactsTable>) => sql<boolean>`(
  whatsapp_people.project_id = ${contact.project_id} and number.id = whatsapp_people.connection_id
  and number.project_id = whatsapp_people.project_id and exists (select from conversations
    where conversations.project_id = ${contact.project_id} and conversations.chatbot_id = number.chatbot_id
      and channel = 'whatsapp' and address = whatsapp_people.address and ${isConversationOf(contact)}))`

/** What is exported of each table whose rows are of conversations: its columns, and their order. */
const ofConversations = {
  messages: { columns: ['seq', 'author', 'content', 'created_at'], order: 'seq' },
  flow_results: { columns: ['answers', 'completed', 'started_at'], order: 'started_at' },
  survey_answers: { columns: ['rating', 'chosen', 'resolved', 'feedback', 'answered_at'], order: 'answered_at' },
  consents: { columns: ['given', 'question', 'said_at'], order: 'id' },
  page_visits: { columns: ['page', 'visited_at'], order: 'visited_at' },
  hand_offs: { columns: ['team', 'note', 'email', 'handed_over_at'], order: 'handed_over_at' },
  bookings: { columns: ['state', 'start_at', 'reschedule_url', 'cancel_url', 'created_at'], order: 'created_at' },
  asked_questions: { columns: ['question', 'asked_at'], order: 'position' },
  conversation_notes: { columns: ['author_name', 'body', 'created_at'], order: 'created_at' },
} as const

/** All that is known of a person, by table. */
export async function readPerson(db: ProjectDb, contact: Selectable<ContactsTable>): Promise<Record<string, Json>> {
  const ofProject = contact.project_id
  const rowsOf = async (query: RawBuilder<unknown>): Promise<Json> => {
    const { rows } = await sql<{
      row: Json
    }>`select row_to_json(found) as row from (${query} limit ${MOST}) as found`.execute(db)
    return rows.map(({ row }) => row)
  }
  const theirs = sql`conversations.project_id = ${ofProject} and ${isConversationOf(contact)}`
  const known: Record<string, Json> = {
    contacts: [presentContact(contact)],
    conversations: await rowsOf(sql`
      select gid, channel, address, language, environment, status, created_at, updated_at from conversations
      where ${theirs} order by id`),
    leads: await rowsOf(sql`
      select gid, source, name, email, phone, answers, status, created_at from leads
      where project_id = ${ofProject} and not deleted and ${isLeadOf(contact)} order by id`),
  }
  for (const [table, { columns, order }] of Object.entries(ofConversations))
    known[table] = await rowsOf(sql`
      select conversations.gid as conversation, ${sql.join(columns.map((column) => sql.ref(`each.${column}`)))}
      from conversations join ${sql.table(table)} each
        on each.conversation_id = conversations.id and each.project_id = conversations.project_id
      where ${theirs} order by conversations.id, ${sql.ref(`each.${order}`)}`)
  known.sent_files = await rowsOf(sql`
    select conversations.gid as conversation, file.gid, file.name, file.media_type, file.bytes, file.created_at
    from conversations join runs on runs.conversation_id = conversations.id and runs.project_id = conversations.project_id
      join sent_files file on file.run_id = runs.id and file.project_id = runs.project_id
    where ${theirs} order by file.id`)
  known.whatsapp_people = await rowsOf(sql`
    select whatsapp_people.phone, whatsapp_people.name, wrote_at, stopped_at, stopped_by, agreed_at, agreed_to
    from whatsapp_people, whatsapp_connections as number where ${isAtWhatsapp(contact)} order by whatsapp_people.id`)
  known.mails = await rowsOf(sql`
    select addresses, subject, body, created_at from mails where project_id = ${ofProject} and ${isMailOf(contact)} order by id`)
  known.inbound_mails = await rowsOf(sql`
    select sender, subject, received_at from inbound_mails
    where project_id = ${ofProject} and ${isInboundMailOf(contact)} order by id`)
  known.contact_merges = await rowsOf(sql`
    select record -> 'from' as merged, merged_at, undone_at from contact_merges
    where project_id = ${ofProject} and contact_id = ${contact.id} order by id`)
  return known
}

/**
 * Erases a person: the contact, its leads, its mails in both directions, and its conversations with all that belongs to
 * them. What blocks were answered about the contact is deleted as well; the figures, which name nobody, stay.
 */
export async function erasePerson(
  work: ProjectWork,
  contact: Selectable<ContactsTable>,
): Promise<{ conversations: number; leads: number }> {
  const ofProject = contact.project_id
  await sql`delete from mails where project_id = ${ofProject} and ${isMailOf(contact)}`.execute(work)
  await sql`delete from inbound_mails where project_id = ${ofProject} and ${isInboundMailOf(contact)}`.execute(work)
  // those that could not be read yet
  await sql`delete from whatsapp_webhooks using whatsapp_people, whatsapp_connections as number
    where ${isAtWhatsapp(contact)} and whatsapp_webhooks.project_id = ${ofProject}
      and (position(convert_to(whatsapp_people.phone, 'UTF8') in whatsapp_webhooks.body) > 0
        or position(convert_to(whatsapp_people.user_id, 'UTF8') in whatsapp_webhooks.body) > 0)`.execute(work)
  await sql`delete from whatsapp_people using whatsapp_connections as number where ${isAtWhatsapp(contact)}`.execute(
    work,
  )
  const conversations = await sql`
    delete from conversations where project_id = ${ofProject} and ${isConversationOf(contact)}`.execute(work)
  const leads = await sql`delete from leads where project_id = ${ofProject} and ${isLeadOf(contact)}`.execute(work)
  await sql`delete from contact_calls where project_id = ${ofProject}
    and result::text like ${`%"${contact.gid}"%`}`.execute(work)
  await work.deleteFrom('contacts').where('id', '=', contact.id).execute()
  return { conversations: Number(conversations.numAffectedRows ?? 0n), leads: Number(leads.numAffectedRows ?? 0n) }
}
