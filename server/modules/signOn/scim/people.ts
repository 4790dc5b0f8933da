import { sql } from 'kysely'
import { parseEmail } from '../../../../engine/values/rules'
import { Role } from '../../../access/roles'
import { newToken } from '../../../access/tokens'
import type { ServerContext } from '../../../platform/context'
import type { Db, Work } from '../../../platform/database/database'
import { ApiError, isUniqueViolation } from '../../../platform/errors'
import { appendEvent, type EventContext } from '../../../platform/events/defineEvent'
import { hashPassword } from '../../../platform/passwords'
import { insertUser } from '../../accounts/auth/createUser'
import { memberJoined, memberRemoved } from '../../accounts/events'
import { revokeBeyond } from '../../accounts/members/invite'
import { keepAnOwner } from '../../accounts/members/roleRules'
import { membersOf } from '../../accounts/members/rows'
import { wantSeats } from '../../accounts/members/seats'
import { isProven } from '../domains'
import { personDeprovisioned, personProvisioned } from '../events'
import { type LockedProject, lockProject } from '../lockProject'
import { renewRoles } from '../renewRoles'
import type { Filter } from './filter'
import { directoryRoles, mappingOf } from './groupRoles'
import { ScimError } from './scimError'
import type { ScimPerson, WantedUser } from './userResource'

