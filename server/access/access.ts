import type { Access, Feature } from '../contracts/route'
import type { ServerContext } from '../platform/context'
import type { Db, ProjectDb } from '../platform/database/database'
import { ApiError } from '../platform/errors'
import { isAllowedFrom } from './allowedAddresses'
import type { Entitled } from './entitlements'
import { changesChatbot, isChatbotOver, isLeftToOver, isMemberOver, isOfAgents } from './overLimit'
import { isAllowed } from './roles'
import { refusalOfSignIn } from './signInRule'

export interface CallerUser {
  id: string
  gid: string
  email: string
  first_name: string
  last_name: string
  /** a second factor was proved; of an API key: its holder has one */
  secured?: boolean
  /** by which project's identity provider the session was opened; null: by none */
  signOn?: string | null
  /** the call came by an API key */
  byKey?: boolean
  /** where the call comes from */
  address?: string
  /** the operator who sees the installation as this person, and may change nothing */
  viewer?: { id: string; email: string; until: Date }
}
/** A logged-in user. */
export interface UserCaller {
  user: CallerUser
}
/** A member of the project that the call names, with a role that has the route's feature. */
export interface ProjectCaller extends UserCaller {
  project: { id: string; gid: string; name: string } & Entitled
  roles: number[]
  /** their seat is over the plan's limit: they can look, and change nothing */
  over: boolean
  /** a handle on only that project's rows */
  db: ProjectDb
}
/** A visitor with the token of a conversation. */
export interface VisitorCaller {
  conversation: { id: string; project_id: string; chatbot_id: string }
  token: string
}
/** The caller that a route's access rule yields: none for `public`, `guest` and signatures. */
export type CallerOf<Who extends Access> = Who extends { feature: Feature }
  ? ProjectCaller
  : Who extends 'user' | 'operator'
    ? UserCaller
    : Who extends 'visitor'
      ? VisitorCaller
      : null

/**
 * The caller as a member of a project. Also used by sockets and downloads.
 * @throws ApiError `not_found` if the user is not a member, as if the project did not exist; `forbidden` if the
 *   member's roles don't have the feature; `project_suspended`; `second_factor_required`; `sign_on_required`;
 *   `address_not_allowed`; `over_limit` if their seat is over the plan's limit and it is not left to them
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
      'projects.suspended_at',
      'projects.second_factor_required',
      'projects.sign_on_domains',
      'projects.allowed_addresses',
      'project_members.roles',
      'project_members.by_sign_on',
      isMemberOver.as('over'),
    ])
    .where('projects.gid', '=', pgid)
    .where('project_members.user_id', '=', user.id)
    .executeTakeFirst()
  if (!row) throw new ApiError('not_found')
  const {
    roles,
    over,
    suspended_at,
    second_factor_required,
    sign_on_domains,
    by_sign_on,
    allowed_addresses,
    ...project
  } = row
  if (suspended_at) throw new ApiError('project_suspended')
  const refusal = refusalOfSignIn({ id: project.id, second_factor_required, sign_on_domains, by_sign_on }, user)
  if (refusal) throw new ApiError(refusal)
  // an operator who looks on is not where the member is
  if (!user.viewer && !isAllowedFrom(user.address, allowed_addresses)) throw new ApiError('address_not_allowed')
  if (!isAllowed(roles, feature)) throw new ApiError('forbidden')
  if (over && !isLeftToOver(feature)) throw new ApiError('over_limit', { message: SEAT_IS_OVER })
  return { user, project, roles, over, db: context.db.forProject(project.id) }
}

const SEAT_IS_OVER =
  'There are more members than the plan has seats, and yours is over: you can read, and change nothing. An owner can upgrade the plan, or choose who stays.'

/**
 * Refuses what changes a chatbot that is over the plan's limit, and changes of flows and actions of one that is no
 * agent.
 * @param cgid one that there is not in the project is left to who looks it up
 * @throws ApiError `over_limit`, `agents_only`
 */
export async function wantWithinLimit({ db, project }: ProjectCaller, feature: Feature, cgid: string): Promise<void> {
  if (!changesChatbot(feature)) return
  const row = await stateOf(db, project.id, cgid)
  if (row?.over) throw new ApiError('over_limit')
  if (row?.version === 1 && isOfAgents(feature)) throw new ApiError('agents_only')
}

const stateOf = (db: Db, projectId: string, cgid: string) =>
  db
    .selectFrom('chatbots')
    .innerJoin('projects', 'projects.id', 'chatbots.project_id')
    .select(['chatbots.version', isChatbotOver.as('over')])
    .where('chatbots.project_id', '=', projectId)
    .where('chatbots.gid', '=', cgid)
    .where('chatbots.deleting_since', 'is', null)
    .executeTakeFirst()

/** @returns whether a chatbot is over its project's limit, and can only be read; false for one that is not there */
export const isOverLimit = async (db: Db, projectId: string, cgid: string): Promise<boolean> =>
  (await stateOf(db, projectId, cgid))?.over ?? false
