import type { Transaction } from 'kysely'
import type { ServerContext } from '../../../platform/context'
import type { Db } from '../../../platform/database/database'
import type { Database } from '../../../platform/database/tables'
import type { FileStore } from '../../../platform/files/files'
import type { FileAddresses } from '../../flows/drafts/draftTasks'

/** The files of a project, each with the id that its copy in another project will have: they outlive the first project there. */
export async function planCopies({ db, ids }: { db: Db } & Pick<ServerContext, 'ids'>, projectId: string) {
  const files = await db.selectFrom('files').selectAll().where('project_id', '=', projectId).execute()
  return files.map(({ id: _, ...file }) => ({ file, gid: ids() }))
}
type Copies = Awaited<ReturnType<typeof planCopies>>

/** What makes flows of the first project name the other one's files. */
export const addressesOf = (copies: Copies): FileAddresses =>
  copies.map(({ file, gid }) => [`/files/${file.gid}`, `/files/${gid}`])

/** Gives another project the files. One whose bytes are gone is left out: it can't be had in either. */
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
