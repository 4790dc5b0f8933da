import { type RawBuilder, sql, type Transaction } from 'kysely'
import { Role } from '../../../access/roles'
import type { AccountDeletion } from '../../../contracts/profile'
import type { ServerContext } from '../../../platform/context'
import type { Db } from '../../../platform/database/database'
import type { Database } from '../../../platform/database/tables'
import { ApiError } from '../../../platform/errors'
import { appendEvent, type EventContext } from '../../../platform/events/defineEvent'
import { beginProjectDeletion } from '../../chatbots/deletion'
import { memberRemoved, projectDeleted } from '../events'

interface Membership {
  id: string
  gid: string
  name: string
  fate: keyof AccountDeletion
}

/** What happens to each project of a deleted account. */
async function fatesOf(db: Db, userId: string): Promise<Membership[]> {
  const rows = await db
    .selectFrom('project_members as own')
    .innerJoin('projects', 'projects.id', 'own.project_id')
    .select(['projects.id', 'projects.gid', 'projects.name', 'own.roles'])
    .select([others(sql`true`).as('shared'), others(sql`${Role.OWNER} = any(other.roles)`).as('owned')])
    .where('own.user_id', '=', userId)
    .orderBy('projects.id')
    .execute()
  return rows.map(({ id, gid, name, roles, shared, owned }) => {
    const keepsOwner = owned || !roles.includes(Role.OWNER)
    return { id, gid, name, fate: !shared ? 'deleted' : keepsOwner ? 'left' : 'blocked' }
  })
}

/** Condition: the project has another member for whom `isSo` holds. */
const others = (isSo: RawBuilder<unknown>) => sql<boolean>`exists (select from project_members as other
  where other.project_id = own.project_id and other.user_id != own.user_id and ${isSo})`

/** The same as a preview for the person. */
export async function previewOf(db: Db, userId: string): Promise<AccountDeletion> {
  const all = await fatesOf(db, userId)
  const named = (fate: keyof AccountDeletion) =>
    all.filter((each) => each.fate === fate).map(({ gid, name }) => ({ gid, name }))
  return { deleted: named('deleted'), left: named('left'), blocked: named('blocked') }
}

/**
 * Deletes an account with its sessions and keys, and the projects without other members.
 * @throws ApiError `conflict` for the only account, and if a project would lose its last owner
 */
export async function deleteUser(
  context: ServerContext,
  trx: Transaction<Database>,
  userId: string,
  correlation: string,
): Promise<void> {
  // two owners who leave at once would each rely on the other
  await trx
    .selectFrom('projects')
    .innerJoin('project_members', 'project_members.project_id', 'projects.id')
    .select('projects.id')
    .where('project_members.user_id', '=', userId)
    .orderBy('projects.id')
    .forUpdate('projects')
    .execute()
  const other = await trx.selectFrom('users').select('id').where('id', '!=', userId).limit(1).executeTakeFirst()
  if (!other) {
    throw new ApiError('conflict', { message: 'This is the only account here, and one has to stay.' })
  }
  const fates = await fatesOf(trx, userId)
  if (fates.some(({ fate }) => fate === 'blocked')) {
    throw new ApiError('conflict', { message: 'A project needs an owner: make somebody else an owner first.' })
  }
  for (const { id, name, fate } of fates) {
    // the account's id in the event is cleared with its row
    const origin: EventContext = { projectId: id, by: { actor: 'user', userId }, correlation, at: context.clock() }
    if (fate === 'left') await appendEvent(trx, memberRemoved, origin, { user: userId })
    if (fate !== 'deleted') continue
    await appendEvent(trx, projectDeleted, origin, { name })
    await beginProjectDeletion(context, trx, id, origin)
  }
  await trx.deleteFrom('users').where('id', '=', userId).execute()
}
