import { type RawBuilder, sql } from 'kysely'
import { type ContactField, contactFields } from '../../../../engine/values/contactFields'
import type { LeadSource, LeadStatus } from '../../../contracts/leads'
import type { ProjectDb } from '../../../platform/database/database'
import { ownFieldsOf } from '../../contacts/fields/ownFields'
import { matchesFilter } from '../../contacts/segments/matchesFilter'
import type { FlowAnswer } from '../../insights/tables'
import { countOf, isOwn, isSelected, pageOf, type Row, type Section, type Selection } from './section'

async function selected(db: ProjectDb, selection: Selection): Promise<RawBuilder<unknown>> {
  const { filter, projectId, at: now } = selection
  const own = filter ? await ownFieldsOf(db, projectId) : []
  return sql`contacts where ${isOwn('contacts', selection)} and ${isSelected(sql`contacts.created_at`, selection)}
    and ${filter ? matchesFilter(filter, { own, now }) : sql`true`}`
}

type ContactRow = Record<ContactField, string | null> & {
  id: string
  gid: string
  custom: Record<string, string>
  tags: string[]
  blocked: boolean
  verified_id: string | null
  test: boolean
  created_at: Date
  updated_at: Date
}

/** Contacts with their fields; a project's own fields are columns as well. */
export const contacts: Section = {
  name: 'contacts',
  columns: ['contact', ...contactFields, 'tags', 'blocked', 'verified_id', 'test', 'created_at', 'updated_at'],
  count: async (db, selection) => countOf(db, await selected(db, selection)),
  async page(db, selection, cursor, limit) {
    const { rows } = await sql<ContactRow>`
      select contacts.* from ${await selected(db, selection)} and contacts.id > ${cursor ?? '0'}
      order by contacts.id limit ${limit + 1}`.execute(db)
    return pageOf(
      rows,
      limit,
      ({ id }) => id,
      (row) => ({
        contact: row.gid,
        ...Object.fromEntries(contactFields.map((field) => [field, row[field]])),
        ...{ tags: row.tags.join(', '), blocked: row.blocked, verified_id: row.verified_id, test: row.test },
        created_at: row.created_at.toISOString(),
        updated_at: row.updated_at.toISOString(),
        ...beside(row.custom),
      }),
    )
  },
}

/** Columns of names that people chose, set apart from our own. */
const beside = (values: Readonly<Record<string, string>>): Row =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`: ${name}`, value]))
const answersOf = (answers: readonly FlowAnswer[]): Row =>
  beside(Object.fromEntries(answers.map(({ name, value }) => [name, value])))

const leadsOf = (selection: Selection) => sql`leads l
  join chatbots b on b.id = l.chatbot_id and b.project_id = l.project_id
  where ${isOwn('l', selection)} and not l.deleted and ${isSelected(sql`l.created_at`, selection)}`

interface LeadRow {
  id: string
  gid: string
  chatbot: string
  source: LeadSource
  status: LeadStatus
  owner: string | null
  name: string
  email: string
  phone: string
  answers: FlowAnswer[]
  created_at: Date
}

/** Leads, their answers as columns. */
export const leads: Section = {
  name: 'leads',
  columns: ['lead', 'chatbot', 'source', 'status', 'owner', 'name', 'email', 'phone', 'created_at'],
  count: (db, selection) => countOf(db, leadsOf(selection)),
  async page(db, selection, cursor, limit) {
    const { rows } = await sql<LeadRow>`
      select l.*, u.email as owner from (
        select l.*, b.name as chatbot from ${leadsOf(selection)} and l.id > ${cursor ?? '0'}
        order by l.id limit ${limit + 1}) as l left join users u on u.id = l.owner_id
      order by l.id`.execute(db)
    return pageOf(
      rows,
      limit,
      ({ id }) => id,
      ({ gid, answers, created_at, ...row }) => ({
        lead: gid,
        ...{ chatbot: row.chatbot, source: row.source, status: row.status, owner: row.owner },
        ...{ name: row.name, email: row.email, phone: row.phone },
        created_at: created_at.toISOString(),
        ...answersOf(answers),
      }),
    )
  },
}

const resultsOf = (selection: Selection) => sql`flow_results r
  join conversations c on c.id = r.conversation_id and c.project_id = r.project_id
  join chatbots b on b.id = r.chatbot_id and b.project_id = r.project_id
  where ${isOwn('r', selection)} and ${isSelected(sql`r.started_at`, selection)}`

interface ResultRow {
  conversation_id: string
  gid: string
  chatbot: string
  environment: string
  completed: boolean
  answers: FlowAnswer[]
  started_at: Date
}

/** Answers to flows' questions: a row a conversation, a column a question. */
export const results: Section = {
  name: 'results',
  columns: ['conversation', 'chatbot', 'environment', 'started_at', 'completed'],
  count: (db, selection) => countOf(db, resultsOf(selection)),
  async page(db, selection, cursor, limit) {
    const { rows } = await sql<ResultRow>`
      select r.conversation_id, c.gid, b.name as chatbot, r.environment, r.completed, r.answers, r.started_at
      from ${resultsOf(selection)} and r.conversation_id > ${cursor ?? '0'}
      order by r.conversation_id limit ${limit + 1}`.execute(db)
    return pageOf(
      rows,
      limit,
      (row) => row.conversation_id,
      ({ gid, answers, started_at, ...row }) => ({
        conversation: gid,
        ...{ chatbot: row.chatbot, environment: row.environment, completed: row.completed },
        started_at: started_at.toISOString(),
        ...answersOf(answers),
      }),
    )
  },
}
