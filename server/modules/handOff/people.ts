import { sql } from 'kysely'
import { parseEmail } from '../../../engine/values/rules'
import { rolesOf } from '../../access/roles'
import type { Db } from '../../platform/database/database'

export interface Person {
  /** identifies the person in keys of mails */
  id: string
  email: string
  /** an address from the flow that is no member's */
  isOutside: boolean
}

/**
 * Who is notified of a handed-over conversation.
 * @param addresses those named by the flow; invalid ones are ignored. Empty: members who may answer visitors
 */
export async function peopleOf(db: Db, projectId: string, addresses: readonly string[]): Promise<Person[]> {
  const members = await db
    .selectFrom('project_members')
    .innerJoin('users', 'users.id', 'project_members.user_id')
    .select(['users.gid', 'users.email'])
    .select(sql<boolean>`project_members.roles && ${rolesOf('conversations.reply')}::int[]`.as('answers'))
    .where('project_members.project_id', '=', projectId)
    .orderBy('users.id')
    .execute()
  const named = new Set(addresses.flatMap((address) => parseEmail(address) ?? []).map((email) => email.toLowerCase()))
  if (named.size === 0)
    return members.filter(({ answers }) => answers).map(({ gid, email }) => ({ id: gid, email, isOutside: false }))
  const ofMembers = new Set(members.map(({ email }) => email.toLowerCase()))
  return [...named].map((email) => ({ id: email, email, isOutside: !ofMembers.has(email) }))
}
