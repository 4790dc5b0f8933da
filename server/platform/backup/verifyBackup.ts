import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Connection } from '../database/database'
import { clusterFolder, startCluster } from '../database/embedded/cluster'
import { databaseOwner } from '../database/embedded/owner'
import { StartError } from '../database/startError'
import { type Checksums, checkChecksums, readChecksums } from './checksums'
import { type Manifest, PARTS, readManifest } from './manifest'
import { restoreDatabase } from './restoreBackup'

export interface Verified {
  manifest: Manifest
  tables: number
  rows: number
  /** files that the database names, all of which are there */
  files: number
}

/**
 * Shows that a backup can be restored: compares all checksums, starts the database in a scratch folder, reads each page
 * of each table, and looks for each file that the database names.
 * @param scratch an existing folder with as much space as the database takes
 * @throws StartError that says what is wrong
 */
export async function verifyBackup(backup: string, scratch: string): Promise<Verified> {
  const manifest = await readManifest(backup)
  const sums = await readChecksums(backup, manifest.checksums)
  await checkChecksums(backup, sums)
  const folder = await mkdtemp(join(scratch, 'parley-verify-'))
  // PostgreSQL may run as another account
  await chmod(folder, 0o755)
  try {
    await restoreDatabase(backup, manifest, folder)
    const cluster = await startCluster({ folder, durable: false })
    try {
      return { manifest, ...(await readAll(cluster.connection, manifest, sums)) }
    } finally {
      await cluster.stop()
    }
  } finally {
    const data = await clusterFolder({ folder }, databaseOwner()).catch(() => folder)
    for (const path of [data, `${data}.log`, folder]) await rm(path, { recursive: true, force: true })
  }
}

async function readAll(
  connection: Connection,
  manifest: Manifest,
  sums: Checksums,
): Promise<Omit<Verified, 'manifest'>> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows: told } = await client.query<{ installation: string; migration: string }>(
      `select bus_name as installation, (select name from schema_migrations order by name desc limit 1) as migration
        from installation`,
    )
    if (told[0]?.installation !== manifest.installation || told[0].migration !== manifest.migration)
      throw new StartError('The restored database is not the one that the backup names. Use another backup')
    // pages, not indexes: checksums of pages are compared as they are read
    await client.query('set enable_indexscan = off; set enable_indexonlyscan = off; set enable_bitmapscan = off')
    const { rows: tables } = await client.query<{ name: string; kind: string }>(
      `select format('%I.%I', nspname, relname) as name, relkind as kind
        from pg_class join pg_namespace on pg_namespace.oid = relnamespace
        where relkind in ('r', 't') and nspname not in ('pg_catalog', 'information_schema') order by 1`,
    )
    let rows = 0
    const own = tables.filter(({ kind }) => kind === 'r')
    for (const { name, kind } of tables) {
      const { rows: counted } = await client.query<{ rows: string }>(`select count(*) as rows from ${name}`)
      if (kind === 'r') rows += Number(counted[0]?.rows)
    }
    return { tables: own.length, rows, files: await lookForFiles(client, sums) }
  } finally {
    await client.end().catch(() => {})
  }
}

async function lookForFiles(client: pg.Client, sums: Checksums): Promise<number> {
  const there = new Set(
    [...sums.keys()]
      .filter((path) => path.startsWith(`${PARTS.files}/`))
      .map((path) => path.split('/').slice(-2).join('/')),
  )
  const { rows } = await client.query<{ path: string }>(
    `select distinct project_id || '/' || sha256 as path from files`,
  )
  const missing = rows.find(({ path }) => !there.has(path))
  if (missing) throw new StartError(`The file ${missing.path}, which the database names, is not in the backup`)
  return rows.length
}
