import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { customFieldCaps } from '../../../../engine/values/contactFields'
import { registerRoute } from '../../../access/register'
import {
  createCustomField,
  deleteCustomField,
  listCustomFields,
  updateCustomField,
} from '../../../contracts/customFields'
import type { ServerContext } from '../../../platform/context'
import { ApiError, fieldError } from '../../../platform/errors'
import { appendEvent } from '../../../platform/events/defineEvent'
import { contactFieldsChanged } from '../events'
import { ownFieldsOf } from './ownFields'

/** Contacts, the newest, whose free fields are named for choosing. */
const LOOKED_AT = 1_000

/** A project's own fields of contacts, as members describe them. */
export function registerContactFields(app: FastifyInstance, context: ServerContext): void {
  const { clock, ids } = context

  registerRoute(app, context, listCustomFields, async ({ caller: { db, project } }) => {
    const fields = await ownFieldsOf(db, project.id)
    const { rows } = await sql<{ name: string }>`
      select distinct jsonb_object_keys(newest.custom) as name from (
        select custom from contacts where project_id = ${project.id} order by id desc limit ${LOOKED_AT}) as newest
      order by 1 limit 200`.execute(db)
    const described = new Set(fields.map(({ name }) => name))
    return { fields, others: rows.flatMap(({ name }) => (described.has(name) ? [] : name)) }
  })

  registerRoute(app, context, createCustomField, ({ caller: { db, project }, body, origin }) =>
    db.transaction().execute(async (work) => {
      const present = await ownFieldsOf(work, project.id)
      if (present.some(({ name }) => name === body.name)) throw fieldError('name', 'This field exists already')
      if (present.length >= customFieldCaps.count)
        throw new ApiError('conflict', { message: `A project has at most ${customFieldCaps.count} own fields.` })
      const field = { ...body, gid: ids(), choices: body.type === 'choice' ? body.choices : [] }
      await work
        .insertInto('contact_fields')
        .values({ ...field, project_id: project.id, created_at: clock() })
        .execute()
      await appendEvent(work, contactFieldsChanged, origin, { field: field.gid })
      return { field }
    }),
  )

  registerRoute(app, context, updateCustomField, ({ caller: { db }, params, body, origin }) =>
    db.transaction().execute(async (work) => {
      const field = await work
        .updateTable('contact_fields')
        .set({ ...body, choices: body.type === 'choice' ? body.choices : [] })
        .where('gid', '=', params.gid)
        .returning(['gid', 'name', 'type', 'choices', 'in_table'])
        .executeTakeFirst()
      if (!field) throw new ApiError('not_found')
      await appendEvent(work, contactFieldsChanged, origin, { field: params.gid })
      return { field }
    }),
  )

  registerRoute(app, context, deleteCustomField, ({ caller: { db }, params, origin }) =>
    db.transaction().execute(async (work) => {
      const { numDeletedRows } = await work
        .deleteFrom('contact_fields')
        .where('gid', '=', params.gid)
        .executeTakeFirst()
      if (numDeletedRows === 0n) throw new ApiError('not_found')
      await appendEvent(work, contactFieldsChanged, origin, { field: params.gid })
      return {}
    }),
  )
}
