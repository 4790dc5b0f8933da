import type { FastifyInstance } from 'fastify'
import { entitlementsOf } from '../../../access/entitlements'
import { registerRoute } from '../../../access/register'
import { isAllowed, Role } from '../../../access/roles'
import { hasSecondFactor } from '../../../access/secondFactors'
import {
  changeRoles,
  changeSignInRule,
  inviteMembers,
  leaveProject,
  listMembers,
  removeMember,
  resendInvitation,
  revokeInvitation,
} from '../../../contracts/members'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import { appendEvent } from '../../../platform/events/defineEvent'
import type { Documents } from '../../flows/collab/documents'
import type { Mailer } from '../../mails/createMailer'
import { memberChanged, memberRemoved, signInRuleChanged } from '../events'
import { changeMembers, type MembersChange } from './changeMembers'
import { inviteAll, renew, revoke, revokeBeyond } from './invite'
import { presentInvitation, presentMember } from './presenter'
import { keepAnOwner, refuseForeignOwner } from './roleRules'
import { invitationsOf, membersOf } from './rows'
import { seatsOf } from './seats'
import { createInvitationSender } from './sendInvitations'

/** Invitation mails per person and minute. */
const INVITATIONS = 100

/** Routes for a project's members and invitations. */
export function registerMembers(
  app: FastifyInstance,
  context: ServerContext,
  documents: Documents,
  mailer: Mailer,
): void {
  const { clock } = context
  const invitations = context.limits.attempts('invitations of an account', INVITATIONS)
  const send = createInvitationSender(context, mailer)

  registerRoute(app, context, listMembers, async ({ caller: { db, project } }) => {
    const now = clock()
    const [members, invited, seats, { second_factor_required }] = await Promise.all([
      membersOf(db, project.id),
      invitationsOf(db, project.id),
      seatsOf(db, project.id, now),
      db.selectFrom('projects').select('second_factor_required').where('id', '=', project.id).executeTakeFirstOrThrow(),
    ])
    const lacking = await context.db
      .selectFrom('users')
      .select('gid')
      .where(
        'id',
        'in',
        members.map(({ id }) => id),
      )
      .where(({ not }) => not(hasSecondFactor))
      .execute()
    const { name, limits } = entitlementsOf(project)
    return {
      members: members.map(presentMember),
      invitations: invited.map((row) => presentInvitation(row, now)),
      second_factor_required,
      without_second_factor: lacking.map(({ gid }) => gid),
      seats: { used: seats.members + seats.invitations, max: limits.seats, plan: name },
    }
  })

  registerRoute(app, context, changeSignInRule, async ({ caller, body: { second_factor_required }, origin }) => {
    const { db, project, user } = caller
    if (second_factor_required && !user.secured && user.signOn !== project.id)
      throw new ApiError('conflict', {
        message: 'Turn on two-factor sign-in in your own account first.',
      })
    await db.transaction().execute(async (trx) => {
      await trx.updateTable('projects').set({ second_factor_required }).where('id', '=', project.id).execute()
      await appendEvent(trx, signInRuleChanged, origin, { secondFactor: second_factor_required })
    })
    // who has no second factor loses what they have open
    documents.rightsChangedIn(project.id)
    return { second_factor_required }
  })

  registerRoute(app, context, inviteMembers, async ({ caller, body, origin }) => {
    for (const _ of body.emails) await invitations.take(caller.user.id)
    const issued = await changeMembers(context, { caller, origin }, 'members.invite', (change) =>
      inviteAll(context, change, caller.user, body),
    )
    return { invited: await send(caller, issued) }
  })

  registerRoute(app, context, resendInvitation, async ({ caller, params, origin }) => {
    await invitations.take(caller.user.id)
    const issued = await changeMembers(context, { caller, origin }, 'members.invite', (change) =>
      renew(context, change, caller.user, params.gid),
    )
    const [sent] = await send(caller, [issued])
    if (!sent) throw new ApiError('internal')
    return sent
  })

  registerRoute(app, context, revokeInvitation, async ({ caller, params, origin }) => {
    await changeMembers(context, { caller, origin }, 'members.invite', (change) => revoke(context, change, params.gid))
    return {}
  })

  registerRoute(app, context, changeRoles, async ({ caller, params, body: { roles }, origin }) => {
    const member = await changeMembers(context, { caller, origin }, 'members.update', async (change) => {
      const member = memberIn(change, params.gid)
      refuseForeignOwner(change.roles, member.roles, roles)
      await setRoles(change, member.id, params.gid, roles)
      return { ...member, roles }
    })
    documents.rightsChanged(member.id)
    return { member: presentMember(member) }
  })

  registerRoute(app, context, removeMember, async ({ caller, params, origin }) => {
    const id = await changeMembers(context, { caller, origin }, 'members.remove', async (change) => {
      const member = memberIn(change, params.gid)
      refuseForeignOwner(change.roles, member.roles, [])
      await setRoles(change, member.id, params.gid, [])
      return member.id
    })
    documents.rightsChanged(id)
    return {}
  })

  registerRoute(app, context, leaveProject, async ({ caller, origin }) => {
    const { id, gid } = caller.user
    await changeMembers(context, { caller, origin }, 'project.view', (change) => setRoles(change, id, gid, []))
    documents.rightsChanged(id)
    return {}
  })

  /** Without roles the member is removed. */
  async function setRoles(change: MembersChange, userId: string, gid: string, roles: number[]): Promise<void> {
    const { trx, project, members } = change
    keepAnOwner(members, gid, roles)
    const inProject = { project_id: project.id, user_id: userId }
    if (roles.length === 0) {
      await trx
        .deleteFrom('project_members')
        .where('project_id', '=', inProject.project_id)
        .where('user_id', '=', inProject.user_id)
        .execute()
      await appendEvent(trx, memberRemoved, change.origin, { user: userId })
    } else {
      await trx
        .updateTable('project_members')
        .set({ roles })
        .where('project_id', '=', inProject.project_id)
        .where('user_id', '=', inProject.user_id)
        .execute()
      const before = members.find((member) => member.gid === gid)?.roles ?? []
      await appendEvent(trx, memberChanged, change.origin, { user: userId, roles, before })
    }
    await revokeBeyond(
      context,
      change,
      userId,
      (invited) => isAllowed(roles, 'members.invite') && (roles.includes(Role.OWNER) || !invited.includes(Role.OWNER)),
    )
  }
}

function memberIn({ members }: MembersChange, gid: string) {
  const member = members.find((each) => each.gid === gid)
  if (!member)
    throw new ApiError('not_found', { message: 'This person is no longer a member. Please refresh the page.' })
  return member
}
