import { type QueryExecutorProvider, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../tests/support/database'
import { toApiError } from '../errors'
import { createDatabase, type RootDb } from './database'
import { DatabaseUnavailable } from './unavailable'

let database: TestDatabase
let db: RootDb
const broken: Error[] = []
beforeAll(async () => {
  database = await createTestDatabase()
  db = createDatabase(database.connection, {
    onError: (error) => broken.push(error),
    timeouts: { statement: 150, idleTransaction: 150 },
  })
})
afterAll(async () => {
  await db.destroy()
  await database.close()
})

const sleep = (handle: QueryExecutorProvider) => sql`select pg_sleep(60)`.execute(handle)
const refused = (work: Promise<unknown>) =>
  work.then(
    () => 'not refused',
    (error: unknown) => toApiError(error),
  )

test('a statement that takes too long is ended, for all projects and for one; the connection goes on', async () => {
  const error = { code: 'too_slow', status: 503, message: expect.stringContaining('Ask for less at once') }
  expect(await refused(sleep(db))).toMatchObject(error)
  expect(await refused(sleep(db.forProject('1')))).toMatchObject(error)
  expect(await refused(db.transaction().execute((work) => sleep(work)))).toMatchObject(error)
  expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
})

test('a statement that may take longer says so for its transaction alone', async () => {
  const limit = async (handle: QueryExecutorProvider) =>
    (await sql<{ statement_timeout: string }>`show statement_timeout`.execute(handle)).rows[0]?.statement_timeout
  await db.transaction().execute(async (work) => {
    await sql`set local statement_timeout = '2min'`.execute(work)
    expect(await limit(work)).toBe('2min')
  })
  expect(await limit(db)).toBe('150ms')
})

test('a transaction that waits too long loses its connection, and others don’t', async () => {
  const lost = db.transaction().execute(async (work) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(work)
    const other = () => sql`select from pg_stat_activity where pid = ${rows[0]?.pid}`.execute(db)
    await expect.poll(async () => (await other()).rows.length).toBe(0)
    await sql`select 1`.execute(work)
  })
  await expect(lost).rejects.toThrow(DatabaseUnavailable)
  expect(broken.map(({ message }) => message).join()).toContain('idle-in-transaction timeout')
})

test('clients of their own, which migrate and back up, have no limit', async () => {
  const client = new pg.Client(database.connection)
  await client.connect()
  expect((await client.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '0' }])
  await client.end()
})
