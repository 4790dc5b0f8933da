import type { RootDb } from '../../platform/database/database'
import { ApiError } from '../../platform/errors'
import { type Doer, noteAction } from './noteAction'

/**
 * Lets members open a project by a password again, for owners whose identity provider has failed. The provider stays
 * set up, and whoever has no password sets one by a mailed link.
 * @throws ApiError not_found; conflict if the provider is not required
 */
export async function turnOffSignOnRule(db: RootDb, gid: string, why: string, doer: Doer): Promise<void> {
  await db.transaction().execute(async (work) => {
    const project = await work
      .selectFrom('projects')
      .select(['id', 'name'])
      .where('gid', '=', gid)
      .forUpdate()
      .executeTakeFirst()
    if (!project) throw new ApiError('not_found')
    const ended = await work
      .updateTable('sign_on_connections')
      .set({ required: false })
      .where('project_id', '=', project.id)
      .where('required', '=', true)
      .returning('id')
      .executeTakeFirst()
    if (!ended) throw new ApiError('conflict', { message: 'This project needs no identity provider.' })
    await work.updateTable('projects').set({ sign_on_domains: [] }).where('id', '=', project.id).execute()
    await noteAction(work, doer, 'turn_off_sign_on_rule', project.name, why)
  })
}
