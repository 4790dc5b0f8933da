import type { Access, Feature } from '../contracts/route'
import type { ServerContext } from '../platform/context'
import type { ProjectDb } from '../platform/database/database'
import { ApiError } from '../platform/errors'
import type { Entitled } from './entitlements'
import { isAllowed } from './roles'

export interface CallerUser {
  id: string
  gid: string
  email: string
  first_name: string
  last_name: string
}
/** A logged-in user. */
export interface UserCaller {
  user: CallerUser
}
/** A member of the project that the call names, with a role that has the route's feature. */
export interface ProjectCaller extends UserCaller {
  project: { id: string; gid: string; name: string } & Entitled
  roles: number[]
  /** a handle on only that project's rows */
  db: ProjectDb
}
/** A visitor with the token of a conversation. */
export interface VisitorCaller {
  conversation: { id: string; project_id: string; chatbot_id: string }
}
/** The caller that a route's access rule yields: none for `public`, `guest` and signatures. */
export type CallerOf<Who extends Access> = Who extends { feature: Feature }
  ? ProjectCaller
  : Who extends 'user'
    ? UserCaller
    : Who extends 'visitor'
      ? VisitorCaller
      : null

/**
 * The caller as a member of a project. Also used by sockets and downloads.
 * @throws ApiError `not_found` if the user is not a member, as if the project did not exist; `forbidden` if the
 *   member's roles don't have the feature
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
    .select([
      'projects.id',
      'projects.gid',
      'projects.name',
      'projects.plan_id',
      'projects.addons',
      'project_members.roles',
    ])
    .where('projects.gid', '=', pgid)
    .where('project_members.user_id', '=', user.id)
    .executeTakeFirst()
  if (!row) throw new ApiError('not_found')
  const { roles, ...project } = row
  if (!isAllowed(roles, feature)) throw new ApiError('forbidden')
  return { user, project, roles, db: context.db.forProject(project.id) }
}
