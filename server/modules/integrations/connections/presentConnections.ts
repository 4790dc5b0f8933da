import type { VendorConnection } from '../../../contracts/integrations'
import type { Db } from '../../../platform/database/database'
import { vendorErrors } from '../calls/vendorError'
import { vendorOf } from '../vendors'

const UNTOLD = 'Bookings that are made, moved or cancelled at Calendly do not come back to conversations.'

/** A project's connections, in the order of their vendors and accounts; or the one named. */
export async function presentConnections(
  db: Db,
  projectId: string,
  only: string | null = null,
): Promise<VendorConnection[]> {
  const rows = await db
    .selectFrom('connections')
    .leftJoin('users', 'users.id', 'connections.connected_by')
    .leftJoin('calendly_hooks', 'calendly_hooks.connection_id', 'connections.id')
    .select(['connections.gid', 'vendor', 'account_name', 'scopes', 'problem_at', 'connected_at', 'used_at'])
    .select(['connections.problem', 'connections.sandbox'])
    .select(['users.first_name', 'users.last_name', 'calendly_hooks.problem as untold'])
    .where('connections.project_id', '=', projectId)
    .$if(only !== null, (query) => query.where('connections.gid', '=', only ?? ''))
    .orderBy('vendor')
    .orderBy('connections.id')
    .execute()
  return rows.map((row) => ({
    gid: row.gid,
    vendor: row.vendor,
    account: row.account_name,
    scopes: row.scopes,
    sandbox: row.sandbox,
    problem:
      row.problem === null
        ? null
        : {
            code: row.problem,
            message: vendorErrors[row.problem](vendorOf(row.vendor).name),
            at: (row.problem_at ?? row.connected_at).toISOString(),
          },
    notice: row.problem === null && row.untold !== null ? `${UNTOLD} ${row.untold}` : null,
    connected_by: row.first_name === null ? null : `${row.first_name} ${row.last_name ?? ''}`.trim(),
    connected_at: row.connected_at.toISOString(),
    used_at: row.used_at?.toISOString() ?? null,
  }))
}
