import { sql } from 'kysely'
import { type ContactField, contactFields } from '../../../../engine/values/contactFields'
import { isMediaUrl } from '../../../../engine/values/url'
import { type ContactConditions, CUSTOM } from '../../../contracts/contactFilter'
import { type Fill, MOST_RECIPIENTS, type SkipReason } from '../../../contracts/whatsappBroadcasts'
import type { WhatsappTemplate } from '../../../contracts/whatsappTemplates'
import type { ProjectDb, ProjectWork } from '../../../platform/database/database'
import { fieldError } from '../../../platform/errors'
import { conditionOf } from '../../contacts/segments/readFilter'
import { WHATSAPP } from '../channelName'
import type { ConnectionRow } from '../connections'
import { whyNoTemplate } from '../optIn'

type ContactPart = Record<ContactField, string | null> & { custom: Record<string, string> }

/** A contact with how they are known at the number: null: they have never written to it. */
interface Found extends ContactPart {
  contact_id: string
  contact: string
  blocked: boolean
  conversation_id: string | null
  person_id: string | null
  stopped_at: Date | null
  stopped_by: string | null
  agreed_at: Date | null
}

export interface Recipient {
  contactId: string
  contact: string
  name: string
  number: string
  personId: string
  conversationId: string
  values: string[]
}
export interface Skipped extends Pick<Recipient, 'contact' | 'name' | 'number'> {
  reason: SkipReason
}

interface Asked {
  connection: ConnectionRow
  template: WhatsappTemplate
  fills: readonly Fill[]
  /** null: all contacts */
  filter: ContactConditions | null
  now: Date
}

/**
 * Who of a segment gets a template, and who does not and why: people who have written to the number, want to be written
 * to, and have agreed to it if it is marketing. Nobody twice, though they be several contacts.
 * @throws ApiError invalid, where the segment is too large
 */
export async function audienceOf(own: ProjectDb | ProjectWork, { connection, template, fills, filter, now }: Asked) {
  const { id, project_id, chatbot_id } = connection
  const condition = filter ? await conditionOf({ db: own, projectId: project_id, now }, filter) : sql<boolean>`true`
  const fields = sql.join(contactFields.map((field) => sql`contacts.${sql.ref(field)}`))
  const { rows } = await sql<Found>`
    select contacts.id as contact_id, contacts.gid as contact, contacts.custom, ${fields}, known.conversation_id,
      contacts.blocked or exists (select from blocked_visitors b where b.chatbot_id = ${chatbot_id}
        and b.project_id = ${project_id} and b.channel = ${WHATSAPP} and b.address = known.address) as blocked,
      people.id as person_id, people.stopped_at, people.stopped_by, people.agreed_at
    from contacts
    left join lateral (select c.id as conversation_id, c.address from conversations c
      where c.contact_id = contacts.id and c.project_id = ${project_id} and c.chatbot_id = ${chatbot_id}
        and c.channel = ${WHATSAPP} and c.environment = 'production' order by c.id desc limit 1) known on true
    left join whatsapp_people people on people.connection_id = ${id} and people.project_id = ${project_id}
      and people.address = known.address
    where contacts.project_id = ${project_id} and not contacts.test and ${condition}
    order by contacts.id limit ${MOST_RECIPIENTS + 1}`.execute(own)
  if (rows.length > MOST_RECIPIENTS)
    throw fieldError('segment', `More than ${MOST_RECIPIENTS.toLocaleString('en')} contacts are in it. Narrow it.`)
  const gets: Recipient[] = []
  const not: Skipped[] = []
  const seen = new Set<string>()
  for (const row of rows) {
    const { contact, name, phone } = row
    const who = { contact, name: name ?? '', number: phone ?? '' }
    const values = fill(template, fills, row)
    const reason = whyNot(row, template, values, seen)
    if (reason !== null || row.person_id === null || row.conversation_id === null || values === null) {
      not.push({ ...who, reason: reason ?? 'never-wrote' })
      continue
    }
    seen.add(row.person_id)
    const ids = { contactId: row.contact_id, personId: row.person_id, conversationId: row.conversation_id }
    gets.push({ ...who, ...ids, values })
  }
  return { gets, not }
}

function whyNot(row: Found, { category }: WhatsappTemplate, values: string[] | null, seen: ReadonlySet<string>) {
  if (row.blocked) return 'blocked'
  if (row.person_id === null) return row.phone === null ? 'no-number' : 'never-wrote'
  if (seen.has(row.person_id)) return 'twice'
  if (row.stopped_at) return 'stopped'
  if (whyNoTemplate(row, category) !== null) return 'no-opt-in'
  return values === null ? 'no-value' : null
}

/** A value for each place; null if one has none, or an address of a file is none. */
export function fill({ places }: WhatsappTemplate, fills: readonly Fill[], contact: ContactPart): string[] | null {
  const values = places.map((_, at) => {
    const { field = '', text = '' } = fills[at] ?? {}
    return (contactValue(field, contact) ?? '').trim() || text
  })
  const isWrong = places.some(({ kind }, at) => !values[at] || (kind !== 'text' && !isMediaUrl(values[at] ?? '')))
  return isWrong ? null : values
}

function contactValue(field: string, contact: ContactPart): string | null {
  if (field.startsWith(CUSTOM)) {
    const name = field.slice(CUSTOM.length)
    return Object.hasOwn(contact.custom, name) ? (contact.custom[name] ?? null) : null
  }
  const own = contactFields.find((each) => each === field)
  return own ? contact[own] : null
}

/** How many get nothing, by reason. */
export const countReasons = (not: readonly Skipped[]): Partial<Record<SkipReason, number>> =>
  not.reduce<Partial<Record<SkipReason, number>>>(
    (counts, { reason }) => Object.assign(counts, { [reason]: (counts[reason] ?? 0) + 1 }),
    {},
  )
