import { type Selectable, sql, type Transaction } from 'kysely'
import { contactFields } from '../../engine/values/contactFields'
import { firstProblem } from '../../engine/values/issues'
import type { Json } from '../../engine/values/json'
import type { ServerContext } from '../context'
import { conversationOfCall } from '../host/callKey'
import type { Service } from '../host/turns'
import type { ContactsTable, Database } from '../storage/tables'
import { type ContactRequest, contactRequestSchema } from './request'

type Contact = Selectable<ContactsTable>
type Place = { project_id: string; chatbot_id: string }

/**
 * The service `contacts`: makes, finds, changes and deletes the people that a project knows. Answers `{ ok: true, contact }`, or
 * `{ ok: false, error }` where the error is `not-found`, `duplicate` (with the contact that is there), or a sentence. The same key is
 * carried out once: its answer is kept with the change, in one transaction.
 */
export function createContactService({ db, clock, ids }: ServerContext): Service {
  return async (input, { key }) => {
    const parsed = contactRequestSchema.safeParse(input)
    if (!parsed.success) return failed(firstProblem(parsed.error.issues))
    const request = parsed.data
    const place = await conversationOfCall(db, key)
    if (!place) return failed('The conversation is gone.')
    return db.transaction().execute(async (work) => {
      // two calls about one person wait for each other; so do two of the same key, which are about the same person
      const lock = `${place.project_id} ${request.key.field} ${request.key.value.toLowerCase()}`
      await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(work)
      const known = await work
        .selectFrom('contact_calls')
        .select('result')
        .where('project_id', '=', place.project_id)
        .where('key', '=', key)
        .executeTakeFirst()
      if (known) return known.result
      const result = await carryOut(work, place, request)
      await work
        .insertInto('contact_calls')
        .values({ project_id: place.project_id, key, result: JSON.stringify(result), created_at: clock() })
        .execute()
      return result
    })
  }

  async function carryOut(work: Transaction<Database>, place: Place, request: ContactRequest): Promise<Json> {
    const found = await find(work, place, request)
    if (request.action === 'create') {
      if (!found || request.onDuplicate === 'new') return answer(await insert(work, place, request))
      if (request.onDuplicate === 'skip') return { ok: false, error: 'duplicate', contact: present(found) }
      return answer(await change(work, found, request))
    }
    if (!found) return failed('not-found')
    if (request.action === 'get') return answer(found)
    if (request.action === 'update') return answer(await change(work, found, request))
    await work.deleteFrom('contacts').where('id', '=', found.id).where('project_id', '=', place.project_id).execute()
    return answer(found)
  }

  /** The contact of that key, the one changed last when there are several. */
  function find(work: Transaction<Database>, place: Place, { key }: ContactRequest): Promise<Contact | undefined> {
    const column = key.field === 'email' ? sql<string>`lower(email)` : sql.ref<string>(key.field)
    return work
      .selectFrom('contacts')
      .selectAll()
      .where('project_id', '=', place.project_id)
      .where(column, '=', key.field === 'email' ? key.value.toLowerCase() : key.value)
      .orderBy('updated_at', 'desc')
      .orderBy('id', 'desc')
      .executeTakeFirst()
  }

  function insert(work: Transaction<Database>, place: Place, request: ContactRequest): Promise<Contact> {
    const at = clock()
    return work
      .insertInto('contacts')
      .values({
        ...columns(request),
        [request.key.field]: request.key.value,
        gid: ids(),
        project_id: place.project_id,
        chatbot_id: place.chatbot_id,
        custom: JSON.stringify(filled(request.custom)),
        created_at: at,
        updated_at: at,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  }

  function change(work: Transaction<Database>, found: Contact, request: ContactRequest): Promise<Contact> {
    return work
      .updateTable('contacts')
      .set({
        ...columns(request),
        custom: JSON.stringify(filled({ ...found.custom, ...request.custom })),
        updated_at: clock(),
      })
      .where('id', '=', found.id)
      .where('project_id', '=', found.project_id)
      .returningAll()
      .executeTakeFirstOrThrow()
  }
}

const columns = ({ fields }: ContactRequest) =>
  Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, value === '' ? null : value]))

const filled = (custom: Record<string, string>) =>
  Object.fromEntries(Object.entries(custom).filter(([, value]) => value))

const failed = (error: string): Json => ({ ok: false, error })
const answer = (contact: Contact): Json => ({ ok: true, contact: present(contact) })

/** As blocks read it: its own id, every field (null where nothing is known), the project's own fields. */
const present = (contact: Contact): Json => ({
  id: contact.gid,
  fields: Object.fromEntries(contactFields.map((field) => [field, contact[field]])),
  custom: contact.custom,
})
