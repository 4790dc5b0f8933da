import { type RawBuilder, sql } from 'kysely'
import { type StoredKind, storedKinds } from '../../contracts/housekeeping'
import type { ProjectDb } from '../../platform/database/database'
import { ApiError } from '../../platform/errors'

/** The longest that counting may take, in ms: a project of many millions of rows is not counted. */
const PATIENCE = 15_000
const CANCELED = '57014'

/** Where each kind lies: tables, and which rows of them. */
const places: Record<Exclude<StoredKind, 'files'>, readonly [table: string, which?: RawBuilder<unknown>][]> = {
  conversations: [['conversations', sql`environment in ('production', 'sharing')`], ['messages']],
  tests: [['conversations', sql`environment in ('playground', 'editor')`]],
  steps: [['turn_records'], ['turn_paths'], ['effects']],
  knowledge: [['knowledge_sources'], ['knowledge_chunks']],
  flows: [['flow_updates'], ['flow_snapshots'], ['flow_versions']],
  mails: [['mails'], ['inbound_mails']],
  events: [['events']],
}

/**
 * What a project keeps. Rows are counted; their bytes are told by the average row of their table, indexes included.
 * @throws ApiError unavailable if counting takes too long
 */
export async function readSizes(
  db: ProjectDb,
  projectId: string,
): Promise<{ kind: StoredKind; rows: number; bytes: number }[]> {
  return db.transaction().execute(async (work) => {
    await sql.raw(`set local statement_timeout = ${PATIENCE}`).execute(work)
    const kept = []
    try {
      for (const kind of storedKinds) {
        const parts =
          kind === 'files'
            ? [
                sql`select count(*) as rows, coalesce(sum(bytes), 0) as bytes from uploads where project_id = ${projectId}`,
              ]
            : places[kind].map(
                ([table, which = sql`true`]) => sql`
                  select rows, bytes_of_rows(${table}, rows) as bytes from (
                    select count(*) as rows from ${sql.table(table)} where project_id = ${projectId} and ${which}) as counted`,
              )
        const { rows } = await sql<{ rows: string; bytes: string }>`
          select sum(rows)::bigint as rows, round(sum(bytes))::bigint as bytes
          from (${sql.join(parts, sql` union all `)}) as parts`.execute(work)
        kept.push({ kind, rows: Number(rows[0]?.rows ?? 0), bytes: Number(rows[0]?.bytes ?? 0) })
      }
    } catch (cause) {
      if ((cause as { code?: string }).code !== CANCELED) throw cause
      throw new ApiError('unavailable', { message: 'This project is too large to be counted while you wait.', cause })
    }
    return kept
  })
}
