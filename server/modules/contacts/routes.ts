import type { FastifyInstance } from 'fastify'
import { type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import { contactFields } from '../../../engine/values/contactFields'
import { chatbotOf } from '../../access/chatbots'
import { registerRoute } from '../../access/register'
import { COUNTED } from '../../contracts/contactFilter'
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
import type { ProjectDb } from '../../platform/database/database'
import { ApiError } from '../../platform/errors'
import { appendEvent } from '../../platform/events/defineEvent'
import { contactChanged, contactCreated } from './events'
import { ownFieldsOf, withOwnValues } from './fields/ownFields'
import { readTimeline } from './readTimeline'
import { conditionOf, parseFilter, segmentFilter } from './segments/readFilter'
import type { ContactsTable } from './tables'

/** Tags listed for choosing. */
const MOST_TAGS = 200

/** Brings what is known of a project's conversations up to date. */
export type Freshen = (projectId: string) => Promise<void>

/** @param freshen what comes before a timeline is read: conversations are found by leads, which are counted later */
export function registerContacts(app: FastifyInstance, context: ServerContext, freshen: readonly Freshen[]): void {
  const { clock, ids } = context

  registerRoute(app, context, listContacts, async ({ caller: { db, project }, query }) => {
    const chatbot = query.chatbot === undefined ? null : await chatbotOf(db, project.id, query.chatbot)
    const place = { db, projectId: project.id, now: clock() }
    const filters = [
      ...(query.segment === undefined ? [] : [await segmentFilter(place, query.segment)]),
      ...(query.filter === undefined ? [] : [parseFilter(query.filter)]),
    ]
    const conditions = await Promise.all(filters.map((filter) => conditionOf(place, filter)))
    const all = conditions.reduce(
      (contacts, condition) => contacts.where(condition),
      matching(db, project.id, query, chatbot?.id ?? null),
    )
    const rows = await all
      .selectAll()
      .$if(query.before !== undefined, (contacts) =>
        contacts.where('id', '<', ({ selectFrom }) =>
          selectFrom('contacts as last')
            .select('last.id')
            .where('last.gid', '=', query.before ?? ''),
        ),
      )
      .orderBy('id', 'desc')
      .limit(CONTACTS_PER_PAGE + 1)
      .execute()
    const counted =
      query.before === undefined
        ? await db
            .selectFrom(all.select('contacts.id').limit(COUNTED).as('some'))
            .select(({ fn }) => fn.countAll<string>().as('count'))
            .executeTakeFirst()
        : undefined
    const { rows: tags } = await sql<{ tag: string }>`
      select distinct unnest(tags) as tag from contacts where project_id = ${project.id} and tags <> '{}'
      order by 1 limit ${MOST_TAGS}`.execute(db)
    return {
      contacts: rows.slice(0, CONTACTS_PER_PAGE).map(presentContact),
      more: rows.length > CONTACTS_PER_PAGE,
      total: Number(counted?.count ?? 0),
      tags: tags.map((row) => row.tag),
    }
  })

  registerRoute(app, context, readContact, async ({ caller: { db, project }, params }) => {
    const row = await db.selectFrom('contacts').selectAll().where('gid', '=', params.gid).executeTakeFirst()
    if (!row) throw new ApiError('not_found')
    for (const work of freshen) await work(project.id)
    return { contact: presentContact(row), timeline: await readTimeline(db, row) }
  })

  registerRoute(app, context, createContact, async ({ caller: { db, project }, body, origin }) => {
    const at = clock()
    return db.transaction().execute(async (work) => {
      const custom = withOwnValues({}, body.custom ?? {}, await ownFieldsOf(work, project.id))
      const row = await work
        .insertInto('contacts')
        .values({
          ...columnsOf(body),
          ...{
            gid: ids(),
            project_id: project.id,
            chatbot_id: null,
            custom: JSON.stringify(custom),
          },
          ...{ created_at: at, updated_at: at },
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      await appendEvent(work, contactCreated, origin, { contact: row.gid, test: false })
      return { contact: presentContact(row) }
    })
  })

  registerRoute(app, context, updateContact, async ({ caller: { db, project }, params, body, origin }) =>
    db.transaction().execute(async (work) => {
      const before = await work
        .selectFrom('contacts')
        .select('custom')
        .where('gid', '=', params.gid)
        .forUpdate()
        .executeTakeFirst()
      if (!before) throw new ApiError('not_found')
      const custom = body.custom && withOwnValues(before.custom, body.custom, await ownFieldsOf(work, project.id))
      const row = await work
        .updateTable('contacts')
        .set({
          ...columnsOf(body),
          ...(custom && { custom: JSON.stringify(custom) }),
          updated_at: clock(),
        })
        .where('gid', '=', params.gid)
        .returningAll()
        .executeTakeFirstOrThrow()
      await appendEvent(work, contactChanged, origin, { contact: row.gid, test: row.test })
      return { contact: presentContact(row) }
    }),
  )
}

type Query = z.infer<typeof listContacts.query>

/** The contacts that a list's own filters let through. */
const matching = (db: ProjectDb, projectId: string, query: Query, chatbotId: string | null) => {
  const { test, search, tag, blocked } = query
  return db
    .selectFrom('contacts')
    .where('project_id', '=', projectId)
    .$if(chatbotId !== null, (contacts) => contacts.where('chatbot_id', '=', chatbotId))
    .$if(test !== undefined, (contacts) => contacts.where('test', '=', test === 'only'))
    .$if(blocked !== undefined, (contacts) => contacts.where('blocked', '=', blocked === 'only'))
    .$if(tag !== undefined, (contacts) => contacts.where(sql<boolean>`tags @> array[${tag}]::text[]`))
    .$if(Boolean(search), (contacts) => {
      const like = `%${(search ?? '').replace(/[\\%_]/g, '\\$&')}%`
      return contacts.where(({ eb, or }) =>
        or((['name', 'email', 'phone', 'company', 'user_id'] as const).map((field) => eb(field, 'ilike', like))),
      )
    })
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
  verified_id: row.verified_id,
  aliases: row.aliases,
  test: row.test,
  sample: row.sample,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
