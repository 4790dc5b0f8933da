import { sql } from 'kysely'
import {
  COUNTED,
  type ContactConditions,
  conditionProblem,
  contactFilterSchema,
} from '../../../contracts/contactFilter'
import type { ProjectDb, ProjectWork } from '../../../platform/database/database'
import { ApiError, fieldError } from '../../../platform/errors'
import { ownFieldsOf } from '../fields/ownFields'
import { matchesFilter } from './matchesFilter'

interface Place {
  db: ProjectDb | ProjectWork
  projectId: string
  now: Date
}

/** A filter as an address carries it. @throws ApiError invalid */
export function parseFilter(text: string): ContactConditions {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw fieldError('filter', 'This filter can’t be read')
  }
  const read = contactFilterSchema.safeParse(json)
  if (!read.success) throw fieldError('filter', 'This filter can’t be read')
  return read.data
}

/** The condition that a contact is let through. @throws ApiError invalid, with the first condition that is wrong */
export async function conditionOf({ db, projectId, now }: Place, filter: ContactConditions) {
  const own = await ownFieldsOf(db, projectId)
  for (const [at, condition] of filter.conditions.entries()) {
    const problem = conditionProblem(condition, own)
    if (problem !== null) throw fieldError(`filter.conditions.${at}`, problem)
  }
  return matchesFilter(filter, { own, now })
}

/** A saved filter. @throws ApiError not_found */
export async function segmentFilter({ db, projectId }: Omit<Place, 'now'>, gid: string): Promise<ContactConditions> {
  const row = await db
    .selectFrom('contact_segments')
    .select('filter')
    .where('project_id', '=', projectId)
    .where('gid', '=', gid)
    .executeTakeFirst()
  if (!row) throw new ApiError('not_found')
  return row.filter
}

/** How many contacts a saved filter lets through now, counted up to `COUNTED`. */
export async function countMatching({ db, projectId, now }: Place, filter: ContactConditions): Promise<number> {
  const own = await ownFieldsOf(db, projectId)
  const { rows } = await sql<{ count: string }>`
    select count(*) as count from (select from contacts
      where contacts.project_id = ${projectId} and ${matchesFilter(filter, { own, now })} limit ${COUNTED}) as matching`.execute(
    db,
  )
  return Number(rows[0]?.count ?? 0)
}
