import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../tests/support/database'
import { lockCluster } from './lock'

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(() => database.close())

const holder = async () => {
  const { rows } = await sql<{ pid: number }>`select pid from pg_locks
    where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`.execute(
    database.db,
  )
  return rows[0]?.pid ?? null
}

test('the lock is taken again when the server loses its connection, and given back once', async () => {
  const lock = await lockCluster(database.connection, 'here')
  for (let time = 0; time < 3; time++) {
    const before = await holder()
    await sql`select pg_terminate_backend(${before}::int)`.execute(database.db)
    await expect.poll(async () => ![null, before].includes(await holder())).toBe(true)
    await expect(lockCluster(database.connection, 'here')).rejects.toThrow('in use by another Parley')
  }
  await lock.release()
  await expect.poll(holder).toBeNull()
  const next = await lockCluster(database.connection, 'here')
  await next.release()
})
