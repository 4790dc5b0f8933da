import { cleanText } from '../../../engine/values/cleanText'
import { parseEmail } from '../../../engine/values/rules'
import { originOf } from '../../access/originOf'
import { Role } from '../../access/roles'
import { newToken } from '../../access/tokens'
import type { SignOnProblem } from '../../contracts/signOn'
import type { ServerContext } from '../../platform/context'
import type { Work } from '../../platform/database/database'
import { ApiError } from '../../platform/errors'
import { appendEvent, type EventContext } from '../../platform/events/defineEvent'
import { hashPassword } from '../../platform/passwords'
import { insertUser } from '../accounts/auth/createUser'
import { memberJoined } from '../accounts/events'
import { wantSeats } from '../accounts/members/seats'
import { isProven } from './domains'
import { signedOn } from './events'
import { lockProject } from './lockProject'
import type { Claims } from './provider'
import { renewRoles } from './renewRoles'
import { type RoleMapping, rolesFor } from './rolesFor'
import { directoryRoles } from './scim/groupRoles'

/** Thrown where a provider's word lets nobody in. */
export class SignOnRefused extends Error {
  override readonly name = 'SignOnRefused'
  constructor(readonly problem: SignOnProblem) {
    super(problem)
  }
}

/** Whom a provider vouches for. */
export interface Admitted {
  id: string
  email: string
  first_name: string
  last_name: string
}

/** What of a connection decides who comes in, and how. */
export interface Admitting extends RoleMapping {
  project_id: string
}

const MOST_NAME = 75
const MOST_SUBJECT = 255

/**
 * Finds or makes the account that a provider speaks of, and makes it a member in the roles of its groups. A provider
 * speaks only for addresses of domains that its project has proven, and only for one person per address.
 * @param request of the callback, for events
 * @throws SignOnRefused
 */
export async function admitPerson(
  context: ServerContext,
  connection: Admitting,
  claims: Claims,
  request: { id: string; ip: string },
): Promise<Admitted> {
  const email = verifiedEmail(claims)
  const { sub: subject } = claims
  if (subject.length > MOST_SUBJECT) throw new SignOnRefused('provider')
  // hashing is slow: not within the transaction. Nobody knows this password; a mailed link sets another
  const account = await context.db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  const password_hash = account ? null : await hashPassword(newToken())
  const { project_id: projectId } = connection
  const addPerson = (work: Work, password_hash: string | null) => {
    // an account that was there a moment ago
    if (password_hash === null) throw new SignOnRefused('expired')
    return insertUser(context, work, { ...namesOf(claims, email), password_hash, email, email_verified: true })
  }
  return context.db.transaction().execute(async (work) => {
    const project = await lockProject(work, projectId)
    if (!project) throw new SignOnRefused('expired')
    await wantProven(work, projectId, email)
    const known = await personOf(work, projectId, subject, email)
    if (known) await wantProven(work, projectId, known.email)
    const user = known ?? (await addPerson(work, password_hash))
    const now = context.clock()
    await work
      .insertInto('sign_on_people')
      .values({
        ...{ gid: context.ids(), project_id: projectId, user_id: user.id, subject },
        ...{ created_at: now, updated_at: now },
      })
      .onConflict((again) => again.columns(['project_id', 'user_id']).doUpdateSet({ subject, updated_at: now }))
      .execute()
    const origin = originOf(context, request, { projectId, userId: user.id })
    const member = await work
      .selectFrom('project_members')
      .select('roles')
      .where('project_id', '=', projectId)
      .where('user_id', '=', user.id)
      .executeTakeFirst()
    // the directory's word is newer than what a log-in says
    const told = await directoryRoles(work, projectId, user.id, connection)
    const mapped = told !== null || connection.role_claim !== ''
    const roles = told ?? rolesFor(connection, claims)
    if (!member) await join(context, work, { project, user, roles, mapped, origin })
    else if (mapped) await renewRoles(context, work, { project, userId: user.id, before: member.roles, roles, origin })
    await work
      .updateTable('project_members')
      .set({ by_sign_on: true })
      .where('project_id', '=', projectId)
      .where('user_id', '=', user.id)
      .execute()
    await appendEvent(work, signedOn, origin, { user: user.id })
    return user
  })
}

