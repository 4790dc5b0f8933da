import { type Selectable, sql } from 'kysely'
import { contactFields } from '../../../../engine/values/contactFields'
import type { ImportMapping } from '../../../contracts/contactImports'
import { tagCaps } from '../../../contracts/contacts'
import type { ServerContext } from '../../../platform/context'
import type { ProjectWork } from '../../../platform/database/database'
import type { ContactImportsTable, ContactsTable } from '../tables'
import { hasTooMany, type ImportedContact, type RefusedRow } from './readRow'

export interface Written {
  created: number
  updated: number
  skipped: number
  refused: RefusedRow[]
}

interface Part {
  row: Selectable<ContactImportsTable>
  mapping: ImportMapping
  contacts: readonly ImportedContact[]
}
type Present = Pick<Selectable<ContactsTable>, 'id' | 'custom' | 'tags'>

/**
 * Creates and updates the contacts of a part, or counts what it would do where the import is only checked. Filled cells
 * take the place of what was there; empty ones leave it.
 */
export async function writeContacts(
  work: ProjectWork,
  { clock, ids }: Pick<ServerContext, 'clock' | 'ids'>,
  { row, mapping, contacts }: Part,
): Promise<Written> {
  const present = await presentOnes(work, row.project_id, mapping, contacts)
  const at = clock()
  const made: object[] = []
  const changed: object[] = []
  const written: Written = { created: 0, updated: 0, skipped: 0, refused: [] }
  for (const { line, key, fields, custom, tags } of contacts) {
    const before = key === null ? undefined : present.get(key)
    if (before && mapping.on_duplicate === 'skip') {
      written.skipped++
      continue
    }
    const own = { ...before?.custom, ...custom }
    const all = [...new Set([...(before?.tags ?? []), ...tags])]
    if (hasTooMany(own) || all.length > tagCaps.count) {
      written.refused.push({
        line,
        column: null,
        value: key,
        message: 'The contact would have too many fields or tags.',
      })
      continue
    }
    const values = { ...fields, custom: own, tags: all, updated_at: at }
    if (before) changed.push({ ...values, id: before.id })
    else made.push({ ...values, gid: ids(), project_id: row.project_id, created_at: at })
    if (before) written.updated++
    else written.created++
  }
  if (row.status === 'running') await save(work, row.project_id, made, changed)
  return written
}

/** The last changed contact of each key. */
async function presentOnes(
  work: ProjectWork,
  projectId: string,
  { key }: ImportMapping,
  contacts: readonly ImportedContact[],
): Promise<Map<string, Present>> {
  const keys = contacts.flatMap((contact) => contact.key ?? [])
  if (key === 'none' || keys.length === 0) return new Map()
  const column = key === 'email' ? sql`lower(contacts.email)` : sql.ref(`contacts.${key}`)
  const { rows } = await sql<Present & { key: string }>`
    select ${column} as key, id, custom, tags from contacts
    where project_id = ${projectId} and ${column} = any(${keys}::text[])
    order by updated_at, id for update`.execute(work)
  return new Map(rows.map(({ key: found, ...contact }) => [found, contact]))
}

const columns = sql.raw(contactFields.join(', '))

async function save(work: ProjectWork, projectId: string, made: object[], changed: object[]): Promise<void> {
  if (made.length > 0)
    await sql`insert into contacts (gid, project_id, ${columns}, custom, tags, created_at, updated_at)
      select gid, ${projectId}, ${columns}, custom, tags, created_at, updated_at
      from jsonb_populate_recordset(null::contacts, ${JSON.stringify(made)}::jsonb)`.execute(work)
  if (changed.length > 0)
    await sql`update contacts set custom = given.custom, tags = given.tags, updated_at = given.updated_at,
        ${sql.raw(contactFields.map((field) => `${field} = coalesce(given.${field}, contacts.${field})`).join(', '))}
      from jsonb_populate_recordset(null::contacts, ${JSON.stringify(changed)}::jsonb) as given
      where contacts.id = given.id and contacts.project_id = ${projectId}`.execute(work)
}
