import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { type Connection, createDatabase, type RootDb } from '../../server/platform/database/database'

declare module 'vitest' {
  interface ProvidedContext {
    databaseServer: { connection: Connection; url: string; failure: string | null }
  }
}

export interface TestDatabase {
  db: RootDb
  connection: Connection
  /** its DATABASE_URL */
  url: string
  /** closes the pool and drops the database */
  close: () => Promise<void>
}

/**
 * A new, migrated database on the run's embedded server (tests/support/databaseServer.ts): cloned from a template in
 * some 30 ms. Call `close` in afterAll.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { connection: server, url: address } = testServer()
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(server, `CREATE DATABASE ${name} TEMPLATE parley_template STRATEGY FILE_COPY`)
  const connection = { ...server, database: name }
  const db = createDatabase(connection, { max: 8 })
  const url = new URL(address)
  url.pathname = `/${name}`
  const close = async () => {
    await db.destroy()
    await administer(server, `DROP DATABASE ${name} WITH (FORCE)`)
  }
  return { db, connection, url: url.href, close }
}

/** @returns the run's embedded server. @throws if the migrations failed on it */
function testServer() {
  const { failure, ...server } = inject('databaseServer')
  if (failure) throw new Error(failure)
  return server
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
