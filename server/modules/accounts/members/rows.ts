import type { Kysely } from 'kysely'
import type { Database } from '../../../platform/database/tables'

/** The members of a project with their accounts, in order of joining. */
export function membersOf(db: Kysely<Database>, projectId: string) {
  return db
    .selectFrom('project_members')
    .innerJoin('users', 'users.id', 'project_members.user_id')
    .select(['users.id', 'users.gid', 'users.email', 'users.first_name', 'users.last_name'])
    .select(['users.picture', 'project_members.roles', 'project_members.created_at as joined_at'])
    .where('project_members.project_id', '=', projectId)
    .orderBy('project_members.created_at')
    .orderBy('users.id')
    .execute()
}
export type MemberRow = Awaited<ReturnType<typeof membersOf>>[number]

/** The project's invitations that were neither accepted nor revoked, newest first; some may have expired. */
export function invitationsOf(db: Kysely<Database>, projectId: string) {
  return db
    .selectFrom('invitations')
    .leftJoin('users', 'users.id', 'invitations.invited_by')
    .select(['invitations.id', 'invitations.gid', 'invitations.email', 'invitations.roles'])
    .select(['invitations.created_at', 'invitations.expires_at', 'users.first_name', 'users.last_name'])
    .where('invitations.project_id', '=', projectId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .orderBy('invitations.id', 'desc')
    .execute()
}
export type InvitationRow = Awaited<ReturnType<typeof invitationsOf>>[number]
