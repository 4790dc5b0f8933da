import type { Updateable } from 'kysely'
import { parseEmail } from '../../../../engine/values/rules'
import type { CallerUser } from '../../../access/access'
import { hashToken, newToken } from '../../../access/tokens'
import { INVITATION_DAYS } from '../../../contracts/members'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import { appendEvent } from '../../../platform/events/defineEvent'
import { invitationRenewed, invitationRevoked, memberInvited } from '../events'
import type { InvitationsTable } from '../tables'
import type { MembersChange } from './changeMembers'
import { refuseForeignOwner } from './roleRules'
import { type InvitationRow, invitationsOf } from './rows'
import { wantSeats } from './seats'

const LIFETIME = INVITATION_DAYS * 24 * 60 * 60 * 1000

/** An invitation with the token of its link, which is not stored. */
export interface Issued {
  row: InvitationRow
  token: string
}

type Context = Pick<ServerContext, 'clock' | 'ids'>

/**
 * Invites everybody listed, or nobody.
 * @throws ApiError `invalid` with the problem of each address, `forbidden` for a role that the caller can't grant,
 *   `plan_limit`
 */
export async function inviteAll(
  { clock, ids }: Context,
  { trx, project, members, roles: own, origin }: MembersChange,
  caller: CallerUser,
  { emails, roles }: { emails: string[]; roles: number[] },
): Promise<Issued[]> {
  refuseForeignOwner(own, [], roles)
  const now = clock()
  const open = await invitationsOf(trx, project.id)
  const fields: Record<string, string> = {}
  const wanted = new Set<string>()
  for (const [index, text] of emails.entries()) {
    const email = text.trim().toLowerCase()
    const wrong = problemOf(email)
    if (wrong) fields[`emails.${index}`] = wrong
    wanted.add(email)
  }
  if (Object.keys(fields).length > 0) throw new ApiError('invalid', { fields })
  await wantSeats(trx, project, wanted.size, now)

  // replaces expired ones: there is one open invitation per address
  const outdated = open.filter(({ email }) => wanted.has(email)).map(({ id }) => id)
  await trx
    .updateTable('invitations')
    .set({ revoked_at: now })
    .where('project_id', '=', project.id)
    .where('id', 'in', ['0', ...outdated])
    .where('accepted_at', 'is', null)
    .execute()
  const issued: Issued[] = []
  for (const email of wanted) {
    const token = newToken()
    const row = await trx
      .insertInto('invitations')
      .values({
        gid: ids(),
        project_id: project.id,
        email,
        roles,
        token_hash: hashToken(token),
        invited_by: caller.id,
        created_at: now,
        expires_at: new Date(now.getTime() + LIFETIME),
      })
      .returning(['id', 'gid', 'email', 'roles', 'created_at', 'expires_at'])
      .executeTakeFirstOrThrow()
    await appendEvent(trx, memberInvited, origin, { invitation: row.gid, roles })
    issued.push({ row: { ...row, first_name: caller.first_name, last_name: caller.last_name }, token })
  }
  return issued

  function problemOf(email: string): string | null {
    if (parseEmail(email) === null) return `“${email.slice(0, 80)}” is no email address: correct it or leave it out`
    if (members.some((member) => member.email === email))
      return `${email} is a member already: change the roles in the list of members`
    if (open.some((invitation) => invitation.email === email && invitation.expires_at > now))
      return `${email} has an open invitation already: send it again or revoke it`
    return null
  }
}

/**
 * Renews an open invitation with a new link for seven days; the old link stops working. The caller becomes its sender.
 * @throws ApiError `not_found`, `forbidden` for an invitation that the caller couldn't make, `plan_limit`
 */
export async function renew(
  { clock }: Context,
  { trx, project, roles, origin }: MembersChange,
  caller: CallerUser,
  gid: string,
): Promise<Issued> {
  const now = clock()
  const row = await openInvitation({ trx, project, roles }, gid)
  // an expired one has released its seat
  if (row.expires_at <= now) await wantSeats(trx, project, 1, now)
  const token = newToken()
  const expires_at = new Date(now.getTime() + LIFETIME)
  await amend(trx, project.id, row.id, { token_hash: hashToken(token), expires_at, invited_by: caller.id })
  await appendEvent(trx, invitationRenewed, origin, { invitation: gid, roles: row.roles })
  return { row: { ...row, expires_at, first_name: caller.first_name, last_name: caller.last_name }, token }
}

export async function revoke({ clock }: Context, change: MembersChange, gid: string): Promise<void> {
  const { id, roles } = await openInvitation(change, gid)
  await amend(change.trx, change.project.id, id, { revoked_at: clock() })
  await appendEvent(change.trx, invitationRevoked, change.origin, { invitation: gid, roles })
}

/**
 * Revokes a person's invitations that their present roles no longer allow: otherwise somebody who was removed or
 * demoted could return by an own invitation.
 */
export async function revokeBeyond(
  { clock }: Context,
  { trx, project, origin }: Pick<MembersChange, 'trx' | 'project' | 'origin'>,
  userId: string,
  mayInvite: (roles: readonly number[]) => boolean,
): Promise<void> {
  const sent = await trx
    .selectFrom('invitations')
    .select(['id', 'gid', 'roles'])
    .where('project_id', '=', project.id)
    .where('invited_by', '=', userId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute()
  const beyond = sent.filter(({ roles }) => !mayInvite(roles))
  if (beyond.length === 0) return
  await trx
    .updateTable('invitations')
    .set({ revoked_at: clock() })
    .where('project_id', '=', project.id)
    .where(
      'id',
      'in',
      beyond.map(({ id }) => id),
    )
    .where('accepted_at', 'is', null)
    .execute()
  for (const { gid, roles } of beyond) await appendEvent(trx, invitationRevoked, origin, { invitation: gid, roles })
}

/** An open invitation that the caller may change: only owners may change invitations of owners. */
async function openInvitation(
  { trx, project, roles }: Pick<MembersChange, 'trx' | 'project' | 'roles'>,
  gid: string,
): Promise<InvitationRow> {
  const row = (await invitationsOf(trx, project.id)).find((invitation) => invitation.gid === gid)
  if (!row) throw noLongerOpen()
  refuseForeignOwner(roles, row.roles, [])
  return row
}

/** @throws ApiError `not_found` if it was just accepted */
async function amend(
  trx: MembersChange['trx'],
  projectId: string,
  id: string,
  change: Partial<Pick<Updateable<InvitationsTable>, 'token_hash' | 'expires_at' | 'invited_by' | 'revoked_at'>>,
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('invitations')
    .set(change)
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .where('accepted_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw noLongerOpen()
}

const noLongerOpen = () =>
  new ApiError('not_found', { message: 'This invitation is no longer open. Please refresh the page.' })
