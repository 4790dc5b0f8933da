import { sql } from 'kysely'
import type { ServerContext } from '../../../platform/context'
import type { Db, Work } from '../../../platform/database/database'
import { ApiError, isUniqueViolation } from '../../../platform/errors'
import { appendEvent, type EventContext } from '../../../platform/events/defineEvent'
import { groupAdded, groupChanged, groupRemoved } from '../events'
import { type LockedProject, lockProject } from '../lockProject'
import type { Filter } from './filter'
import type { MemberChange, ScimGroup, WantedGroup } from './groupResource'
import { mappingOf, renewFromGroups } from './groupRoles'
import { ScimError } from './scimError'

/** Groups of a project: a directory may have more, and is told to send those alone that give roles. */
const MOST_GROUPS = 1_000

/**
 * A directory's changes to the groups of its project. Each gives the people in it the roles of the groups that they are
 * in now, in the same transaction, with the project locked as members' own changes have it.
 * @param rightsChanged called with the account of each person whose roles changed
 */
export function createGroups(
  context: ServerContext,
  projectId: string,
  origin: EventContext,
  rightsChanged: (userId: string) => void,
) {
  const { db, clock, ids } = context

  const groupsIn = (work: Db) =>
    work
      .selectFrom('scim_groups')
      .select(['id', 'gid', 'display_name', 'external_id', 'created_at', 'updated_at'])
      .where('project_id', '=', projectId)

  async function find(work: Db, gid: string) {
    const group = await groupsIn(work).where('gid', '=', gid).executeTakeFirst()
    if (!group) throw new ScimError(404, 'There is no such group.')
    return group
  }

  /** People of groups, by the group. */
  async function peopleOf(work: Db, groupIds: readonly string[]): Promise<Map<string, string[]>> {
    const rows = await work
      .selectFrom('scim_group_members')
      .innerJoin('sign_on_people', 'sign_on_people.id', 'scim_group_members.person_id')
      .select(['group_id', 'sign_on_people.gid'])
      .where('scim_group_members.project_id', '=', projectId)
      .where('group_id', 'in', sql<string>`(select unnest(${groupIds}::bigint[]))`)
      .orderBy('person_id')
      .execute()
    const people = new Map<string, string[]>()
    for (const { group_id, gid } of rows) {
      const own = people.get(group_id)
      if (own) own.push(gid)
      else people.set(group_id, [gid])
    }
    return people
  }

  /** Accounts of those in a group. */
  const accountsIn = async (work: Work, groupId: string): Promise<string[]> => {
    const rows = await work
      .selectFrom('scim_group_members')
      .innerJoin('sign_on_people', 'sign_on_people.id', 'scim_group_members.person_id')
      .select('user_id')
      .where('scim_group_members.project_id', '=', projectId)
      .where('group_id', '=', groupId)
      .execute()
    return rows.map(({ user_id }) => user_id)
  }

  /** Changes who is in a group. @throws ScimError for an id of nobody, but where somebody is taken out */
  async function changeMembers(work: Work, groupId: string, changes: readonly MemberChange[]): Promise<void> {
    for (const change of changes) {
      const people = change.kind === 'clear' ? [] : await peopleBy(work, change.ids)
      if ((change.kind === 'add' || change.kind === 'replace') && people.length < change.ids.length)
        throw new ScimError(400, 'There is no user with one of these ids.', 'invalidValue')
      if (change.kind !== 'add')
        await work
          .deleteFrom('scim_group_members')
          .where('project_id', '=', projectId)
          .where('group_id', '=', groupId)
          .$if(change.kind === 'remove', (query) =>
            query.where('person_id', 'in', sql<string>`(select unnest(${people}::bigint[]))`),
          )
          .execute()
      if ((change.kind === 'add' || change.kind === 'replace') && people.length > 0)
        await work
          .insertInto('scim_group_members')
          .values(people.map((person_id) => ({ group_id: groupId, person_id, project_id: projectId })))
          .onConflict((again) => again.doNothing())
          .execute()
    }
  }

  const peopleBy = async (work: Work, gids: readonly string[]): Promise<string[]> => {
    const rows = await work
      .selectFrom('sign_on_people')
      .select('id')
      .where('project_id', '=', projectId)
      .where('gid', 'in', sql<string>`(select unnest(${gids}::text[]))`)
      .execute()
    return rows.map(({ id }) => id)
  }

  /** Runs a change with the project locked, and gives roles anew to those whose groups it changed. */
  async function change<Result>(work: (work: Work) => Promise<Changed & { result: Result }>): Promise<Result> {
    try {
      const { result, renewed } = await db.transaction().execute(async (transaction) => {
        const project = await lockProject(transaction, projectId)
        if (!project) throw new ApiError('not_found')
        const changed = await work(transaction)
        return { result: changed.result, renewed: await renew(transaction, project, changed) }
      })
      for (const userId of renewed) rightsChanged(userId)
      return result
    } catch (error) {
      if (isUniqueViolation(error)) throw new ScimError(409, 'Another group has this displayName.', 'uniqueness')
      throw error
    }
  }

  /** Where the mapping names the group, by what it was called or is called now. */
  async function renew(work: Work, project: LockedProject, { before, after, accounts }: Changed): Promise<string[]> {
    const mapping = await mappingOf(work, projectId)
    const names = [before, after].flatMap((group) => (group ? [group.display_name, group.external_id] : []))
    if (!mapping?.role_map.some(({ value }) => names.includes(value))) return []
    return renewFromGroups(context, work, { project, origin, mapping }, [...new Set(accounts)])
  }

  return {
    async find(gid: string, withPeople: boolean) {
      const group = await find(db, gid)
      return { group, people: withPeople ? ((await peopleOf(db, [group.id])).get(group.id) ?? []) : null }
    },

    /** @param start the first one's number, from 1 */
    async list(
      filter: Filter<'displayName' | 'externalId'> | null,
      { start, count, withPeople }: { start: number; count: number; withPeople: boolean },
    ) {
      const matching = filter
        ? {
            displayName: sql<boolean>`lower(display_name) = ${filter.value.toLowerCase()}`,
            externalId: sql<boolean>`external_id = ${filter.value}`,
          }[filter.attribute]
        : sql<boolean>`true`
      const all = groupsIn(db).where(matching)
      const { total } = await all
        .clearSelect()
        .select(({ fn }) => fn.countAll<string>().as('total'))
        .executeTakeFirstOrThrow()
      const groups =
        count === 0
          ? []
          : await all
              .orderBy('id')
              .offset(start - 1)
              .limit(count)
              .execute()
      const ids = groups.map(({ id }) => id)
      const people = withPeople ? await peopleOf(db, ids) : null
      return {
        total: Number(total),
        groups: groups.map((group) => ({ group, people: people && (people.get(group.id) ?? []) })),
      }
    },

    /** @throws ScimError uniqueness, invalidValue */
    create: (wanted: WantedGroup) =>
      change(async (work) => {
        const { count } = await groupsIn(work)
          .clearSelect()
          .select(({ fn }) => fn.countAll<string>().as('count'))
          .executeTakeFirstOrThrow()
        if (Number(count) >= MOST_GROUPS)
          throw new ScimError(403, `A project takes ${MOST_GROUPS} groups. Send those that give roles.`)
        const now = clock()
        const made = await work
          .insertInto('scim_groups')
          .values({
            ...{ gid: ids(), project_id: projectId, created_at: now, updated_at: now },
            ...{ display_name: wanted.displayName, external_id: wanted.externalId },
          })
          .returning(['id', 'gid', 'display_name', 'external_id', 'created_at', 'updated_at'])
          .executeTakeFirstOrThrow()
        await changeMembers(work, made.id, wanted.members)
        const accounts = await accountsIn(work, made.id)
        await appendEvent(work, groupAdded, origin, { name: made.display_name, people: accounts.length })
        return { result: made, before: null, after: made, accounts }
      }),

    /** Makes a group what the directory wants. @param wantedFrom what that is, from what it is */
    update: (gid: string, wantedFrom: (present: ScimGroup) => WantedGroup) =>
      change(async (work) => {
        const before = await find(work, gid)
        const wanted = wantedFrom(before)
        const accounts = await accountsIn(work, before.id)
        const values = { display_name: wanted.displayName, external_id: wanted.externalId, updated_at: clock() }
        await work
          .updateTable('scim_groups')
          .set(values)
          .where('project_id', '=', projectId)
          .where('gid', '=', gid)
          .execute()
        await changeMembers(work, before.id, wanted.members)
        const now = await accountsIn(work, before.id)
        await appendEvent(work, groupChanged, origin, { name: wanted.displayName, people: now.length })
        const after = { ...before, ...values }
        return { result: after, before, after, accounts: [...accounts, ...now] }
      }),

    remove: (gid: string) =>
      change(async (work) => {
        const before = await find(work, gid)
        const accounts = await accountsIn(work, before.id)
        await work.deleteFrom('scim_groups').where('project_id', '=', projectId).where('gid', '=', gid).execute()
        await appendEvent(work, groupRemoved, origin, { name: before.display_name, people: accounts.length })
        return { result: undefined, before, after: null, accounts }
      }),
  }
}

/** What a change did to a group, and whose groups are others now. */
interface Changed {
  before: ScimGroup | null
  after: ScimGroup | null
  accounts: readonly string[]
}
