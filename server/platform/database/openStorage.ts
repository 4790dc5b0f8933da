import pg from 'pg'
import { type Config, withoutPassword } from '../config/config'
import { keepEpoch } from '../events/epoch'
import { placeOfFiles } from '../files/openFiles'
import { type Connection, createDatabase, type RootDb } from './database'
import { startCluster } from './embedded/cluster'
import { bindFiles, refuseForeignFiles } from './installation'
import { migrate } from './migrate'
import { worksAsRole } from './projectRole'
import { StartError } from './startError'

export interface Storage {
  db: RootDb
  /**
   * DATABASE_URL for other processes on this machine, if the server is embedded; null: they use the same DATABASE_URL
   */
  url: string | null
  /** called when the embedded server ends unexpectedly */
  onLost: (listener: (reason: string) => void) => void
  close: () => Promise<void>
}

const CLOSE_TIMEOUT = 1_000
const UNPROTECTED =
  'Row-level security is not in force: the login of DATABASE_URL may not make its role. Once, as an administrator of that server: ' +
  'CREATE ROLE parley_project NOLOGIN; GRANT parley_project TO <login>; then start again'

/**
 * Opens the configured database, or the embedded one, and runs migrations. Later code knows only the connection.
 * @param onError called when a connection breaks
 * @param adoptFiles binds the files in `dataDir` to this database, even if they belong to another one
 * @throws StartError with one line for problems that the operator can fix
 */
export async function openStorage(
  config: Config,
  notice: (text: string) => void,
  onError: (error: Error) => void,
  adoptFiles = false,
): Promise<Storage> {
  const server = config.databaseUrl
    ? await reachServer(config.databaseUrl)
    : await startCluster({ folder: config.dataDir, notice })
  const binding = {
    connection: server.connection,
    files: placeOfFiles(config),
    database: config.databaseUrl ? withoutPassword(config.databaseUrl) : `the database in ${config.dataDir}`,
    adopt: adoptFiles,
  }
  try {
    await refuseForeignFiles(binding)
    await migrate(server.connection)
    await bindFiles(binding)
    if (!(await isProtected(server.connection))) notice(UNPROTECTED)
  } catch (error) {
    await server.stop()
    throw isFull(error) ? new StartError('The disk of the database is full: free some space and start again') : error
  }
  let closing = false
  const db = createDatabase(server.connection, {
    onError: (error) => closing || onError(error),
    timeouts: config.databaseTimeouts,
  })
  await keepEpoch(db)
  const close = async () => {
    closing = true
    await Promise.race([db.destroy(), new Promise((done) => setTimeout(done, CLOSE_TIMEOUT).unref())])
    await server.stop()
  }
  return { db, url: server.url, onLost: server.onLost, close }
}

async function isProtected(connection: Connection): Promise<boolean> {
  const client = new pg.Client(connection)
  await client.connect()
  return worksAsRole(client).finally(() => client.end())
}

async function reachServer(
  url: string,
): Promise<{ connection: Connection; url: null; onLost: Storage['onLost']; stop: () => Promise<void> }> {
  const connection = { connectionString: url }
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    throw new StartError(`DATABASE_URL ${withoutPassword(url)} can't be used: ${explain(error)}`)
  } finally {
    await client.end().catch(() => {})
  }
  return { connection, url: null, onLost: () => {}, stop: async () => {} }
}

/** PostgreSQL's codes 28*: the login was refused; 3D000: unknown database. */
function explain(error: unknown): string {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (code === 'ECONNREFUSED') return 'no server listens there. Start it, or correct host and port'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'its host is unknown. Correct the host'
  if (code.startsWith('28')) return 'the server refuses the login. Correct user and password'
  if (code === '3D000') return 'the server has no such database. Create it, or correct its name'
  return (message || code || 'no answer').split('\n', 1)[0] as string
}

function isFull(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const code = (cause as { code?: string }).code
  return code === '53100' || code === 'ENOSPC'
}
