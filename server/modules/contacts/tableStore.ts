import { type Selectable, sql, type Transaction } from 'kysely'
import { contactFields } from '../../../engine/values/contactFields'
import type { ServerContext } from '../../platform/context'
import type { Db } from '../../platform/database/database'
import type { Database } from '../../platform/database/tables'
import { appendEvent } from '../../platform/events/defineEvent'
import { type ContactStore, filled, type KnownContact, newContact } from './contactStore'
import { contactChanged, contactCreated, contactDeleted } from './events'
import { aliasOf } from './merges/mergedContact'
import type { ContactRequest } from './request'
import type { ContactsTable } from './tables'

export interface ContactPlace {
  project_id: string
  chatbot_id: string
  /** the conversation's own, by now */
  contact_id: string | null
}

/**
 * A project's contacts. Changes by a test are marked, until a visitor's conversation changes the contact: then it is a
 * real one.
 * @param key of the call
 */
export function tableStore(
  work: Transaction<Database>,
  { project_id, chatbot_id, contact_id }: ContactPlace,
  { clock, ids, isTest, key }: Pick<ServerContext, 'clock' | 'ids'> & { isTest: boolean; key: string },
): ContactStore {
  const tell = (event: typeof contactCreated | typeof contactChanged | typeof contactDeleted, contact: string) => {
    const context = { projectId: project_id, by: { actor: 'bot' }, correlation: key, at: clock() } as const
    return appendEvent(work, event as typeof contactCreated, context, { contact, test: isTest })
  }
  return {
    find: (key) => findContact(work, project_id, key, { except: [], own: contact_id }),

    async insert(request) {
      const made = newContact(ids(), request)
      const at = clock()
      await work
        .insertInto('contacts')
        .values({
          ...made.fields,
          gid: made.id,
          project_id,
          chatbot_id,
          custom: JSON.stringify(made.custom),
          test: isTest,
          created_at: at,
          updated_at: at,
        })
        .execute()
      await tell(contactCreated, made.id)
      return made
    },

    async change(found, request) {
      const changed = await work
        .updateTable('contacts')
        .set({
          ...columns(request),
          custom: JSON.stringify(filled({ ...found.custom, ...request.custom })),
          test: isTest,
          updated_at: clock(),
        })
        .where('gid', '=', found.id)
        .where('project_id', '=', project_id)
        .returningAll()
        .executeTakeFirstOrThrow()
      await tell(contactChanged, found.id)
      return known(changed)
    },

    async remove(found) {
      await work.deleteFrom('contacts').where('gid', '=', found.id).where('project_id', '=', project_id).execute()
      await tell(contactDeleted, found.id)
    },
  }
}

/**
 * The last changed contact with that key, except `except`. Whom a site has verified nobody is by claiming their
 * address: such a contact is found in its own conversations alone.
 * @param own the contact of the conversation that asks
 */
export async function findContact(
  db: Db | Transaction<Database>,
  projectId: string,
  key: ContactRequest['key'],
  { except, own }: { except: readonly string[]; own: string | null },
): Promise<KnownContact | undefined> {
  const column = key.field === 'email' ? sql<string>`lower(email)` : sql.ref<string>(key.field)
  const row = await db
    .selectFrom('contacts')
    .selectAll()
    .where('project_id', '=', projectId)
    .where((eb) =>
      eb.or([
        eb(column, '=', key.field === 'email' ? key.value.toLowerCase() : key.value),
        sql<boolean>`aliases @> array[${aliasOf(key.field, key.value)}]::text[]`,
      ]),
    )
    .where((eb) => eb.or([eb('verified_id', 'is', null), ...(own === null ? [] : [eb('id', '=', own)])]))
    // their own, before another who says the same
    .$if(own !== null, (contacts) => contacts.orderBy(sql`id = ${own}`, 'desc'))
    .$if(except.length > 0, (contacts) => contacts.where('gid', 'not in', [...except]))
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return row && known(row)
}

const columns = ({ fields }: ContactRequest) =>
  Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, value === '' ? null : value]))

const known = (row: Selectable<ContactsTable>): KnownContact => ({
  id: row.gid,
  fields: Object.fromEntries(contactFields.map((field) => [field, row[field]])),
  custom: row.custom,
})