/** Only an address that the provider says it has verified: of others it knows what somebody typed. */
function verifiedEmail({ email, email_verified }: Claims): string {
  const isAddress = typeof email === 'string' && parseEmail(email, 320) !== null
  if (!isAddress || email_verified !== true) throw new SignOnRefused('unverified')
  return email.toLowerCase()
}

/** Without the proof a provider that somebody runs could speak for anybody's account. */
async function wantProven(work: Work, projectId: string, email: string): Promise<void> {
  if (!(await isProven(work, projectId, email))) throw new SignOnRefused('foreign_domain')
}

/**
 * The account that the provider's id is known to be, else the one with the address. An address that was given to
 * another person opens nothing of whom had it before.
 */
async function personOf(work: Work, projectId: string, subject: string, email: string): Promise<Admitted | undefined> {
  const found = await work
    .selectFrom('users')
    .leftJoin('sign_on_people', (join) =>
      join.onRef('sign_on_people.user_id', '=', 'users.id').on('sign_on_people.project_id', '=', projectId),
    )
    .leftJoin('project_members', (join) =>
      join.onRef('project_members.user_id', '=', 'users.id').on('project_members.project_id', '=', projectId),
    )
    .select(['users.id', 'users.email', 'users.first_name', 'users.last_name', 'users.suspended_at'])
    .select(['subject', 'active', 'project_members.roles'])
    .where(({ or, eb }) => or([eb('sign_on_people.subject', '=', subject), eb('users.email', '=', email)]))
    .execute()
  const user = found.find((each) => each.subject === subject) ?? found[0]
  if (!user) return undefined
  if (user.suspended_at) throw new SignOnRefused('suspended')
  if (user.active === false) throw new SignOnRefused('deactivated')
  // until an owner or the directory has removed the one before
  if (user.roles && user.subject !== null && user.subject !== subject) throw new SignOnRefused('other_person')
  const { id, first_name, last_name } = user
  return { id, email: user.email, first_name, last_name }
}

interface Joining {
  project: { id: string; name: string; plan_id: string; addons: Parameters<typeof wantSeats>[1]['addons'] }
  user: { id: string; email: string }
  roles: number[]
  origin: EventContext
}

/** An open invitation is accepted by coming; without groups it says in which roles. */
async function join(
  { clock }: ServerContext,
  work: Work,
  { project, user, roles, mapped, origin }: Joining & { mapped: boolean },
): Promise<void> {
  const now = clock()
  const invited = await work
    .updateTable('invitations')
    .set({ accepted_at: now })
    .where('project_id', '=', project.id)
    .where('email', '=', user.email)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('roles')
    .executeTakeFirst()
  await wantSeats(work, project, 1, now).catch((error) => {
    throw error instanceof ApiError && error.code === 'plan_limit' ? new SignOnRefused('no_seat') : error
  })
  const given = invited && (!mapped || invited.roles.includes(Role.OWNER)) ? invited.roles : roles
  const other = await work
    .selectFrom('project_members')
    .select('user_id')
    .where('user_id', '=', user.id)
    .where('is_default', '=', true)
    .executeTakeFirst()
  await work
    .insertInto('project_members')
    .values({ project_id: project.id, user_id: user.id, roles: given, is_default: !other, created_at: now })
    .execute()
  await appendEvent(work, memberJoined, origin, { user: user.id, roles: given })
}

/** Of a new account: as the provider has them, else what stands before the @. */
function namesOf(claims: Claims, email: string): { first_name: string; last_name: string } {
  const text = (name: string) => {
    const value = claims[name]
    return typeof value === 'string' ? cleanText(value.slice(0, 1_000)).trim().slice(0, MOST_NAME) : ''
  }
  const [first = '', ...rest] = text('name').split(/\s+/)
  return {
    first_name: text('given_name') || first || email.slice(0, email.indexOf('@')).slice(0, MOST_NAME),
    last_name: text('family_name') || rest.join(' '),
  }
}
