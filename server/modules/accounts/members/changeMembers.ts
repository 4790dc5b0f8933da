import type { Transaction } from 'kysely'
import type { ProjectCaller } from '../../../access/access'
import type { Entitled } from '../../../access/entitlements'
import { isAllowed } from '../../../access/roles'
import type { Feature } from '../../../contracts/route'
import type { ServerContext } from '../../../platform/context'
import type { Database } from '../../../platform/database/tables'
import { ApiError } from '../../../platform/errors'
import type { EventContext } from '../../../platform/events/defineEvent'
import { type MemberRow, membersOf } from './rows'

export interface MembersChange {
  trx: Transaction<Database>
  project: { id: string; name: string } & Entitled
  /** present members, locked against other changes during the work */
  members: MemberRow[]
  /** the caller's present roles */
  roles: number[]
  /** the origin for events */
  origin: EventContext
}

/**
 * Runs a change of a project's members, one at a time: otherwise two owners who remove each other at once would each
 * still see the other. So the caller's roles are read again with the project's row locked.
 * @throws ApiError `not_found` or `forbidden` if the caller was removed or demoted meanwhile, and what `work` throws
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
      .select(['id', 'name', 'plan_id', 'addons'])
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
