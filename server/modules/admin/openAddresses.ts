import type { RootDb } from '../../platform/database/database'
import { ApiError } from '../../platform/errors'
import { type Doer, noteAction } from './noteAction'

/**
 * Opens a project from everywhere again, for owners whose address has changed and who are locked out.
 * @throws ApiError not_found; conflict if it is open from everywhere
 */
export async function openAddresses(db: RootDb, gid: string, why: string, doer: Doer): Promise<void> {
  await db.transaction().execute(async (work) => {
    const project = await work
      .selectFrom('projects')
      .select(['id', 'name', 'allowed_addresses'])
      .where('gid', '=', gid)
      .forUpdate()
      .executeTakeFirst()
    if (!project) throw new ApiError('not_found')
    if (project.allowed_addresses === '')
      throw new ApiError('conflict', { message: 'This project is open from everywhere.' })
    await work.updateTable('projects').set({ allowed_addresses: '' }).where('id', '=', project.id).execute()
    await noteAction(work, doer, 'open_addresses', project.name, why)
  })
}
