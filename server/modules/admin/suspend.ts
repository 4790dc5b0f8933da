import type { RootDb } from '../../platform/database/database'
import { ApiError } from '../../platform/errors'
import { type Doer, noteAction } from './noteAction'

/**
 * Suspends a project: its members and API keys are refused, and visitors find none of its chatbots. Nothing is deleted,
 * and what is due goes on.
 * @param why null: it is resumed
 * @throws ApiError not_found
 */
export async function setProjectSuspended(db: RootDb, gid: string, why: string | null, doer: Doer): Promise<void> {
  await db.transaction().execute(async (work) => {
    const suspended_at = why === null ? null : doer.at
    const project = await work
      .updateTable('projects')
      .set({ suspended_at, suspended_why: why })
      .where('gid', '=', gid)
      .returning(['id', 'name'])
      .executeTakeFirst()
    if (!project) throw new ApiError('not_found')
    await work.updateTable('chatbots').set({ suspended_at }).where('project_id', '=', project.id).execute()
    const action = why === null ? 'resume_project' : 'suspend_project'
    await noteAction(work, doer, action, `${project.name} (${gid})`, why ?? '')
  })
}

/**
 * Suspends an account: its sessions end, log-in and its API keys are refused. Its projects go on.
 * @param why null: it may log in again
 * @returns its id, for whoever has connections of it
 * @throws ApiError not_found; conflict for the account that runs the installation
 */
export async function setPersonSuspended(db: RootDb, gid: string, why: string | null, doer: Doer): Promise<string> {
  return db.transaction().execute(async (work) => {
    const { owner_id } = await work.selectFrom('installation').select('owner_id').executeTakeFirstOrThrow()
    const person = await work
      .updateTable('users')
      .set({ suspended_at: why === null ? null : doer.at, suspended_why: why })
      .where('gid', '=', gid)
      .returning(['id', 'email'])
      .executeTakeFirst()
    if (!person) throw new ApiError('not_found')
    if (why !== null && person.id === owner_id)
      throw new ApiError('conflict', { message: 'The account that runs this installation can’t be suspended.' })
    if (why !== null) await work.deleteFrom('sessions').where('user_id', '=', person.id).execute()
    await noteAction(work, doer, why === null ? 'resume_person' : 'suspend_person', person.email, why ?? '')
    return person.id
  })
}
