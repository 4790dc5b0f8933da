import { createHash } from 'node:crypto'
import { type Person, personOf } from '../../../../engine/document/person'
import { isAllowedFrom } from '../../../access/allowedAddresses'
import { isChatbotOver, isMemberOver } from '../../../access/overLimit'
import { isAllowed } from '../../../access/roles'
import { actsAs } from '../../../access/sessions'
import { refusalOfSignIn } from '../../../access/signInRule'
import type { ServerContext } from '../../../platform/context'
import type { FlowRef } from './store'

/** What a session may do with a flow, and whose it is. */
export interface Admission {
  flow: FlowRef
  userId: string
  person: Person
  write: boolean
  /** when the session ends unless prolonged */
  expiresAt: Date
}
/** Strangers to the flow's project are told that it does not exist. */
export type Rights = Admission | { refused: 'loggedOut' | 'forbidden' | 'gone' }

/**
 * Reads session, account, flow and roles in one query: it is repeated while a socket is open.
 * @param address where the socket comes from
 */
export async function rightsOf(
  { db, clock }: Pick<ServerContext, 'db' | 'clock'>,
  token: string,
  flowGid: string,
  address: string,
): Promise<Rights> {
  const now = clock()
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users as holder', 'holder.id', 'sessions.user_id')
    .innerJoin('users', (join) => join.on('users.id', '=', actsAs(now)))
    .leftJoin('flows', (join) => join.on('flows.gid', '=', flowGid))
    .leftJoin('project_members', (join) =>
      join
        .onRef('project_members.project_id', '=', 'flows.project_id')
        .onRef('project_members.user_id', '=', 'users.id'),
    )
    .leftJoin('chatbots', (join) =>
      join.onRef('chatbots.id', '=', 'flows.chatbot_id').onRef('chatbots.project_id', '=', 'flows.project_id'),
    )
    .leftJoin('projects', 'projects.id', 'flows.project_id')
    .select([isChatbotOver.as('chatbot_over'), isMemberOver.as('member_over')])
    .select(['flows.id', 'flows.project_id', 'project_members.roles', 'users.id as user_id', 'sessions.expires_at'])
    .select(['holder.id as holder_id', 'projects.suspended_at'])
    .select(['projects.second_factor_required', 'sessions.second_factor', 'projects.allowed_addresses'])
    .select(['projects.sign_on_domains', 'project_members.by_sign_on', 'sessions.sign_on_project_id'])
    .select(['users.gid', 'users.email', 'users.first_name', 'users.last_name'])
    .where('sessions.token_hash', '=', createHash('sha256').update(token).digest())
    .where('sessions.expires_at', '>', now)
    .where('holder.suspended_at', 'is', null)
    .executeTakeFirst()
  if (!row) return { refused: 'loggedOut' }
  if (!row.id || !row.project_id || !row.roles) return { refused: 'gone' }
  const isLooker = row.holder_id !== row.user_id
  const rule = {
    id: row.project_id,
    second_factor_required: row.second_factor_required ?? false,
    sign_on_domains: row.sign_on_domains ?? [],
    by_sign_on: row.by_sign_on ?? false,
  }
  const { email, second_factor, sign_on_project_id: signOn } = row
  if (refusalOfSignIn(rule, { email, secured: second_factor !== null, signOn, viewer: isLooker }))
    return { refused: 'forbidden' }
  if (!isLooker && !isAllowedFrom(address, row.allowed_addresses ?? '')) return { refused: 'forbidden' }
  if (row.suspended_at || !isAllowed(row.roles, 'builder.view')) return { refused: 'forbidden' }
  // who sees the installation as somebody else looks on
  const write = !isLooker && isAllowed(row.roles, 'builder.update') && !row.chatbot_over && !row.member_over
  return {
    flow: { id: row.id, projectId: row.project_id },
    userId: row.user_id,
    person: personOf({ ...row, id: row.gid }, !write),
    write,
    expiresAt: row.expires_at,
  }
}
