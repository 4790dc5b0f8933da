import type { ServerContext } from '../../context'
import type { Db } from '../../storage/database'
import type { FileStore } from '../../storage/files'

const HOUR = 60 * 60 * 1000

/**
 * Removes the bytes that no row names: of deleted conversations and projects, of uploads that a crash cut off. Of every project: it is the
 * installation's own care.
 */
export async function forgetFiles({ db, clock }: Pick<ServerContext, 'db' | 'clock'>, store: FileStore): Promise<void> {
  const hourAgo = new Date(clock().getTime() - HOUR)
  await store.sweep(hourAgo)
  await store.removeUnused(hourAgo, namedIn(db))
}

/** Forgets what visitors uploaded an hour ago and never sent, with its bytes. Of every project, likewise. */
export async function forgetUnsent(
  { db, clock }: Pick<ServerContext, 'db' | 'clock'>,
  store: FileStore,
): Promise<void> {
  const hourAgo = new Date(clock().getTime() - HOUR)
  const gone = await db
    .deleteFrom('sent_files')
    .where('sent_at', 'is', null)
    .where('created_at', '<', hourAgo)
    .returning('project_id')
    .execute()
  await store.removeUnused(hourAgo, namedIn(db), [...new Set(gone.map(({ project_id }) => project_id))])
}

const namedIn = (db: Db) => async (area: string, names: string[]) => {
  const named = (table: 'files' | 'sent_files' | 'knowledge_sources') =>
    db.selectFrom(table).select('sha256').where('project_id', '=', area).where('sha256', 'in', names)
  const rows = await named('files').union(named('sent_files')).union(named('knowledge_sources')).execute()
  return rows.flatMap(({ sha256 }) => sha256 ?? [])
}
