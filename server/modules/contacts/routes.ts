import type { FastifyInstance } from 'fastify'
import { type Selectable, sql } from 'kysely'
import { contactFields } from '../../../engine/values/contactFields'
import { chatbotOf } from '../../access/chatbots'
import { registerRoute } from '../../access/register'
import {
  CONTACTS_PER_PAGE,
  type ContactChange,
  type ContactEntry,
  createContact,
  listContacts,
  readContact,
  updateContact,
} from '../../contracts/contacts'
import type { ServerContext } from '../../platform/context'
import { ApiError } from '../../platform/errors'
import { appendEvent } from '../../platform/events/defineEvent'
import { filled } from './contactStore'
import { contactChanged, contactCreated } from './events'
import { readTimeline } from './readTimeline'
import type { ContactsTable } from './tables'

/** Tags listed for choosing. */
const MOST_TAGS = 200

export function registerContacts(app: FastifyInstance, context: ServerContext): void {
  const { clock, ids } = context

  registerRoute(app, context, listContacts, async ({ caller: { db, project }, query }) => {
    const { before, test, search, tag, blocked } = query
    const chatbot = query.chatbot === undefined ? null : await chatbotOf(db, project.id, query.chatbot)
    const rows = await db
      .selectFrom('contacts')
      .selectAll()
      .where('project_id', '=', project.id)
      .$if(chatbot !== null, (contacts) => contacts.where('chatbot_id', '=', chatbot?.id ?? ''))
      .$if(before !== undefined, (contacts) =>
        contacts.where('id', '<', ({ selectFrom }) =>
          selectFrom('contacts')
            .select('id')
            .where('gid', '=', before ?? ''),
        ),
      )
      .$if(test !== undefined, (contacts) => contacts.where('test', '=', test === 'only'))
      .$if(blocked !== undefined, (contacts) => contacts.where('blocked', '=', blocked === 'only'))
      .$if(tag !== undefined, (contacts) => contacts.where(sql<boolean>`tags @> array[${tag}]::text[]`))
      .$if(Boolean(search), (contacts) => {
        const like = `%${(search ?? '').replace(/[\\%_]/g, '\\$&')}%`
        return contacts.where(({ eb, or }) =>
          or((['name', 'email', 'phone', 'company', 'user_id'] as const).map((field) => eb(field, 'ilike', like))),
        )
      })
      .orderBy('id', 'desc')
      .limit(CONTACTS_PER_PAGE + 1)
      .execute()
    const { rows: tags } = await sql<{ tag: string }>`
      select distinct unnest(tags) as tag from contacts where project_id = ${project.id} and tags <> '{}'
      order by 1 limit ${MOST_TAGS}`.execute(db)
    return {
      contacts: rows.slice(0, CONTACTS_PER_PAGE).map(presentContact),
      more: rows.length > CONTACTS_PER_PAGE,
      tags: tags.map((row) => row.tag),
    }
  })

  registerRoute(app, context, readContact, async ({ caller: { db }, params }) => {
    const row = await db.selectFrom('contacts').selectAll().where('gid', '=', params.gid).executeTakeFirst()
    if (!row) throw new ApiError('not_found')
    return { contact: presentContact(row), timeline: await readTimeline(db, row) }
  })

  registerRoute(app, context, createContact, async ({ caller: { db, project }, body, origin }) => {
    const at = clock()
    return db.transaction().execute(async (work) => {
      const row = await work
        .insertInto('contacts')
        .values({
          ...columnsOf(body),
          ...{
            gid: ids(),
            project_id: project.id,
            chatbot_id: null,
            custom: JSON.stringify(filled(body.custom ?? {})),
          },
          ...{ created_at: at, updated_at: at },
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      await appendEvent(work, contactCreated, origin, { contact: row.gid, test: false })
      return { contact: presentContact(row) }
    })
  })

  registerRoute(app, context, updateContact, async ({ caller: { db }, params, body, origin }) =>
    db.transaction().execute(async (work) => {
      const row = await work
        .updateTable('contacts')
        .set({
          ...columnsOf(body),
          ...(body.custom !== undefined && { custom: JSON.stringify(filled(body.custom)) }),
          updated_at: clock(),
        })
        .where('gid', '=', params.gid)
        .returningAll()
        .executeTakeFirst()
      if (!row) throw new ApiError('not_found')
      await appendEvent(work, contactChanged, origin, { contact: row.gid, test: row.test })
      return { contact: presentContact(row) }
    }),
  )
}

const columnsOf = ({ fields = {}, tags, blocked }: ContactChange) => ({
  ...Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, value === '' ? null : value])),
  ...(tags !== undefined && { tags: [...new Set(tags)] }),
  ...(blocked !== undefined && { blocked }),
})

/** A contact as members see it. */
export const presentContact = (row: Selectable<ContactsTable>): ContactEntry => ({
  gid: row.gid,
  fields: Object.fromEntries(contactFields.map((field) => [field, row[field]])) as ContactEntry['fields'],
  custom: row.custom,
  tags: row.tags,
  blocked: row.blocked,
  test: row.test,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
