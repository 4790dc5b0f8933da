import type { Kysely } from 'kysely'
import { type Entitled, entitlementsOf } from '../../../access/entitlements'
import type { Database } from '../../../platform/database/tables'
import { ApiError } from '../../../platform/errors'

/** Counts a project's members and valid invitations: each takes a seat. */
export async function seatsOf(
  db: Kysely<Database>,
  projectId: string,
  now: Date,
): Promise<{ members: number; invitations: number }> {
  const { members, invitations } = await db
    .selectNoFrom(({ selectFrom }) => [
      selectFrom('project_members')
        .where('project_id', '=', projectId)
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .as('members'),
      selectFrom('invitations')
        .where('project_id', '=', projectId)
        .where('accepted_at', 'is', null)
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', now)
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .as('invitations'),
    ])
    .executeTakeFirstOrThrow()
  return { members: Number(members), invitations: Number(invitations) }
}

/**
 * Checks that the plan has enough free seats; call it where no concurrent call can take one (see `changeMembers`).
 * @throws ApiError `plan_limit`, saying what takes the seats and what to do
 */
export async function wantSeats(
  db: Kysely<Database>,
  project: { id: string } & Entitled,
  wanted: number,
  now: Date,
): Promise<void> {
  const { members, invitations } = await seatsOf(db, project.id, now)
  const { name, limits } = entitlementsOf(project)
  if (members + invitations + wanted <= limits.seats) return
  const taken =
    invitations === 0
      ? count(members, 'member')
      : `${count(members, 'member')} and ${count(invitations, 'open invitation')}`
  throw new ApiError('plan_limit', {
    message:
      `The ${name} plan has ${count(limits.seats, 'seat')}, and ${taken} ${members + invitations === 1 ? 'takes' : 'take'} ` +
      `${members + invitations}. Upgrade the plan, remove a member or revoke an invitation to invite ${wanted === 1 ? 'somebody' : `${wanted} people`}.`,
  })
}

const count = (n: number, thing: string) => `${n.toLocaleString('en')} ${thing}${n === 1 ? '' : 's'}`
