import { sql } from 'kysely'
import type { Db } from '../../platform/database/database'

/**
 * Finds the visitor's address among a conversation's variables: the only address that is not an initial value of the
 * flow. Null if there is none, or more than one.
 */
export async function visitorsAddress(
  db: Db,
  { project_id, flow_version_id }: { project_id: string; flow_version_id: string },
  candidates: readonly string[],
): Promise<string | null> {
  if (candidates.length === 0) return null
  const row = await db
    .selectFrom('flow_versions')
    .select([
      sql<unknown>`flow -> 'variables'`.as('main'),
      sql<unknown>`(select json_agg(value -> 'variables') from json_each(flows))`.as('others'),
    ])
    .where('id', '=', flow_version_id)
    .where('project_id', '=', project_id)
    .executeTakeFirst()
  const before = new Set([row?.main, row?.others].flatMap((part) => initialValues(part)))
  const [first, ...rest] = candidates.filter((address) => !before.has(address))
  return rest.length === 0 ? (first ?? null) : null
}

/** The initial values of variables, including nested lists. */
function initialValues(part: unknown): string[] {
  if (Array.isArray(part)) return part.flatMap(initialValues)
  const value = typeof part === 'object' && part !== null && 'value' in part ? part.value : null
  return typeof value === 'string' ? [value.trim()] : []
}
