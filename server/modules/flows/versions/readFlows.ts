import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import type { StoredVersion } from '../drafts/versionTasks'
import type { FlowRow } from '../flows/chatbotFlows'

export type VersionRow = Awaited<ReturnType<typeof versionOf>>

/** Versions without their flows, newest first, with numbers below `before`. */
export function versionsOf(
  { db }: { db: Db },
  place: { id: string; project_id: string },
  { before, limit }: { before?: number | undefined; limit: number },
) {
  return db
    .selectFrom('flow_versions')
    .leftJoin('users', 'users.id', 'flow_versions.created_by')
    .select(about)
    .where('flow_id', '=', place.id)
    .where('project_id', '=', place.project_id)
    .where('number', 'is not', null)
    .$if(before !== undefined, (versions) => versions.where('number', '<', before ?? 0))
    .orderBy('number', 'desc')
    .limit(limit)
    .execute()
}

const about = [
  'flow_versions.id',
  'flow_versions.number',
  'flow_versions.name',
  'flow_versions.notes',
  'flow_versions.created_at',
  'flow_versions.first_published_at',
  'users.first_name',
  'users.last_name',
] as const

/**
 * A version with its titles.
 * @throws ApiError not_found if the chatbot has no such version
 */
export async function versionOf({ db }: { db: Db }, place: { id: string; project_id: string }, number: number) {
  const row = await db
    .selectFrom('flow_versions')
    .leftJoin('users', 'users.id', 'flow_versions.created_by')
    .select(about)
    .select('flow_versions.titles')
    .where('flow_id', '=', place.id)
    .where('project_id', '=', place.project_id)
    .where('number', '=', number)
    .executeTakeFirst()
  if (!row) throw new ApiError('not_found', { message: `There is no version ${number}.` })
  return row
}

/**
 * A version's flows as texts: large ones are parsed in a worker thread (server/modules/flows/drafts).
 * @throws ApiError not_found
 */
export async function storedVersion(
  { db }: { db: Db },
  { id, projectId }: { id: string; projectId: string },
): Promise<StoredVersion> {
  const row = await db
    .selectFrom('flow_versions')
    .select([sql<string>`flow::text`.as('flow'), sql<string>`flows::text`.as('flows')])
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  if (!row) throw new ApiError('not_found')
  return row
}

/** The titles of a version's flows; titles that were not stored yet are the present ones. */
export const titlesOf = ({ titles }: VersionRow, present: readonly FlowRow[]): Record<string, string> => ({
  ...Object.fromEntries(present.map(({ gid, title }) => [gid, title])),
  ...titles,
})
