import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type DatabaseUrl, startDatabaseServer } from '../../../tests/support/databaseUrl'
import { parseConfig } from '../config/config'
import { type Connection, createDatabase, type Db } from './database'
import { type Migration, migrate, migrations } from './migrate'
import { openStorage } from './openStorage'

/** Tables of the whole installation or of an account; all others belong to a project. */
const WITHOUT_PROJECT = [
  'schema_migrations',
  'installation',
  'users',
  'sessions',
  'password_resets',
  'acme_accounts',
  'email_changes',
  'known_devices',
  'registrations',
  'two_factors',
  'recovery_codes',
  'begun_logins',
  'passkeys',
  'passkey_challenges',
  'projects',
  'user_settings',
  'user_pictures',
  'event_consumers',
  'push_keys',
  'push_subscriptions',
  'operator_actions',
]

let server: DatabaseUrl
beforeAll(async () => {
  server = await startDatabaseServer()
})
afterAll(() => server.stop())

describe.each([
  ['the embedded server', (): Connection => inject('databaseServer').connection],
  ['a DATABASE_URL', (): Connection => ({ connectionString: server.url })],
])('on %s', (_, connect) => {
  let name: string
  let connection: Connection
  let db: Db

  beforeAll(async () => {
    name = `storage_${randomBytes(6).toString('hex')}`
    await administer(connect(), `CREATE DATABASE ${name}`)
    connection = inDatabase(connect(), name)
    db = createDatabase(connection)
  })
  afterAll(async () => {
    await db.destroy()
    await administer(connect(), `DROP DATABASE ${name} WITH (FORCE)`)
  })

  test('processes that start at once run each migration one time', async () => {
    const ran = await Promise.all([migrate(connection), migrate(connection), migrate(connection)])
    expect(ran.flat()).toEqual(migrations.map((migration) => migration.name))
    expect(await migrate(connection)).toEqual([])
  })

  test('the rows that point at a row are found by an index, so that a deletion reads no whole table', async () => {
    await migrate(connection)
    const { rows } = await sql<{ key: string }>`
      select format('%s (%s)', conrelid::regclass, conname) as key from pg_constraint
      where contype = 'f' and not exists (
        select from pg_index
        where indrelid = conrelid and indkey[0] = any (conkey)
          and (indpred is null or pg_get_expr(indpred, indrelid) = format('(%I IS NOT NULL)',
            (select attname from pg_attribute where attrelid = conrelid and attnum = conkey[1])))
      )`.execute(db)
    expect(rows.map(({ key }) => key)).toEqual([])
  })

  test('every table names its project, but for those of the installation and of accounts', async () => {
    const tables = await sql<{ name: string; tenant: boolean }>`
      SELECT t.table_name AS name, bool_or(c.column_name = 'project_id') AS tenant
      FROM information_schema.tables t JOIN information_schema.columns c USING (table_schema, table_name)
      WHERE t.table_schema = 'public' GROUP BY t.table_name`.execute(db)
    const without = tables.rows.filter((row) => !row.tenant).map((row) => row.name)
    expect(without.sort()).toEqual([...WITHOUT_PROJECT].sort())
  })

  test('a migration that fails leaves nothing behind and can be mended', async () => {
    const broken: Migration = { name: '9000_broken', sql: 'CREATE TABLE half (id int); SELECT * FROM nowhere' }
    await expect(migrate(connection, [...migrations, broken])).rejects.toThrow('Migration 9000_broken failed')
    expect((await sql`SELECT to_regclass('half') AS found`.execute(db)).rows).toEqual([{ found: null }])
    const mended = { ...broken, sql: 'CREATE TABLE half (project_id int); DROP TABLE half' }
    expect(await migrate(connection, [...migrations, mended])).toEqual(['9000_broken'])
    await sql`DELETE FROM schema_migrations WHERE name = '9000_broken'`.execute(db)
  })

  test('a migration that changed after it ran is refused', async () => {
    const [first, ...others] = migrations
    const changed = { name: first?.name ?? '', sql: 'SELECT 1' }
    await expect(migrate(connection, [changed, ...others])).rejects.toThrow(`${first?.name} has changed after it ran`)
  })

  test('data of a newer Parley is refused', async () => {
    await expect(migrate(connection, migrations.slice(0, -1))).rejects.toThrow('made by a newer Parley')
  })

  test('a transaction that throws changes nothing', async () => {
    const change = db.transaction().execute(async (transaction) => {
      await sql`UPDATE installation SET setup_token_hash = '\\x00'`.execute(transaction)
      throw new Error('after the change')
    })
    await expect(change).rejects.toThrow('after the change')
    const { rows } = await sql`SELECT 1 FROM installation WHERE setup_token_hash IS NOT NULL`.execute(db)
    expect(rows).toEqual([])
  })

  test('text comes back as it went in, whatever it is written in', async () => {
    const text = 'Grüße, 你好, ‏שלום‏, 👩‍👩‍👧 and \\ \' " % _'
    const { rows } = await sql<{ text: string }>`SELECT ${text}::text AS text`.execute(db)
    expect(rows[0]?.text).toBe(text)
  })
})

test('storage opens a DATABASE_URL through the same code path', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-storage-'))
  const storage = await openStorage(
    parseConfig({ DATABASE_URL: server.url, DATA_DIR: folder }),
    () => {},
    () => {},
  )
  const { rows } = await sql<{ count: string }>`SELECT count(*) FROM schema_migrations`.execute(storage.db)
  expect(Number(rows[0]?.count)).toBe(migrations.length)
  await storage.close()
  await rm(folder, { recursive: true })
})

function inDatabase(connection: Connection, database: string): Connection {
  if (!connection.connectionString) return { ...connection, database }
  const url = new URL(connection.connectionString)
  url.pathname = database
  return { connectionString: url.href }
}

async function administer(connection: Connection, statement: string): Promise<void> {
  const client = new pg.Client(inDatabase(connection, 'postgres'))
  await client.connect()
  await client.query(statement)
  await client.end()
}
