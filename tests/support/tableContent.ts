import pg from 'pg'
import type { Connection } from '../../server/platform/database/database'

/** Runs one statement on a connection of its own. */
export async function asked<Row extends pg.QueryResultRow>(connection: Connection, text: string): Promise<Row[]> {
  const client = new pg.Client(connection)
  await client.connect()
  return client.query<Row>(text).then(
    async ({ rows }) => {
      await client.end()
      return rows
    },
    async (error: unknown) => {
      await client.end()
      throw error
    },
  )
}

/** All rows of all tables, by table, as their number and a hash; but those that differ in each server. */
export async function contentOf(connection: Connection): Promise<Map<string, { rows: string; digest: string }>> {
  const tables = await asked<{ name: string }>(
    connection,
    `select table_name as name from information_schema.tables
      where table_schema = 'public' and table_name not in ('schema_migrations', 'installation')
        and table_name not like 'events\\_%' order by 1`,
  )
  const parts = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*) as rows, md5(string_agg(t::text, '|' order by t::text)) as digest from "${name}" t`,
  )
  const rows = await asked<{ name: string; rows: string; digest: string }>(connection, parts.join(' union all '))
  return new Map(rows.map(({ name, ...content }) => [name, content]))
}
