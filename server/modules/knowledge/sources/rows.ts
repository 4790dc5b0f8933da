import { type Kysely, type Selectable, sql } from 'kysely'
import type { SourceKind, SourceStatus } from '../../../contracts/sources'
import type { Db } from '../../../platform/database/database'
import type { Database } from '../../../platform/database/tables'
import { ApiError } from '../../../platform/errors'
import type { KnowledgePlace } from '../knowledge'
import type { KnowledgeSourcesTable } from '../tables'

/** Without the content, which may be millions of characters. */
const columns = [
  'id',
  'gid',
  'kind',
  'title',
  'url',
  'file_name',
  'bytes',
  'pages',
  'characters',
  'chunk_count',
  'language',
  'status',
  'reason',
  'resync',
  'created_at',
  'trained_at',
  'planted',
  'planted_allowed',
] as const
export type ListedSource = Pick<Selectable<KnowledgeSourcesTable>, (typeof columns)[number]>

export interface SourceFilter {
  kind?: SourceKind
  status?: SourceStatus
  search?: string
  offset: number
  limit: number
}

const sourcesOf = (db: Kysely<Database>, { projectId, chatbotId }: KnowledgePlace) =>
  db.selectFrom('knowledge_sources').where('project_id', '=', projectId).where('chatbot_id', '=', chatbotId)

/** A page of the filtered sources, newest first, and their number. */
export async function listedSources(
  db: Db,
  place: KnowledgePlace,
  { kind, status, search, offset, limit }: SourceFilter,
) {
  const wanted = `%${(search ?? '').trim().replace(/[\\%_]/g, '\\$&')}%`
  const matching = sourcesOf(db, place)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind as SourceKind))
    .$if(status !== undefined, (query) => query.where('status', '=', status as SourceStatus))
    .$if(wanted !== '%%', (query) =>
      query.where(({ or, eb }) => or([eb('title', 'ilike', wanted), eb('url', 'ilike', wanted)])),
    )
  const rows = await matching.select(columns).orderBy('id', 'desc').offset(offset).limit(limit).execute()
  const { total } = await matching.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  return { rows, total: Number(total) }
}

/** A chatbot's sources by id, in the order of the ids; missing ones are skipped. */
export async function sourcesById(
  db: Kysely<Database>,
  place: KnowledgePlace,
  ids: readonly string[],
): Promise<ListedSource[]> {
  const rows = await sourcesOf(db, place)
    .select(columns)
    .where(sql<boolean>`id = any(${[...ids]}::bigint[])`)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** A chatbot's sources by gid. @throws ApiError `not_found` unless all exist */
export async function sourcesByGid(db: Kysely<Database>, place: KnowledgePlace, gids: readonly string[]) {
  const wanted = [...new Set(gids)]
  const rows = await sourcesOf(db, place)
    .select([...columns, 'content_hash'])
    .where('gid', 'in', wanted)
    .execute()
  if (rows.length < wanted.length) throw new ApiError('not_found')
  return rows
}

/** Those that still exist, for repeatable requests such as deleting. */
export const presentByGid = (db: Kysely<Database>, place: KnowledgePlace, gids: readonly string[]) =>
  sourcesOf(db, place)
    .select(['id'])
    .where('gid', 'in', [...gids])
    .execute()

/** @throws ApiError `not_found` */
export async function sourceOf(db: Kysely<Database>, place: KnowledgePlace, gid: string) {
  const row = await sourcesOf(db, place)
    .select([...columns, 'data'])
    .where('gid', '=', gid)
    .executeTakeFirst()
  if (!row) throw new ApiError('not_found')
  return row
}
