import type { ServerContext } from '../../context'
import type { FileStore, UsedFiles } from '../../storage/files'

/** The job that does this every hour. */
export const FORGET_FILES = 'forget-files'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR
/** How long what was swept can be had back. */
const KEPT_IN_TRASH = 30 * DAY

/**
 * Forgets what visitors uploaded a day ago and never sent, then puts the bytes that no row names into the trash for 30 days: of those, of
 * deleted conversations and projects. Of every project: it is the installation's own care.
 * @throws Error when the files are not this database's: to it, all of them are unused
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
  await db
    .deleteFrom('sent_files')
    .where('sent_at', 'is', null)
    .where('created_at', '<', new Date(now - DAY))
    .execute()
  await store.sweep(new Date(now - HOUR))
  const used: UsedFiles = async (area, names) => {
    const named = (table: 'files' | 'sent_files' | 'knowledge_sources') =>
      db.selectFrom(table).select('sha256').where('project_id', '=', area).where('sha256', 'in', names)
    const rows = await named('files').union(named('sent_files')).union(named('knowledge_sources')).execute()
    return rows.flatMap(({ sha256 }) => sha256 ?? [])
  }
  await store.discardUnused({ before: new Date(now - HOUR), now: new Date(now) }, used)
  await store.tidyTrash(new Date(now - KEPT_IN_TRASH), used)
}
