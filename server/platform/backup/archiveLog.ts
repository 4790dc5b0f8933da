import { createReadStream, existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { Cron } from 'croner'
import pg from 'pg'
import type { Config } from '../config/config'
import type { ServerContext } from '../context'
import type { Connection } from '../database/database'
import { StartError } from '../database/startError'
import { copyOne, takeFiles } from './copyFiles'
import { backupsIn, readManifest } from './manifest'

export interface LogArchive {
  /** Archives what was committed before. Never throws: failures are in the log. */
  run(): Promise<void>
  /** No further times. */
  stop(): void
}

/** What keeps the log until it is archived, also over restarts. */
const SLOT = 'parley_archive'
/** Names of segments: timeline, and position in the log in units of 16 MB. */
const SEGMENT = /^([0-9A-F]{8})([0-9A-F]{16})\.gz$/
export const SEGMENT_BYTES = 16 * 1024 * 1024

/** Where the log and the later files of an installation are, beside its backups. */
export const archiveOf = (backups: string, installation: string): string => join(backups, 'log', installation)

/**
 * Copies the write-ahead log of the embedded server, and files that came since the last backup, beside the backups,
 * every few minutes: with it, a restore goes to any moment after a backup. Off: what kept the log is removed, for it
 * would fill the disk.
 * @returns null: it is off
 * @throws StartError for backups that are no folder
 */
export async function archiveLog(
  config: Pick<Config, 'backup' | 'dataDir' | 'bucket'>,
  connection: Connection,
  { log }: Pick<ServerContext, 'log'>,
): Promise<LogArchive | null> {
  const { archiveMinutes, to } = config.backup
  await keepLog(connection, archiveMinutes !== null)
  if (archiveMinutes === null) return null
  if (to.startsWith('s3:'))
    throw new StartError('BACKUP_LOG_MINUTES needs a folder as BACKUP_TO: the log is not sent to a bucket')
  let working: Promise<void> | null = null
  const work = async () => {
    try {
      await archiveOnce(config, connection, resolve(to))
    } catch (error) {
      log.error({ err: error, to }, 'the write-ahead log was not archived: it stays in DATA_DIR, and takes space there')
    }
  }
  const run = () => {
    working ??= work().finally(() => {
      working = null
    })
    return working
  }
  const cron = new Cron(`*/${archiveMinutes} * * * *`, { unref: true }, run)
  return { run, stop: () => cron.stop() }
}

async function withClient<Result>(connection: Connection, work: (client: pg.Client) => Promise<Result>) {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

const keepLog = (connection: Connection, wanted: boolean) =>
  withClient(connection, (client) =>
    client.query(
      wanted
        ? `select pg_create_physical_replication_slot('${SLOT}', true)
            where not exists (select from pg_replication_slots where slot_name = '${SLOT}')`
        : `select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = '${SLOT}'`,
    ),
  )

async function archiveOnce(
  { dataDir, bucket }: Pick<Config, 'dataDir' | 'bucket'>,
  connection: Connection,
  backups: string,
): Promise<void> {
  const archive = await withClient(connection, async (client) => {
    // ends the segment, if anything was written into it
    await client.query('select pg_switch_wal()')
    const { rows } = await client.query<{ installation: string; data: string; name: string | null }>(
      `select bus_name as installation, current_setting('data_directory') as data, name
        from installation left join lateral (
          select name from pg_ls_waldir(), pg_replication_slots where slot_name = '${SLOT}' and name ~ '^[0-9A-F]{24}$'
            and name >= pg_walfile_name(restart_lsn + 1) and name < pg_walfile_name(pg_current_wal_lsn() + 1)
        ) as complete on true order by name`,
    )
    const folder = archiveOf(backups, rows[0]?.installation ?? '')
    await mkdir(folder, { recursive: true })
    for (const { data, name } of rows) {
      if (name === null) continue
      await keepSegment(join(data, 'pg_wal', name), join(folder, `${name}.gz`))
      await client.query(
        `select pg_replication_slot_advance(slot_name, $1::pg_lsn) from pg_replication_slots
          where slot_name = '${SLOT}' and restart_lsn < $1::pg_lsn`,
        [endOf(name)],
      )
    }
    return { folder, installation: rows[0]?.installation }
  })
  // after the log that names them
  if (!bucket) await keepNewFiles(join(dataDir, 'files'), archive.folder, backups)
  await removeOld(archive.folder, backups, archive.installation ?? '')
}

/** Written under another name first: what bears the name is whole. */
async function keepSegment(from: string, to: string): Promise<void> {
  if (existsSync(to)) {
    // archived before a crash; a copy of this installation may archive here as well
    if ((await contentOf(createReadStream(to).pipe(createGunzip()))).equals(await contentOf(createReadStream(from))))
      return
    throw new StartError(
      `${to} holds another log: two installations with one name archive there. Give each its BACKUP_TO`,
    )
  }
  const partial = `${to}.part`
  await rm(partial, { force: true })
  const file = await open(partial, 'wx', 0o600)
  try {
    await pipeline(createReadStream(from), createGzip({ level: 3 }), async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) await file.writeFile(chunk)
    })
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(partial, to)
}

/** Of a segment: 16 MB. */
async function contentOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts)
}

/** The position that follows a segment. */
function endOf(name: string): string {
  const position = BigInt(`0x${name.slice(8, 16)}`) * 256n + BigInt(`0x${name.slice(16)}`) + 1n
  return `${(position / 256n).toString(16)}/${((position % 256n) * BigInt(SEGMENT_BYTES)).toString(16)}`
}

async function keepNewFiles(from: string, archive: string, backups: string): Promise<void> {
  const newest = (await backupsIn(backups)).at(-1)
  await takeFiles(from, new Map(), async (file, path) => {
    if (existsSync(join(archive, path)) || (newest && existsSync(join(backups, newest, path)))) return null
    return copyOne(file, join(archive, path), null)
  })
}

/** Removes what comes before the oldest backup of this installation: nothing can begin there. */
async function removeOld(archive: string, backups: string, installation: string): Promise<void> {
  for (const name of await backupsIn(backups)) {
    const manifest = await readManifest(join(backups, name))
    if (manifest.installation !== installation) continue
    const first = segmentOf(manifest.database.from)
    for (const segment of await readdir(archive)) {
      const [, , position] = SEGMENT.exec(segment) ?? []
      if (position && position < first) await rm(join(archive, segment))
    }
    // the oldest backup has these files itself
    await takeFiles(join(archive, 'files'), new Map(), async (file, path) => {
      if (existsSync(join(backups, name, path))) await rm(file)
      return null
    })
    return
  }
}

/** The position of the segment that holds a position in the log, as in its name. */
export function segmentOf(position: string): string {
  const [high = '', low = ''] = position.split('/')
  const within = Math.floor(Number.parseInt(low, 16) / SEGMENT_BYTES)
  return `${high.padStart(8, '0')}${within.toString(16).padStart(8, '0')}`.toUpperCase()
}

/** The segments of an archive from a position on, the first one first; none if there is no archive. */
export async function segmentsFrom(archive: string, position: string): Promise<string[]> {
  const names = await readdir(archive).catch(() => [])
  return names.filter((name) => (SEGMENT.exec(name)?.[2] ?? '') >= segmentOf(position)).sort()
}
