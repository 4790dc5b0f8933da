import type { Transaction } from 'kysely'
import type { ProjectCaller } from '../../../access/access'
import { isAllowed } from '../../../access/roles'
import type { Feature } from '../../../contracts/route'
import type { ServerContext } from '../../../platform/context'
import type { Database } from '../../../platform/database/tables'
import { ApiError } from '../../../platform/errors'
import type { EventContext } from '../../../platform/events/defineEvent'
import { type MemberRow, membersOf } from './rows'

export interface MembersChange {
  trx: Transaction<Database>
  project: { id: string; name: string; plan_id: string }
  /** as they are now; nobody else changes them until the work is done */
  members: MemberRow[]
  /** the caller's roles as they are now */
  roles: number[]
  /** what events say of the call */
  origin: EventContext
}

/**
 * Does a work on who belongs to a project, one at a time: two owners that remove each other at once would each find the other one
 * there. So who calls is looked at again, with the project's row locked.
 * @throws ApiError `not_found` or `forbidden` when the caller has been removed or lowered meanwhile, and what `work` throws
 */
export function changeMembers<Result>(
  { db }: ServerContext,
  { caller: { user, project }, origin }: { caller: ProjectCaller; origin: EventContext },
  feature: Feature,
  work: (change: MembersChange) => Promise<Result>,
): Promise<Result> {
  const { id } = project
  return db.transaction().execute(async (trx) => {
    const locked = await trx
      .selectFrom('projects')
      .select(['id', 'name', 'plan_id'])
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!locked) throw new ApiError('not_found')
    const members = await membersOf(trx, id)
    const roles = members.find((member) => member.id === user.id)?.roles
    if (!roles) throw new ApiError('not_found')
    if (!isAllowed(roles, feature)) throw new ApiError('forbidden')
    return work({ trx, project: locked, members, roles, origin })
  })
}
