import type { FastifyRequest } from 'fastify'
import type { Kysely, Transaction } from 'kysely'
import { originOf } from '../../../access/originOf'
import { hashToken } from '../../../access/tokens'
import type { invitationStates } from '../../../contracts/invitations'
import type { Database } from '../../../platform/database/tables'
import { ApiError } from '../../../platform/errors'
import { appendEvent } from '../../../platform/events/defineEvent'
import { memberJoined } from '../events'

type State = (typeof invitationStates)[number]

const refusals: Record<Exclude<State, 'open'>, string> = {
  expired: 'This invitation has expired. Ask for a new one.',
  revoked: 'This invitation was withdrawn. Ask for a new one.',
  accepted: 'This invitation was accepted already. Log in to see the project.',
  unknown: 'This invitation link does not work. If you were sent a newer one, use that; else ask for a new one.',
}

/** The invitation of a link, with its project and sender; undefined if there is none. */
export function findInvitation(db: Kysely<Database>, token: string) {
  return db
    .selectFrom('invitations')
    .innerJoin('projects', 'projects.id', 'invitations.project_id')
    .leftJoin('users as inviter', 'inviter.id', 'invitations.invited_by')
    .leftJoin('users as invitee', 'invitee.email', 'invitations.email')
    .select(['invitations.email', 'invitations.roles', 'invitations.expires_at'])
    .select(['accepted_at', 'revoked_at', 'projects.name as project', 'projects.gid as pgid'])
    .select(['inviter.first_name', 'inviter.last_name', 'invitee.id as account'])
    .where('invitations.token_hash', '=', hashToken(token))
    .executeTakeFirst()
}
export type InvitationByLink = NonNullable<Awaited<ReturnType<typeof findInvitation>>>

export function stateOf(row: InvitationByLink | undefined, now: Date): State {
  if (!row) return 'unknown'
  if (row.accepted_at) return 'accepted'
  if (row.revoked_at) return 'revoked'
  return row.expires_at > now ? 'open' : 'expired'
}

/** @throws ApiError `conflict` saying why the invitation can't be accepted, and what to do */
export function wantOpen(row: InvitationByLink | undefined, now: Date): InvitationByLink {
  const state = stateOf(row, now)
  if (!row || state !== 'open')
    throw new ApiError('conflict', { message: refusals[state === 'open' ? 'unknown' : state] })
  return row
}

/**
 * Uses up an invitation and makes the account a member. Of concurrent attempts one succeeds.
 * @throws ApiError `conflict` if it is no longer open
 */
export async function claimInvitation(
  trx: Transaction<Database>,
  {
    token,
    user,
    isDefault,
    now,
    request,
  }: {
    token: string
    user: { id: string; email: string }
    isDefault: boolean
    now: Date
    request: Pick<FastifyRequest, 'id' | 'ip'>
  },
): Promise<void> {
  const claimed = await trx
    .updateTable('invitations')
    .set({ accepted_at: now })
    .where('token_hash', '=', hashToken(token))
    .where('email', '=', user.email)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['project_id', 'roles'])
    .executeTakeFirst()
  if (!claimed) {
    wantOpen(await findInvitation(trx, token), now)
    throw new ApiError('conflict')
  }
  const { numInsertedOrUpdatedRows: joined } = await trx
    .insertInto('project_members')
    .values({ ...claimed, user_id: user.id, is_default: isDefault, created_at: now })
    // an existing member keeps the present roles
    .onConflict((conflict) => conflict.columns(['project_id', 'user_id']).doNothing())
    .executeTakeFirstOrThrow()
  if (!joined) return
  const origin = originOf({ clock: () => now }, request, { projectId: claimed.project_id, userId: user.id })
  await appendEvent(trx, memberJoined, origin, { user: user.id, roles: claimed.roles })
}
