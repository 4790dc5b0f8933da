import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Database } from './tables'

export type Db = Kysely<Database>

/** Where a PostgreSQL server listens: the embedded one's socket, or DATABASE_URL. */
export type Connection = Pick<pg.PoolConfig, 'host' | 'port' | 'user' | 'password' | 'database' | 'connectionString'>

/**
 * Opens a pool of connections behind Kysely; `db.destroy()` closes it. Ids (bigint) and counts come as strings, the driver's way.
 * @param onError told when an idle connection breaks (the pool replaces it by itself)
 */
export function createDatabase(
  connection: Connection,
  options: { max?: number; onError?: (error: Error) => void } = {},
): Db {
  const pool = new pg.Pool({ ...connection, max: options.max ?? 16, connectionTimeoutMillis: 10_000 })
  pool.on('error', options.onError ?? (() => {}))
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
}
