import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { contactKeys } from '../../../../engine/values/contactFields'
import { registerRoute } from '../../../access/register'
import {
  type Doubles,
  listDoubles,
  listMerges,
  MOST_ALIKE,
  MOST_DOUBLES,
  mergeContacts,
  previewMerge,
  undoMerge,
} from '../../../contracts/contactMerges'
import type { ServerContext } from '../../../platform/context'
import type { ProjectDb } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import { appendEvent } from '../../../platform/events/defineEvent'
import { contactMerged, contactUnmerged } from '../events'
import { isConversationOf, isLeadOf } from '../readTimeline'
import { presentContact } from '../routes'
import { merge, unmerge } from './merge'
import type { ContactRow } from './mergedContact'

const LISTED = 50

/** Doubles of a project's contacts: found, previewed, merged, and merges undone. */
export function registerMerges(app: FastifyInstance, context: ServerContext): void {
  const { clock } = context

  registerRoute(app, context, listDoubles, async ({ caller: { db, project } }) => {
    const doubles: Doubles[] = []
    for (const by of contactKeys) doubles.push(...(await doublesBy(db, project.id, by)))
    return { doubles: doubles.slice(0, MOST_DOUBLES) }
  })

  registerRoute(app, context, previewMerge, async ({ caller: { db }, query }) => {
    const rows = await db.selectFrom('contacts').selectAll().where('gid', 'in', [query.into, query.from]).execute()
    const [into, from] = [query.into, query.from].map((gid) => rows.find((row) => row.gid === gid))
    if (!into || !from) throw new ApiError('not_found')
    return { into: presentContact(into), from: presentContact(from), ...(await countOf(db, from)) }
  })

  registerRoute(app, context, mergeContacts, ({ caller: { db, project, user }, body, origin }) =>
    db.transaction().execute(async (work) => {
      const { gid, contact } = await merge(work, context, { ...body, projectId: project.id, userId: user.id })
      await appendEvent(work, contactMerged, origin, { contact: body.into, merged: body.from })
      return { contact: presentContact(contact), merge: gid }
    }),
  )

  registerRoute(app, context, listMerges, async ({ caller: { db } }) => {
    const rows = await db
      .selectFrom('contact_merges')
      .innerJoin('contacts', (join) =>
        join
          .onRef('contacts.id', '=', 'contact_merges.contact_id')
          .onRef('contacts.project_id', '=', 'contact_merges.project_id'),
      )
      .leftJoin('users', 'users.id', 'contact_merges.merged_by')
      .select(['contact_merges.gid', 'record', 'merged_at', 'expires_at', 'contacts.gid as contact', 'contacts.name'])
      .select(['contacts.email', 'contacts.phone', 'users.first_name', 'users.last_name'])
      .where('undone_at', 'is', null)
      .where('expires_at', '>', clock())
      .orderBy('contact_merges.id', 'desc')
      .limit(LISTED)
      .execute()
    return {
      merges: rows.map(({ gid, record: { from }, merged_at, expires_at, contact, first_name, last_name, ...who }) => ({
        ...{ gid, contact: { gid: contact, name: nameOf(who) }, merged: nameOf(from) },
        ...{ merged_at: merged_at.toISOString(), expires_at: expires_at.toISOString() },
        by: first_name === null ? null : `${first_name} ${last_name ?? ''}`.trim(),
      })),
    }
  })

  registerRoute(app, context, undoMerge, ({ caller: { db, project }, params, origin }) =>
    db.transaction().execute(async (work) => {
      const { contact, merged } = await unmerge(work, context, { projectId: project.id, gid: params.gid })
      await appendEvent(work, contactUnmerged, origin, { contact: contact.gid, merged })
      return { contact: presentContact(contact) }
    }),
  )
}

const nameOf = ({ name, email, phone }: Record<string, unknown>): string => String(name || email || phone || '')

/** The groups of contacts with one address, each with its contacts, the oldest first. */
async function doublesBy(db: ProjectDb, projectId: string, by: (typeof contactKeys)[number]): Promise<Doubles[]> {
  const column = by === 'email' ? sql`lower(contacts.email)` : sql.ref(`contacts.${by}`)
  const { rows } = await sql<{ value: string; ids: string[] }>`
    select ${column} as value, (array_agg(contacts.id::text order by contacts.id))[1:${MOST_ALIKE}] as ids
    from contacts where project_id = ${projectId} and ${sql.ref(`contacts.${by}`)} <> ''
    group by 1 having count(*) > 1 order by max(contacts.id) desc limit ${MOST_DOUBLES}`.execute(db)
  const ids = rows.flatMap((row) => row.ids)
  if (ids.length === 0) return []
  const found = await db.selectFrom('contacts').selectAll().where('id', 'in', ids).orderBy('id').execute()
  return rows.map((row) => ({
    ...{ by, value: row.value },
    contacts: found.filter(({ id }) => row.ids.includes(id)).map(presentContact),
  }))
}

async function countOf(db: ProjectDb, from: ContactRow): Promise<{ conversations: number; leads: number }> {
  const { rows } = await sql<{ conversations: number; leads: number }>`select
    (select count(*)::int from conversations where project_id = ${from.project_id} and ${isConversationOf(from)}) as conversations,
    (select count(*)::int from leads where project_id = ${from.project_id} and not deleted and ${isLeadOf(from)}) as leads`.execute(
    db,
  )
  return rows[0] ?? { conversations: 0, leads: 0 }
}

/** Deletes what merges could be undone by, once they can't be any more. */
export async function forgetMerges({ db, clock }: Pick<ServerContext, 'db' | 'clock'>): Promise<void> {
  await db.deleteFrom('contact_merges').where('expires_at', '<=', clock()).execute()
}
