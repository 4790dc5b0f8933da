import { type RawBuilder, sql } from 'kysely'
import type { RootDb } from '../../server/platform/database/database'

/**
 * Runs a task while the database refuses each new row of a table, and each change of one.
 * @param unless a condition on the row under which it is taken all the same
 */
export async function refusing<Result>(
  db: RootDb,
  table: string,
  task: () => Promise<Result>,
  unless: RawBuilder<unknown> = sql`false`,
): Promise<Result> {
  const [name, constraint] = [sql.table(table), sql.ref('refuses_all')]
  await sql`alter table ${name} add constraint ${constraint} check (${unless}) not valid`.execute(db)
  try {
    return await task()
  } finally {
    await sql`alter table ${name} drop constraint ${constraint}`.execute(db)
  }
}
