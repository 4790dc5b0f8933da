import type { Access, Feature } from '../contracts/route'
import type { ServerContext } from '../platform/context'
import type { ProjectDb } from '../platform/database/database'
import { ApiError } from '../platform/errors'
import { isAllowed } from './roles'

export interface CallerUser {
  id: string
  gid: string
  email: string
  first_name: string
  last_name: string
}
/** Somebody who is logged in. */
export interface UserCaller {
  user: CallerUser
}
/** A member of the project that the call names, with a role that the route's feature wants. */
export interface ProjectCaller extends UserCaller {
  project: { id: string; gid: string; name: string; plan_id: string }
  roles: number[]
  /** the rows of that project, and no others */
  db: ProjectDb
}
/** A visitor who holds the token of a conversation. */
export interface VisitorCaller {
  conversation: { id: string; project_id: string }
}
/** Who calls, as far as the route's access says it: nobody known for `public`, `guest` and signatures. */
export type CallerOf<Who extends Access> = Who extends { feature: Feature }
  ? ProjectCaller
  : Who extends 'user'
    ? UserCaller
    : Who extends 'visitor'
      ? VisitorCaller
      : null

/**
 * The caller as a member of a project. Sockets and downloads ask this too.
 * @throws ApiError `not_found` for a project that the user is no member of, as if there were none; `forbidden` for a member
 * whose roles don't have the feature
 */
export async function memberOf(
  context: ServerContext,
  user: CallerUser,
  pgid: string,
  feature: Feature,
): Promise<ProjectCaller> {
  const row = await context.db
    .selectFrom('project_members')
    .innerJoin('projects', 'projects.id', 'project_members.project_id')
    .select(['projects.id', 'projects.gid', 'projects.name', 'projects.plan_id', 'project_members.roles'])
    .where('projects.gid', '=', pgid)
    .where('project_members.user_id', '=', user.id)
    .executeTakeFirst()
  if (!row) throw new ApiError('not_found')
  const { roles, ...project } = row
  if (!isAllowed(roles, feature)) throw new ApiError('forbidden')
  return { user, project, roles, db: context.db.forProject(project.id) }
}
