import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { type Connection, createDatabase, type RootDb } from '../../server/platform/database/database'

declare module 'vitest' {
  interface ProvidedContext {
    databaseServer: { connection: Connection; failure: string | null }
  }
}

export interface TestDatabase {
  db: RootDb
  connection: Connection
  /** closes the pool and drops the database */
  close: () => Promise<void>
}

/**
 * A new, migrated database on the run's embedded server (tests/support/databaseServer.ts): cloned from a template in
 * some 30 ms. Call `close` in afterAll.
 */
export async function createTestDatabase(server: Connection = testServer()): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(server, `CREATE DATABASE ${name} TEMPLATE parley_template`)
  const connection = { ...server, database: name }
  const db = createDatabase(connection, { max: 8 })
  const close = async () => {
    await db.destroy()
    await administer(server, `DROP DATABASE ${name} WITH (FORCE)`)
  }
  return { db, connection, close }
}

/** @returns the run's embedded server. @throws if the migrations failed on it */
function testServer(): Connection {
  const { connection, failure } = inject('databaseServer')
  if (failure) throw new Error(failure)
  return connection
}

async function administer(server: Connection, sql: string): Promise<void> {
  const client = new pg.Client({ ...server, database: 'postgres' })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
