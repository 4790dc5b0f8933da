import type { ServerContext } from '../../context'
import type { FileStore } from '../../storage/files'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

/**
 * Forgets what visitors uploaded a day ago and never sent, then removes the bytes that no row names: of those, of deleted
 * conversations and projects, of uploads that a crash cut off. Of every project: it is the installation's own care.
 */
export async function forgetFiles({ db, clock }: Pick<ServerContext, 'db' | 'clock'>, store: FileStore): Promise<void> {
  const now = clock().getTime()
  await db
    .deleteFrom('sent_files')
    .where('sent_at', 'is', null)
    .where('created_at', '<', new Date(now - DAY))
    .execute()
  await store.sweep(new Date(now - HOUR))
  await store.removeUnused(new Date(now - HOUR), async (area, names) => {
    const named = (table: 'files' | 'sent_files' | 'knowledge_sources') =>
      db.selectFrom(table).select('sha256').where('project_id', '=', area).where('sha256', 'in', names)
    const rows = await named('files').union(named('sent_files')).union(named('knowledge_sources')).execute()
    return rows.flatMap(({ sha256 }) => sha256 ?? [])
  })
}
