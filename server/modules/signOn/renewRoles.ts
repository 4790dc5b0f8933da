import { isAllowed, Role } from '../../access/roles'
import type { ServerContext } from '../../platform/context'
import type { Work } from '../../platform/database/database'
import { appendEvent, type EventContext } from '../../platform/events/defineEvent'
import { memberChanged } from '../accounts/events'
import { revokeBeyond } from '../accounts/members/invite'
import type { LockedProject } from './lockProject'

interface Renewal {
  project: LockedProject
  userId: string
  before: readonly number[]
  /** in order, as rolesOf has them */
  roles: number[]
  origin: EventContext
}

/**
 * Gives a member the roles that a provider or a directory wants. Owners are left to owners: nothing outside makes one
 * or takes the role away, so that the last one stays too.
 * @returns whether that changed anything
 */
export async function renewRoles(
  context: ServerContext,
  work: Work,
  { project, userId, before, roles, origin }: Renewal,
): Promise<boolean> {
  if (before.includes(Role.OWNER) || before.toSorted().join() === roles.join()) return false
  await work
    .updateTable('project_members')
    .set({ roles })
    .where('project_id', '=', project.id)
    .where('user_id', '=', userId)
    .execute()
  await appendEvent(work, memberChanged, origin, { user: userId, roles, before: [...before] })
  await revokeBeyond(
    context,
    { trx: work, project, origin },
    userId,
    (invited) => isAllowed(roles, 'members.invite') && !invited.includes(Role.OWNER),
  )
  return true
}
