import { createHash } from 'node:crypto'
import { isAllowed } from '../api/roles'
import type { ServerContext } from '../context'
import type { FlowRef } from './store'

/** What a session may do with a flow now. Whoever is no member of the flow's project is told that it is not there. */
export type Rights = { flow: FlowRef; write: boolean } | { refused: 'loggedOut' | 'forbidden' | 'gone' }

/** Reads session, flow and roles in one query: it is asked again while a socket is open. */
export async function rightsOf(
  { db, clock }: Pick<ServerContext, 'db' | 'clock'>,
  token: string,
  flowGid: string,
): Promise<Rights> {
  const row = await db
    .selectFrom('sessions')
    .leftJoin('flows', (join) => join.on('flows.gid', '=', flowGid))
    .leftJoin('project_members', (join) =>
      join
        .onRef('project_members.project_id', '=', 'flows.project_id')
        .onRef('project_members.user_id', '=', 'sessions.user_id'),
    )
    .select(['flows.id', 'flows.project_id', 'project_members.roles'])
    .where('sessions.token_hash', '=', createHash('sha256').update(token).digest())
    .where('sessions.expires_at', '>', clock())
    .executeTakeFirst()
  if (!row) return { refused: 'loggedOut' }
  if (!row.id || !row.project_id || !row.roles) return { refused: 'gone' }
  if (!isAllowed(row.roles, 'builder.view')) return { refused: 'forbidden' }
  return { flow: { id: row.id, projectId: row.project_id }, write: isAllowed(row.roles, 'builder.update') }
}
