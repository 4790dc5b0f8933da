import { sql } from 'kysely'
import type { ServerContext } from '../../../platform/context'
import type { Db, Work } from '../../../platform/database/database'
import { appendEvent, type EventContext } from '../../../platform/events/defineEvent'
import { personRolesChanged } from '../events'
import { type LockedProject, lockProject } from '../lockProject'
import { renewRoles } from '../renewRoles'
import { type GroupMapping, rolesOf } from '../rolesFor'

/** How a project's groups give roles; undefined: no provider is set up. */
export const mappingOf = (db: Db, projectId: string): Promise<GroupMapping | undefined> =>
  db
    .selectFrom('sign_on_connections')
    .select(['default_role', 'role_map'])
    .where('project_id', '=', projectId)
    .executeTakeFirst()

/** A group is meant by its name or by the directory's id of it, as a provider's claim has the one or the other. */
const isMapped = (values: readonly string[]) =>
  sql<boolean>`(display_name = any(${values}::text[]) or scim_groups.external_id = any(${values}::text[]))`
const valuesOf = ({ role_map }: GroupMapping) => role_map.map(({ value }) => value)

/**
 * The roles that the directory's groups give a person. Where the directory has a group that the mapping names, it alone
 * gives roles: neither the claim at sign-in nor the attribute of a user does.
 * @returns null: it has none
 */
export async function directoryRoles(
  work: Db,
  projectId: string,
  userId: string,
  mapping: GroupMapping | undefined,
): Promise<number[] | null> {
  if (!mapping || mapping.role_map.length === 0) return null
  const decides = await work
    .selectFrom('scim_groups')
    .select('id')
    .where('project_id', '=', projectId)
    .where(isMapped(valuesOf(mapping)))
    .executeTakeFirst()
  if (!decides) return null
  const groups = await groupsOf(work, projectId, [userId])
  return rolesOf(mapping, groups.get(userId) ?? new Set())
}

/** Names and ids of the groups that people are in, by the person's account. */
async function groupsOf(work: Db, projectId: string, userIds: readonly string[]) {
  const rows = await work
    .selectFrom('scim_group_members')
    .innerJoin('scim_groups', 'scim_groups.id', 'scim_group_members.group_id')
    .innerJoin('sign_on_people', 'sign_on_people.id', 'scim_group_members.person_id')
    .select(['user_id', 'display_name', 'scim_groups.external_id'])
    .where('scim_group_members.project_id', '=', projectId)
    .where('user_id', 'in', sql<string>`(select unnest(${userIds}::bigint[]))`)
    .execute()
  const groups = new Map<string, Set<string>>()
  for (const { user_id, display_name, external_id } of rows) {
    const own = groups.get(user_id) ?? new Set()
    groups.set(user_id, own.add(display_name))
    if (external_id !== null) own.add(external_id)
  }
  return groups
}

/**
 * After a change of the mapping, gives those their roles anew who are in groups that it names or named.
 * @returns the accounts whose roles changed
 */
export async function renewMapped(
  context: ServerContext,
  work: Work,
  change: { projectId: string; origin: EventContext; before: GroupMapping | undefined; after: GroupMapping },
): Promise<string[]> {
  const { projectId, origin, before, after } = change
  const same =
    JSON.stringify([before?.default_role, before?.role_map]) === JSON.stringify([after.default_role, after.role_map])
  const people = same ? [] : await peopleIn(work, projectId, [...(before ? valuesOf(before) : []), ...valuesOf(after)])
  const project = people.length > 0 ? await lockProject(work, projectId) : undefined
  return project ? renewFromGroups(context, work, { project, origin, mapping: after }, people) : []
}

/** The accounts of people in groups that are among these names and ids. */
async function peopleIn(work: Db, projectId: string, values: readonly string[]): Promise<string[]> {
  const rows = await work
    .selectFrom('scim_group_members')
    .innerJoin('scim_groups', 'scim_groups.id', 'scim_group_members.group_id')
    .innerJoin('sign_on_people', 'sign_on_people.id', 'scim_group_members.person_id')
    .select('user_id')
    .distinct()
    .where('scim_group_members.project_id', '=', projectId)
    .where(isMapped(values))
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/**
 * Gives people the roles of the groups that they are in now. Call it for whose groups changed, where the mapping names
 * one of those.
 * @returns the accounts whose roles changed
 */
export async function renewFromGroups(
  context: ServerContext,
  work: Work,
  { project, origin, mapping }: { project: LockedProject; origin: EventContext; mapping: GroupMapping },
  userIds: readonly string[],
): Promise<string[]> {
  const members = await work
    .selectFrom('project_members')
    .select(['user_id', 'roles'])
    .where('project_id', '=', project.id)
    .where('user_id', 'in', sql<string>`(select unnest(${userIds}::bigint[]))`)
    .execute()
  const groups = await groupsOf(work, project.id, userIds)
  const changed: string[] = []
  for (const { user_id: userId, roles: before } of members) {
    const roles = rolesOf(mapping, groups.get(userId) ?? new Set())
    if (!(await renewRoles(context, work, { project, userId, before, roles, origin }))) continue
    await appendEvent(work, personRolesChanged, origin, { user: userId, roles, before })
    changed.push(userId)
  }
  return changed
}
