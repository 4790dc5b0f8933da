import { Kysely, PostgresDialect, type PostgresPoolClient, type Transaction, type TransactionBuilder } from 'kysely'
import pg from 'pg'
import type { DatabaseTimeouts } from '../config/databaseSettings'
import { type Commits, createCommits } from './commits'
import { createPipeline, GatheringSocket } from './pipeline'
import { createScopes } from './projectRole'
import { projectScope } from './projectScope'
import type { Database } from './tables'
import { DatabaseUnavailable, explainConnection } from './unavailable'

export type Db = Kysely<Database>
/** A transaction, passed to functions that must be part of it. */
export type Work = Transaction<Database>

declare const ofOneProject: unique symbol
/** A database handle that sees and writes only one project's rows. Used by routes of a project. */
export interface ProjectDb extends Kysely<Database> {
  readonly [ofOneProject]: true
  transaction(): ProjectTransactionBuilder
}
/** The same for a transaction. */
export interface ProjectWork extends Transaction<Database> {
  readonly [ofOneProject]: true
}
interface ProjectTransactionBuilder extends TransactionBuilder<Database> {
  execute<Value>(work: (trx: ProjectWork) => Promise<Value>): Promise<Value>
}

/** A handle on all projects, for logging in, jobs and sweeps: each query must name its project. */
export interface RootDb extends Kysely<Database> {
  /** Only the rows of one project, even if a query lacks the condition (projectScope.ts, projectRole.ts). */
  forProject(projectId: string): ProjectDb
  /**
   * Calls a listener after each commit of a statement that inserts into a table, by this handle or one of `forProject`.
   */
  afterInsert: Commits['afterInsert']
  /** how many connections work, are idle, and how many callers wait for one */
  connections(): PoolState
}
export type PoolState = Record<'working' | 'idle' | 'waiting', number>

/** The address of a PostgreSQL server: the embedded one's socket, or DATABASE_URL. */
export type Connection = Pick<pg.PoolConfig, 'host' | 'port' | 'user' | 'password' | 'database' | 'connectionString'>

/**
 * Opens a connection pool behind Kysely; `db.destroy()` closes it. The driver returns ids (bigint) and counts as
 * strings.
 * @param options.onError called when a connection breaks (the pool replaces it)
 * @param options.timeouts for all of its connections, whichever role they work as; default: none
 */
export function createDatabase(
  connection: Connection,
  options: { max?: number; onError?: (error: Error) => void; timeouts?: DatabaseTimeouts } = {},
): RootDb {
  const pool = new pg.Pool({
    ...connection,
    max: options.max ?? 16,
    connectionTimeoutMillis: 10_000,
    pipeline: true,
    stream: () => new GatheringSocket(),
  })
  const report = options.onError ?? (() => {})
  // A listener on each connection too: an error on one that is checked out would otherwise end the process.
  pool.on('error', () => {}).on('connect', (client) => client.on('error', (error) => report(asUnavailable(error))))
  const limits = options.timeouts && limitsOf(options.timeouts)
  // by a statement, not at the connection's start, where poolers in between refuse what they don't know
  if (limits) pool.on('connect', (client) => void client.query(limits).catch(report))
  const scopes = createScopes()
  const commits = createCommits()
  const dialect = (projectId: string | null) => {
    const take = async () => {
      const client = await pool.connect().catch(unreachable)
      await scopes.enter(client, projectId).catch((error) => {
        client.release(true)
        broken(error)
      })
      return preparing(client, commits.follow())
    }
    return new PostgresDialect({ pool: { connect: take, end: () => (projectId ? Promise.resolve() : pool.end()) } })
  }
  const forProject = (projectId: string) =>
    new Kysely<Database>({ dialect: dialect(projectId), plugins: [projectScope(projectId)] }) as ProjectDb
  return Object.assign(new Kysely<Database>({ dialect: dialect(null) }), {
    forProject,
    afterInsert: commits.afterInsert,
    connections: () => ({
      working: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
  })
}

const limitsOf = ({ statement, idleTransaction }: DatabaseTimeouts): string =>
  `set statement_timeout = ${statement}; set idle_in_transaction_session_timeout = ${idleTransaction}`

/** Whatever the reason: without a connection the database is unavailable. */
function unreachable(thrown: unknown): never {
  throw new DatabaseUnavailable(thrown instanceof Error ? thrown.message : String(thrown), { cause: thrown })
}

function broken(thrown: unknown): never {
  throw explainConnection(thrown)
}

/** The error of an idle connection that breaks: reported as one incident of the database. */
function asUnavailable(error: Error): Error {
  return new DatabaseUnavailable(error.message, { cause: error })
}

/** Each prepared statement costs memory in every connection; generated texts must not each have one. */
const MOST_NAMES = 300
const names = new Map<string, string>()

/** Names the first statements, so that the server parses and plans each once per connection. */
function preparing(client: pg.PoolClient, done: ReturnType<Commits['follow']>): PostgresPoolClient {
  const run = createPipeline((text, values) => {
    if (!names.has(text) && names.size < MOST_NAMES) names.set(text, `p${names.size}`)
    return client.query({ name: names.get(text), text, values: [...values] })
  }, done)
  const query = (text: string, values: readonly unknown[]) => run(text, values).catch(broken)
  // Kysely's other query method (cursors) is for streaming, which we don't use.
  return { query, release: () => client.release() } as unknown as PostgresPoolClient
}
