import type { ServerContext } from '../../../platform/context'
import type { Db } from '../../../platform/database/database'
import type { FileStore, UsedFiles } from '../../../platform/files/files'

/** The hourly job that deletes unused files. */
export const FORGET_FILES = 'forget-files'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR
/** How long files in the trash can be restored. */
const KEPT_IN_TRASH = 30 * DAY

/**
 * Moves files that no row refers to into the trash for 30 days: those of deleted conversations and projects, and of
 * uploads that a crash interrupted. It covers all projects, since it maintains the whole installation.
 * @throws Error when the store belongs to another database: all of its files would look unused
 */
export async function forgetFiles({ db, clock }: Pick<ServerContext, 'db' | 'clock'>, store: FileStore): Promise<void> {
  const { bus_name: installation } = await db.selectFrom('installation').select('bus_name').executeTakeFirstOrThrow()
  const bound = await store.installation()
  if (bound !== installation) {
    throw new Error(
      `The files are those of installation ${bound}, the database is that of ${installation}: nothing is swept`,
    )
  }
  const now = clock().getTime()
  await store.sweep(new Date(now - HOUR))
  await store.discardUnused({ before: new Date(now - HOUR), now: new Date(now) }, namedIn(db))
  await store.tidyTrash(new Date(now - KEPT_IN_TRASH), namedIn(db))
}

/**
 * Deletes uploads that visitors did not send within an hour, without trash: strangers could fill it. It covers all
 * projects, likewise.
 */
export async function forgetUnsent(
  { db, clock }: Pick<ServerContext, 'db' | 'clock'>,
  store: FileStore,
): Promise<void> {
  const hourAgo = new Date(clock().getTime() - HOUR)
  const gone = await db
    .deleteFrom('sent_files')
    .where('sent_at', 'is', null)
    .where('created_at', '<', hourAgo)
    .returning(['project_id', 'sha256'])
    .execute()
  for (const area of new Set(gone.map(({ project_id }) => project_id))) {
    const names = gone.flatMap(({ project_id, sha256 }) => (project_id === area ? sha256 : []))
    const named = new Set(await namedIn(db)(area, names))
    await store.remove(
      area,
      names.filter((name) => !named.has(name)),
      hourAgo,
    )
  }
}

const namedIn =
  (db: Db): UsedFiles =>
  async (area, names) => {
    const named = (table: 'files' | 'sent_files' | 'knowledge_sources') =>
      db.selectFrom(table).select('sha256').where('project_id', '=', area).where('sha256', 'in', names)
    const rows = await named('files').union(named('sent_files')).union(named('knowledge_sources')).execute()
    return rows.flatMap(({ sha256 }) => sha256 ?? [])
  }
