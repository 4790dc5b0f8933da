import type { Kysely } from 'kysely'
import type { Database } from '../../platform/database/tables'

/** Serializes the uses of a project's credits. */
export const lockProject = (work: Kysely<Database>, projectId: string) =>
  work
    .selectFrom('projects')
    .select(['plan_id', 'addons', 'overage_credits'])
    .where('id', '=', projectId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
