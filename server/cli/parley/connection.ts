import { join } from 'node:path'
import { parseConfig } from '../../platform/config/config'
import type { Connection } from '../../platform/database/database'
import { findRunning } from '../../platform/database/embedded/running'
import { CliError } from './cliError'

/** The database that a start with the same settings would open; the embedded one only while it runs. */
export async function connectionOf(): Promise<Connection> {
  const { databaseUrl, dataDir } = parseConfig(process.env)
  if (databaseUrl) return { connectionString: databaseUrl }
  const running = await findRunning(join(dataDir, 'postgres'))
  if (!running?.alive)
    throw new CliError(`No Parley runs over ${dataDir}. Start it first, or give DATABASE_URL or DATA_DIR.`)
  return { host: running.socket, port: running.port, user: 'parley', database: 'parley' }
}
