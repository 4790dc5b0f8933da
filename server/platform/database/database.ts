import { Kysely, PostgresDialect, type PostgresPoolClient, type Transaction, type TransactionBuilder } from 'kysely'
import pg from 'pg'
import { createScopes } from './projectRole'
import { projectScope } from './projectScope'
import type { Database } from './tables'
import { DatabaseUnavailable, explainConnection } from './unavailable'

export type Db = Kysely<Database>
/** A transaction, handed to what has to be part of it. */
export type Work = Transaction<Database>

declare const ofOneProject: unique symbol
/** A database handle that sees one project's rows alone, and writes no other's. What a route of a project works with. */
export interface ProjectDb extends Kysely<Database> {
  readonly [ofOneProject]: true
  transaction(): ProjectTransactionBuilder
}
/** Likewise of a transaction. */
export interface ProjectWork extends Transaction<Database> {
  readonly [ofOneProject]: true
}
interface ProjectTransactionBuilder extends TransactionBuilder<Database> {
  execute<Value>(work: (trx: ProjectWork) => Promise<Value>): Promise<Value>
}

/** The handle that sees all projects: for logging in, jobs and sweeps; each query has to say whose rows it means. */
export interface RootDb extends Kysely<Database> {
  /** The rows of one project, whatever a query says or forgets to say (projectScope.ts, projectRole.ts). */
  forProject(projectId: string): ProjectDb
}

/** Where a PostgreSQL server listens: the embedded one's socket, or DATABASE_URL. */
export type Connection = Pick<pg.PoolConfig, 'host' | 'port' | 'user' | 'password' | 'database' | 'connectionString'>

/**
 * Opens a pool of connections behind Kysely; `db.destroy()` closes it. Ids (bigint) and counts come as strings, the driver's way.
 * @param onError told when a connection breaks (the pool replaces it by itself)
 */
export function createDatabase(
  connection: Connection,
  options: { max?: number; onError?: (error: Error) => void } = {},
): RootDb {
  const pool = new pg.Pool({ ...connection, max: options.max ?? 16, connectionTimeoutMillis: 10_000 })
  const report = options.onError ?? (() => {})
  // On each connection too: one that breaks while it is out of the pool would otherwise end the process.
  pool.on('error', () => {}).on('connect', (client) => client.on('error', (error) => report(asUnavailable(error))))
  const scopes = createScopes()
  const dialect = (projectId: string | null) => {
    const take = async () => {
      const client = await pool.connect().catch(unreachable)
      await scopes.enter(client, projectId).catch((error) => {
        client.release(true)
        broken(error)
      })
      return preparing(client)
    }
    return new PostgresDialect({ pool: { connect: take, end: () => (projectId ? Promise.resolve() : pool.end()) } })
  }
  const forProject = (projectId: string) =>
    new Kysely<Database>({ dialect: dialect(projectId), plugins: [projectScope(projectId)] }) as ProjectDb
  return Object.assign(new Kysely<Database>({ dialect: dialect(null) }), { forProject })
}

/** Whatever the reason: without a connection there is no database. */
function unreachable(thrown: unknown): never {
  throw new DatabaseUnavailable(thrown instanceof Error ? thrown.message : String(thrown), { cause: thrown })
}

function broken(thrown: unknown): never {
  throw explainConnection(thrown)
}

/** What a connection says that breaks while nothing is asked: of all of them together it is one trouble with the database. */
function asUnavailable(error: Error): Error {
  return new DatabaseUnavailable(error.message, { cause: error })
}

/** Each name costs the server memory in every connection; texts that vary without end must not have one each. */
const MOST_NAMES = 300
const names = new Map<string, string>()

/** Names the first statements it meets, so that the server parses and plans each once a connection, not once a call. */
function preparing(client: pg.PoolClient): PostgresPoolClient {
  const query = (text: string, values: readonly unknown[]) => {
    if (!names.has(text) && names.size < MOST_NAMES) names.set(text, `p${names.size}`)
    return client.query({ name: names.get(text), text, values: [...values] }).catch(broken)
  }
  // Kysely's other way to query, by a cursor, is for streams, which we don't use.
  return { query, release: () => client.release() } as unknown as PostgresPoolClient
}
