import type { Db } from '../platform/database/database'
import { Role } from './roles'

/** The addresses of a project's members who have one of some roles, in the order in which they came to Parley. */
async function addressesOf(db: Db, projectId: string, wanted: readonly Role[]): Promise<string[]> {
  const members = await db
    .selectFrom('project_members')
    .innerJoin('users', 'users.id', 'project_members.user_id')
    .select(['users.email', 'project_members.roles'])
    .where('project_members.project_id', '=', projectId)
    .orderBy('users.id')
    .execute()
  return members.flatMap(({ email, roles }) => (wanted.some((role) => roles.includes(role)) ? [email] : []))
}

/** The addresses of a project's owners: who is told what nobody else was named for. */
export const ownersOf = (db: Db, projectId: string) => addressesOf(db, projectId, [Role.OWNER])

/** The addresses of owners and of who looks after billing: who is told of payments. */
export const payersOf = (db: Db, projectId: string) => addressesOf(db, projectId, [Role.OWNER, Role.BILLING])
