import { mkdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { type Checksums, sha256Of, writeChecksums } from '../backup/checksums'
import { copyBucket } from '../backup/copyBucket'
import { copyFiles, writeSynced } from '../backup/copyFiles'
import { PARTS } from '../backup/manifest'
import { keepKey, refuseShort } from '../backup/sealedKey'
import { makeWhole } from '../backup/wholeFolder'
import { writeCompressed } from '../backup/writeCompressed'
import type { Config } from '../config/config'
import type { Connection } from '../database/database'
import { StartError } from '../database/startError'
import { createBucket } from '../files/bucket/createBucket'
import { migrationsOf, SETTINGS, tablesOf } from './catalogue'
import { EXPORT_MANIFEST, type ExportedTable, type ExportManifest, partOf } from './exportManifest'

export interface ExportOptions {
  config: Pick<Config, 'dataDir' | 'secretKeys' | 'bucket'>
  /** of any PostgreSQL, which may be in use */
  connection: Connection
  /** the folder to be made */
  folder: string
  /** null: the key of `DATA_DIR` is left out */
  passphrase: string | null
  clock: () => Date
  /** called after each table */
  onTable: (table: Pick<ExportedTable, 'name' | 'rows'>) => void
}

/**
 * Writes a whole installation into a folder that any other PostgreSQL can take: the rows of all tables as they are at
 * one moment, then the files, then the key. The folder is complete, or is not there.
 * @throws StartError for what the operator can mend
 */
export async function exportInstallation(
  options: ExportOptions,
): Promise<{ folder: string; manifest: ExportManifest }> {
  const { config, connection, passphrase, clock, onTable } = options
  const place = resolve(options.folder)
  refuseShort(passphrase)
  const { folder, told } = await makeWhole(dirname(place), async (partial) => {
    const sums: Checksums = new Map()
    const rows = await exportRows(connection, partial, sums, clock, onTable)
    const files = config.bucket
      ? await copyBucket(createBucket(config.bucket), partial, null, sums)
      : await copyFiles(join(config.dataDir, 'files'), partial, null, sums)
    const key = await keepKey(config, partial, passphrase, sums)
    const list = writeChecksums(sums)
    await writeSynced(join(partial, PARTS.checksums), list)
    const manifest: ExportManifest = { format: 1, ...rows, files, key, checksums: sha256Of(list) }
    await writeSynced(join(partial, EXPORT_MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`)
    return { name: basename(place), told: manifest }
  })
  return { folder, manifest: told }
}

type Rows = Pick<ExportManifest, 'made_at' | 'installation' | 'postgres' | 'migrations' | 'tables' | 'sequences'>

async function exportRows(
  connection: Connection,
  folder: string,
  sums: Checksums,
  clock: () => Date,
  onTable: ExportOptions['onTable'],
): Promise<Rows> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(SETTINGS)
    // one moment for all tables, while others go on to write
    await client.query('begin isolation level repeatable read, read only')
    const migrations = await migrationsOf(client)
    if (migrations.length === 0) throw new StartError('This database holds no installation of Parley')
    const made_at = clock().toISOString()
    const told = await client.query<{ installation: string; postgres: string }>(
      `select bus_name as installation, current_setting('server_version') as postgres from installation`,
    )
    const { installation = '', postgres = '' } = told.rows[0] ?? {}
    await mkdir(join(folder, dirname(partOf(''))))
    const tables: ExportedTable[] = []
    for (const { name, columns } of await tablesOf(client)) {
      const named = columns.map((column) => client.escapeIdentifier(column)).join(', ')
      const rows = client.query(copyTo(`copy (select ${named} from ${client.escapeIdentifier(name)}) to stdout`))
      sums.set(partOf(name), await writeCompressed(rows, join(folder, partOf(name))))
      tables.push({ name, columns, rows: rows.rowCount })
      onTable({ name, rows: rows.rowCount })
    }
    // they are of no moment: what they lead is never less than the rows have
    const { rows: sequences } = await client.query<{ name: string; last: string }>(
      `select sequencename::text as name, last_value::text as last from pg_sequences
        where schemaname = current_schema() and last_value is not null order by 1`,
    )
    return { made_at, installation, postgres, migrations, tables, sequences }
  } finally {
    await client.end().catch(() => {})
  }
}