/** A directory's changes to the people of its project. Each locks the project, as members' own changes do. */
export function createPeople(
  context: ServerContext,
  projectId: string,
  origin: EventContext,
  rightsChanged: (userId: string) => void,
) {
  const { db, clock, ids } = context

  const peopleIn = (work: Db) =>
    work
      .selectFrom('sign_on_people')
      .innerJoin('users', 'users.id', 'sign_on_people.user_id')
      .leftJoin('project_members', (join) =>
        join
          .onRef('project_members.project_id', '=', 'sign_on_people.project_id')
          .onRef('project_members.user_id', '=', 'sign_on_people.user_id'),
      )
      .select(['sign_on_people.gid', 'sign_on_people.user_id', 'users.email', 'user_name', 'external_id'])
      .select(['given_name', 'family_name', 'active', 'project_members.roles'])
      .select(['sign_on_people.created_at', 'sign_on_people.updated_at'])
      .where('sign_on_people.project_id', '=', projectId)

  async function find(work: Db, gid: string): Promise<ScimPerson> {
    const person = await peopleIn(work).where('sign_on_people.gid', '=', gid).executeTakeFirst()
    if (!person) throw new ScimError(404, 'There is no such user.')
    return person
  }

  /** Runs a change with the project locked, and closes afterwards what the person may no longer see. */
  async function change(work: (work: Work, project: LockedProject) => Promise<ScimPerson | null>, userId?: string) {
    try {
      const person = await db.transaction().execute(async (transaction) => {
        const project = await lockProject(transaction, projectId)
        if (!project) throw new ApiError('not_found')
        return work(transaction, project)
      })
      const changed = person?.user_id ?? userId
      if (changed) rightsChanged(changed)
      return person
    } catch (error) {
      if (isUniqueViolation(error)) throw new ScimError(409, 'Another user has this userName.', 'uniqueness')
      throw error
    }
  }

  /**
   * Makes a person a member, in the roles of their groups, else those wanted, else the default one; of a member it
   * changes the roles.
   */
  async function join(work: Work, project: LockedProject, person: ScimPerson, wanted: number[] | null): Promise<void> {
    const mapping = await mappingOf(work, projectId)
    const { user_id: userId, roles: before } = person
    const roles = (await directoryRoles(work, projectId, userId, mapping)) ?? wanted
    if (before) {
      if (roles) await renewRoles(context, work, { project, userId, before, roles, origin })
      return
    }
    await wantSeats(work, project, 1, clock()).catch((error) => {
      throw error instanceof ApiError && error.code === 'plan_limit' ? new ScimError(403, error.message) : error
    })
    const given = roles ?? [mapping?.default_role ?? Role.VIEWER]
    const other = await work
      .selectFrom('project_members')
      .select('user_id')
      .where('user_id', '=', person.user_id)
      .where('is_default', '=', true)
      .executeTakeFirst()
    const row = { project_id: projectId, user_id: person.user_id, roles: given, is_default: !other, by_sign_on: true }
    await work
      .insertInto('project_members')
      .values({ ...row, created_at: clock() })
      .execute()
    await appendEvent(work, memberJoined, origin, { user: person.user_id, roles: given })
  }

  /** Ends a membership, and the sessions that the project's provider has opened. */
  async function leave(work: Work, project: LockedProject, person: ScimPerson): Promise<void> {
    if (person.roles) {
      const members = await membersOf(work, projectId)
      const gid = members.find(({ id }) => id === person.user_id)?.gid ?? ''
      try {
        keepAnOwner(members, gid, [])
      } catch (error) {
        if (error instanceof ApiError) throw new ScimError(409, error.message, 'mutability')
        throw error
      }
      await work
        .deleteFrom('project_members')
        .where('project_id', '=', projectId)
        .where('user_id', '=', person.user_id)
        .execute()
      await appendEvent(work, memberRemoved, origin, { user: person.user_id })
      await revokeBeyond(context, { trx: work, project, origin }, person.user_id, () => false)
    }
    await work
      .deleteFrom('sessions')
      .where('user_id', '=', person.user_id)
      .where('sign_on_project_id', '=', projectId)
      .execute()
    await appendEvent(work, personDeprovisioned, origin, { user: person.user_id })
  }

  const valuesOf = ({ userName, externalId, givenName, familyName, active }: WantedUser) => ({
    ...{ user_name: userName, external_id: externalId, given_name: givenName, family_name: familyName },
    ...{ active, updated_at: clock() },
  })

  return {
    find: (gid: string) => find(db, gid),

    /** @param start the first one's number, from 1 */
    async list(filter: Filter<'userName' | 'externalId' | 'email'> | null, start: number, count: number) {
      const lower = filter?.value.toLowerCase() ?? ''
      const matching = filter
        ? {
            userName: sql<boolean>`lower(coalesce(user_name, users.email)) = ${lower}`,
            externalId: sql<boolean>`external_id = ${filter.value}`,
            email: sql<boolean>`users.email = ${lower}`,
          }[filter.attribute]
        : sql<boolean>`true`
      const all = peopleIn(db).where(matching)
      const { total } = await all
        .clearSelect()
        .select(({ fn }) => fn.countAll<string>().as('total'))
        .executeTakeFirstOrThrow()
      const people =
        count === 0
          ? []
          : await all
              .orderBy('sign_on_people.id')
              .offset(start - 1)
              .limit(count)
              .execute()
      return { total: Number(total), people }
    },

    /** @throws ScimError uniqueness; invalidValue for an address of no proven domain */
    async create(wanted: WantedUser): Promise<ScimPerson> {
      const { email } = wanted
      if (parseEmail(email, 320) === null || !(await isProven(db, projectId, email)))
        throw new ScimError(400, 'The address has to be at a domain that the project has proven.', 'invalidValue')
      const account = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
      // hashing is slow: not within the transaction. Nobody knows this password
      const password_hash = account ? null : await hashPassword(newToken())
      const made = await change(async (work, project) => {
        const names = { first_name: wanted.givenName || email.slice(0, email.indexOf('@')).slice(0, 75) }
        const user =
          account ??
          (await insertUser(context, work, {
            ...{ ...names, last_name: wanted.familyName, email, email_verified: true },
            password_hash: password_hash ?? '',
          }))
        const now = clock()
        const values = { ...valuesOf(wanted), provisioned_at: now }
        const row = await work
          .insertInto('sign_on_people')
          .values({ ...values, gid: ids(), project_id: projectId, user_id: user.id, created_at: now })
          .onConflict((again) =>
            again
              .columns(['project_id', 'user_id'])
              .doUpdateSet(values)
              // whom the provider has brought is taken over, whom the directory knows is not
              .where('sign_on_people.provisioned_at', 'is', null),
          )
          .returning('gid')
          .executeTakeFirst()
        if (!row) throw new ScimError(409, 'This user exists already.', 'uniqueness')
        await appendEvent(work, personProvisioned, origin, { user: user.id })
        const person = await find(work, row.gid)
        if (wanted.active) await join(work, project, person, wanted.roles)
        return find(work, row.gid)
      })
      if (!made) throw new ApiError('internal')
      return made
    },

    /** Makes a person what the directory wants. @param wantedFrom what that is, from what they are */
    async update(gid: string, wantedFrom: (present: ScimPerson) => WantedUser): Promise<ScimPerson> {
      const changed = await change(async (work, project) => {
        const present = await find(work, gid)
        const wanted = wantedFrom(present)
        await work
          .updateTable('sign_on_people')
          .set(valuesOf(wanted))
          .where('project_id', '=', projectId)
          .where('gid', '=', gid)
          .execute()
        if (wanted.active) await join(work, project, present, wanted.roles)
        else if (present.active || present.roles) await leave(work, project, present)
        return find(work, gid)
      })
      if (!changed) throw new ApiError('internal')
      return changed
    },

    async remove(gid: string): Promise<void> {
      const { user_id } = await find(db, gid)
      await change(async (work, project) => {
        const present = await find(work, gid)
        await leave(work, project, present)
        await work.deleteFrom('sign_on_people').where('project_id', '=', projectId).where('gid', '=', gid).execute()
        return null
      }, user_id)
    },
  }
}
