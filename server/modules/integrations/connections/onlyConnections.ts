import type { VendorSlug } from '../../../contracts/integrations'
import type { Db } from '../../../platform/database/database'

/** A project's connections, by vendor, where it has one alone: which one is meant is no question then. */
export async function onlyConnections(db: Db, projectId: string): Promise<Map<VendorSlug, string>> {
  const rows = await db
    .selectFrom('connections')
    .select(['vendor', ({ fn }) => fn.min('gid').as('gid')])
    .where('project_id', '=', projectId)
    .groupBy('vendor')
    .having(({ fn }) => fn.countAll(), '=', 1)
    .execute()
  return new Map(rows.map(({ vendor, gid }) => [vendor, gid]))
}
