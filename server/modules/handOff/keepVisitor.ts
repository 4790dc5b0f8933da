import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { ServerContext } from '../../platform/context'
import type { ProjectWork } from '../../platform/database/database'
import { appendEvent } from '../../platform/events/defineEvent'
import { carryOutContact } from '../contacts/contactStore'
import { leadCreated } from '../contacts/events'
import { tableStore } from '../contacts/tableStore'

interface Visitor {
  project_id: string
  chatbot_id: string
  /** what the visitor is known by already; null: nothing */
  contact_id: string | null
  email: string
  /** null: they did not say; a name that is known stays */
  name: string | null
  /** of the call, for its events */
  key: string
}

/** A visitor who says where to be answered is a contact: the one with that address, or a new one. */
export async function keepContact(
  work: ProjectWork,
  { clock, ids }: Pick<ServerContext, 'clock' | 'ids'>,
  { project_id, chatbot_id, contact_id, email, name, key }: Visitor,
): Promise<void> {
  await carryOutContact(tableStore(work, { project_id, chatbot_id, contact_id }, { clock, ids, isTest: false, key }), {
    action: 'create',
    key: { field: 'email', value: email },
    fields: name === null ? {} : { name },
    custom: {},
    onDuplicate: name === null ? 'skip' : 'update',
  })
}

/** Who leaves a message while nobody is there is a lead without a conversation: one for each lead's key. */
export async function keepLead(
  work: ProjectWork,
  at: Date,
  { project_id, chatbot_id, email, name, key }: Omit<Visitor, 'contact_id'>,
  { leadKey, message }: { leadKey: string; message: string },
): Promise<void> {
  const gid = gidOf(leadKey)
  const answers = JSON.stringify([{ id: 'left-message', name: 'Message', value: message }])
  const { numAffectedRows } = await sql`
    insert into leads (gid, project_id, chatbot_id, environment, source, name, email, phone, answers, created_at, updated_at)
    values (${gid}, ${project_id}, ${chatbot_id}, 'production', 'form', ${name ?? ''}, ${email}, '', ${answers}::json, ${at}, ${at})
    on conflict (gid) do nothing`.execute(work)
  if (!numAffectedRows) return
  const told = { projectId: project_id, by: { actor: 'visitor' }, correlation: key, at } as const
  await appendEvent(work, leadCreated, told, { lead: gid, conversation: null })
}

const gidOf = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 16)
