import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { type Pack, pack } from 'tar-stream'
import type { Connection } from '../database/database'
import type { Checksums } from './checksums'
import { type Manifest, PARTS } from './manifest'
import { writeCompressed } from './writeCompressed'

type Copied = Manifest['database'] & Pick<Manifest, 'installation' | 'migration' | 'postgres'> & { ended: Date }

/** Folders whose content is the running server's alone (PostgreSQL 18, 25.3.4, "Backing Up the Data Directory"). */
const EMPTY = new Set([
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
])
const LEFT_OUT = /^(?:postmaster\.(?:pid|opts)|pgsql_tmp.*|pg_internal\.init.*)$/

/**
 * Copies the data folder of a running PostgreSQL on this machine into one compressed archive, with the part of the
 * write-ahead log that makes the copy consistent.
 * @param connection as superuser
 * @param backup an existing folder; its part `database` is written
 * @param sums gets the checksum of the archive
 * @returns `ended`: all that was committed before it is in the copy
 */
export async function copyCluster(
  connection: Connection,
  backup: string,
  sums: Checksums,
  clock: () => Date,
): Promise<Copied> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  const archive = pack()
  const written = writeCompressed(archive, join(backup, PARTS.database))
  // it fails where the archive is destroyed, after what destroyed it
  written.catch(() => {})
  try {
    const ask = async (text: string, values: unknown[] = []): Promise<Record<string, string>> =>
      (await client.query<Record<string, string>>(text, values)).rows[0] ?? {}
    const told = await ask(`select current_setting('data_directory') as data,
      current_setting('server_version') as postgres, (select bus_name from installation) as installation,
      (select name from schema_migrations order by name desc limit 1) as migration`)
    const { data = '', postgres = '', installation = '', migration = '' } = told
    // keeps the log from here on; it goes with this connection
    await ask('select pg_create_physical_replication_slot($1, true, true)', [`parley_backup_${process.pid}`])
    const { from = '' } = await ask(`select pg_backup_start('parley', true) as from`)
    let bytes = await addFolder(archive, data, '')
    const ended = clock()
    const { to = '', label = '' } = await ask('select lsn as to, labelfile as label from pg_backup_stop(false)')
    archive.entry({ name: 'backup_label', mode: 0o600 }, label)
    const segments = await client.query<{ name: string }>(
      `select name from pg_ls_waldir() where name ~ '^[0-9A-F]{24}$'
        and name between pg_walfile_name($1::pg_lsn) and pg_walfile_name($2::pg_lsn) order by name`,
      [from, to],
    )
    for (const { name } of segments.rows) bytes += await addFile(archive, data, `pg_wal/${name}`)
    archive.finalize()
    sums.set(PARTS.database, await written)
    return { from, to, bytes, postgres, installation, migration, ended }
  } catch (error) {
    archive.destroy()
    throw error
  } finally {
    await client.end().catch(() => {})
  }
}

/** @returns how many bytes its files have */
async function addFolder(archive: Pack, data: string, folder: string): Promise<number> {
  if (folder !== '') archive.entry({ name: folder, type: 'directory', mode: 0o700 })
  if (EMPTY.has(folder)) return 0
  let bytes = 0
  for (const entry of (await unlessGone(readdir(join(data, folder), { withFileTypes: true }))) ?? []) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (LEFT_OUT.test(entry.name)) continue
    if (entry.isDirectory()) bytes += await addFolder(archive, data, path)
    else if (entry.isFile()) bytes += await addFile(archive, data, path)
  }
  return bytes
}

/**
 * Adds a file as long as it is now. What it grows by is in the write-ahead log; where it was cut meanwhile, the log
 * cuts it too, and zeros stand for that, as in PostgreSQL's own backups.
 * @returns its bytes; 0 if it is gone, since tables may be dropped meanwhile
 */
async function addFile(archive: Pack, data: string, path: string): Promise<number> {
  const found = await unlessGone(stat(join(data, path)))
  const file = found && (await unlessGone(open(join(data, path))))
  if (!found || !file) return 0
  const { size } = found
  const entry = archive.entry({ name: path, size, mode: 0o600 })
  const content = async function* () {
    let left = size
    if (left > 0)
      for await (const chunk of file.createReadStream({ start: 0, end: size - 1, autoClose: false })) {
        left -= (chunk as Buffer).length
        yield chunk as Buffer
      }
    for (; left > 0; left -= ZEROS.length) yield ZEROS.subarray(0, Math.min(left, ZEROS.length))
  }
  try {
    await pipeline(content, entry as never)
  } finally {
    await file.close()
  }
  return size
}

const ZEROS = Buffer.alloc(8_192)

/** @returns null where the file is gone */
async function unlessGone<Value>(work: Promise<Value>): Promise<Value | null> {
  try {
    return await work
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
