import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { checkChecksums, readChecksums } from '../backup/checksums'
import { PARTS } from '../backup/manifest'
import { readKey } from '../backup/sealedKey'
import type { Config } from '../config/config'
import type { Connection } from '../database/database'
import { migrate, migrations } from '../database/migrate'
import { StartError } from '../database/startError'
import { createFileStore } from '../files/files'
import { moveFiles } from '../files/moveFiles'
import { openFiles, placeOfFiles } from '../files/openFiles'
import { migrationsOf, SETTINGS } from './catalogue'
import { type ExportManifest, partOf, readExportManifest } from './exportManifest'
import { loadTables, type OnTable } from './loadTables'

export interface ImportOptions {
  config: Pick<Config, 'dataDir' | 'secretKeys' | 'bucket' | 'freeSpace'>
  /** of a database that holds no account and no project, and that nobody else uses */
  connection: Connection
  /** what `exportInstallation` made */
  folder: string
  passphrase: string | null
  /** imports without the key: what it sealed has to be entered again */
  withoutKey: boolean
  onTable: OnTable
}

/**
 * Fills an empty database, its files and its key with an export, which may be of an older schema: the migrations that
 * it lacks run afterwards. All rows are there, or none; the command can be given again after one that failed.
 * @throws StartError if the export is damaged or foreign, the target is in use, or the passphrase is another one
 */
export async function importInstallation(options: ImportOptions): Promise<ExportManifest> {
  const { config, connection, folder, onTable } = options
  const manifest = await readExportManifest(folder)
  const sums = await readChecksums(folder, manifest.checksums)
  await checkChecksums(folder, sums)
  const unlisted = manifest.tables.find(({ name }) => !sums.has(partOf(name)))
  if (unlisted) throw new StartError(`${partOf(unlisted.name)} is missing in ${PARTS.checksums}: use another export`)
  const key = await keyFor(options, manifest)
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(SETTINGS)
    await refuseUsed(client, manifest)
    await bindPlace(config, manifest.installation)
    const { dataDir, freeSpace, bucket } = config
    await moveFiles(createFileStore(join(folder, PARTS.files)), openFiles({ dataDir, freeSpace, bucket }), () => {})
    if (key) await putKey(config.dataDir, key)
    await makeSchema(connection, client, manifest)
    await loadTables(client, folder, manifest, onTable)
  } finally {
    await client.end().catch(() => {})
  }
  await migrate(connection)
  return manifest
}

/** Whether the installation can be put here without harm. */
async function refuseUsed(client: pg.Client, manifest: ExportManifest): Promise<void> {
  const { rows } = await client.query<{ others: number }>(
    `select count(*)::int as others from pg_stat_activity where datname = current_database()
      and pid <> pg_backend_pid() and coalesce(backend_type, 'client backend') = 'client backend'`,
  )
  if (rows[0]?.others) throw new StartError('Other programs use this database: stop them, Parley too, and try again')
  const known = new Set(migrations.map(({ name }) => name))
  const newer = manifest.migrations.find(({ name }) => !known.has(name))
  if (newer)
    throw new StartError(`A newer Parley made this export (it has migration ${newer.name}): import it by that one`)
  const there = await migrationsOf(client)
  if (there.length === 0) return
  const used = await client.query('select from users union all select from projects limit 1')
  if (used.rowCount) throw new StartError('This database holds an installation already: give an empty one')
  if (nameAll(there) !== nameAll(manifest.migrations))
    throw new StartError('The tables of this database are of another version than the export: give an empty database')
}

const nameAll = (list: readonly { name: string }[]) => list.map(({ name }) => name).join()

/** Makes the tables as they were where the export came from. */
async function makeSchema(connection: Connection, client: pg.Client, manifest: ExportManifest): Promise<void> {
  const wanted = new Set(manifest.migrations.map(({ name }) => name))
  await migrate(
    connection,
    migrations.filter(({ name }) => wanted.has(name)),
  )
  const made = new Map((await migrationsOf(client)).map(({ name, checksum }) => [name, checksum]))
  const changed = manifest.migrations.find(({ name, checksum }) => made.get(name) !== checksum)
  if (changed)
    throw new StartError(`Migration ${changed.name} is not the one that made this export: import it by that Parley`)
}

/** Binds the place of the files to the installation that comes, so that a second try finds its own. */
async function bindPlace(config: ImportOptions['config'], installation: string): Promise<void> {
  const place = placeOfFiles(config)
  const bound = await place.read()
  if (bound === installation) return
  if (await place.holdsFiles())
    throw new StartError(`${place.name} holds the files of another installation: give an empty DATA_DIR or bucket`)
  await place.write(installation, true)
}

/** @returns what `secret.key` is to hold; null: nothing is to be written */
async function keyFor(options: ImportOptions, manifest: ExportManifest): Promise<string | null> {
  const { config, folder, passphrase, withoutKey } = options
  if (manifest.key !== 'sealed' || withoutKey) return null
  const key = await readKey(folder, passphrase)
  if (config.secretKeys.length > 0)
    throw new StartError(
      'SECRET_KEYS is set, and the export has a key of its own: import without SECRET_KEYS, then add the line of secret.key to it',
    )
  const path = join(config.dataDir, 'secret.key')
  if (!existsSync(path)) return key
  if ((await readFile(path, 'utf8')).trim() === key.trim()) return null
  throw new StartError(`${resolve(path)} is another key than the export's: give an empty folder as DATA_DIR`)
}

async function putKey(dataDir: string, key: string): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  await writeFile(join(dataDir, 'secret.key'), key, { mode: 0o600, flag: 'wx' })
}
