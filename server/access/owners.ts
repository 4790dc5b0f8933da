import type { Db } from '../platform/database/database'
import { Role } from './roles'

/** The addresses of a project's owners: who is told what nobody else was named for. */
export async function ownersOf(db: Db, projectId: string): Promise<string[]> {
  const owners = await db
    .selectFrom('project_members')
    .innerJoin('users', 'users.id', 'project_members.user_id')
    .select(['users.email', 'project_members.roles'])
    .where('project_members.project_id', '=', projectId)
    .orderBy('users.id')
    .execute()
  return owners.flatMap(({ email, roles }) => (roles.includes(Role.OWNER) ? [email] : []))
}
