import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, parseConfig } from '../../platform/config/config'
import type { Connection } from '../../platform/database/database'
import { startCluster } from '../../platform/database/embedded/cluster'
import { findRunning } from '../../platform/database/embedded/running'
import { exportInstallation } from '../../platform/transfer/exportInstallation'
import { importInstallation } from '../../platform/transfer/importInstallation'
import { CliError } from './cliError'
import { connectionOf } from './connection'
import { readOptions } from './options'
import { usages } from './usage'

/** `parley data export | import`: moves an installation between the embedded and any other PostgreSQL server. */
export async function dataCommand(args: string[]): Promise<number> {
  const { values, files } = readOptions('data', args, { 'without-key': { type: 'boolean' } }, { least: 2, most: 2 })
  const [act, folder] = files as [string, string]
  const config = parseConfig(process.env)
  if (act === 'export') return exportTo(folder, config)
  if (act === 'import') return importFrom(folder, config, values['without-key'] ?? false)
  throw new CliError(usages.data)
}

async function exportTo(folder: string, config: Config): Promise<number> {
  const { passphrase } = config.backup
  const made = await withDatabase(config, false, (connection) =>
    exportInstallation({ config, connection, folder, passphrase, clock: () => new Date(), onTable: showTable }),
  )
  const { manifest } = made
  print(`${made.folder} holds what was there at ${manifest.made_at}: ${contentOf(manifest)}.`)
  if (manifest.key === 'environment') print('Its keys are in SECRET_KEYS: give the same ones where it is imported.')
  if (manifest.key === 'left out')
    print(
      `The key (secret.key in ${config.dataDir}) is left out: set BACKUP_PASSPHRASE to keep it sealed, or copy it apart.`,
    )
  return 0
}

async function importFrom(folder: string, config: Config, withoutKey: boolean): Promise<number> {
  const { passphrase } = config.backup
  const manifest = await withDatabase(config, true, (connection) =>
    importInstallation({ config, connection, folder, passphrase, withoutKey, onTable: showTable }),
  )
  print(`The installation of ${manifest.made_at} is there: ${contentOf(manifest)}. Start it with npm start`)
  if (manifest.key === 'environment') print('Its keys were in SECRET_KEYS: give the same ones at the start.')
  else if (manifest.key === 'left out' || withoutKey)
    print('The key is not in it: put secret.key into DATA_DIR, or enter keys and connections of projects anew.')
  return 0
}

/**
 * Opens the database of the settings; the embedded one is started if it does not run, and stopped again.
 * @param alone refuses an embedded one that runs
 */
async function withDatabase<Result>(
  config: Config,
  alone: boolean,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const data = join(config.dataDir, 'postgres')
  if (config.databaseUrl || (!alone && (await findRunning(data))?.alive)) return work(await connectionOf())
  if (!alone && !existsSync(data)) throw new CliError(`${config.dataDir} holds no data. Give DATA_DIR or DATABASE_URL.`)
  const cluster = await startCluster({ folder: config.dataDir, notice: print })
  try {
    return await work(cluster.connection)
  } finally {
    await cluster.stop()
  }
}

function contentOf({ tables, files }: Awaited<ReturnType<typeof importInstallation>>): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  return `${tables.length} tables with ${rows} rows, ${files.count} ${files.count === 1 ? 'file' : 'files'}`
}

const showTable = ({ name, rows }: { name: string; rows: number }) => {
  if (rows > 0) process.stderr.write(`${name}: ${rows} rows\n`)
}

const print = (line: string) => void process.stdout.write(`${line}\n`)
