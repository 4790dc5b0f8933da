import type { Transaction } from 'kysely'
import type { ServerContext } from '../../../platform/context'
import type { Db } from '../../../platform/database/database'
import type { Database } from '../../../platform/database/tables'
import type { FileStore } from '../../../platform/files/files'
import type { FileAddresses } from '../../flows/drafts/draftTasks'

/**
 * The files of a project with ids for their copies in another project: the copies remain when the first project is
 * deleted.
 */
export async function planCopies({ db, ids }: { db: Db } & Pick<ServerContext, 'ids'>, projectId: string) {
  const files = await db.selectFrom('files').selectAll().where('project_id', '=', projectId).execute()
  return files.map(({ id: _, ...file }) => ({ file, gid: ids() }))
}
type Copies = Awaited<ReturnType<typeof planCopies>>

/** Maps addresses of the first project's files to those of the copies, for its flows. */
export const addressesOf = (copies: Copies): FileAddresses =>
  copies.map(({ file, gid }) => [`/files/${file.gid}`, `/files/${gid}`])

/** Copies the files to another project. Files whose bytes are missing are skipped: they can't be read in either. */
export async function copyFiles(
  transaction: Transaction<Database>,
  store: FileStore,
  copies: Copies,
  to: string,
): Promise<void> {
  for (const { file, gid } of copies) {
    if (!(await store.copy(file.project_id, file.sha256, to))) continue
    await transaction
      .insertInto('files')
      .values({ ...file, gid, project_id: to })
      .execute()
  }
}
