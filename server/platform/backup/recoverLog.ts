import { createReadStream, createWriteStream } from 'node:fs'
import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { clusterFolder, startCluster } from '../database/embedded/cluster'
import { databaseOwner, giveTo } from '../database/embedded/owner'
import { StartError } from '../database/startError'

const SEGMENT = /^[0-9A-F]{24}$/

/**
 * Brings a restored database forward by archived segments of its write-ahead log, until a moment or to their end, and
 * has it begin a timeline of its own from there.
 * @param folder the data folder with the restored cluster, which has not been started
 * @param segments their names in the archive
 * @param at null: all that is archived
 * @throws StartError if the log does not reach that moment
 */
export async function recoverLog(
  folder: string,
  archive: string,
  segments: readonly string[],
  at: Date | null,
): Promise<void> {
  const owner = databaseOwner()
  const data = await clusterFolder({ folder }, owner)
  const log = join(data, 'pg_wal')
  // another timeline is that of a copy which went its own way
  const [timeline = ''] = (await readdir(log)).filter((name) => SEGMENT.test(name)).map((name) => name.slice(0, 8))
  for (const name of segments.filter((each) => each.startsWith(timeline)))
    await pipeline(
      createReadStream(join(archive, name)),
      createGunzip(),
      createWriteStream(join(log, name.slice(0, 24)), { mode: 0o600 }),
    )
  const settings = join(data, 'postgresql.auto.conf')
  const before = await readFile(settings)
  // nothing has to be fetched: the segments are where the server looks when the command has none
  const lines = [
    "restore_command = 'false'",
    "recovery_target_timeline = 'current'",
    "recovery_target_action = 'promote'",
  ]
  // the server reads no Z here
  if (at) lines.push(`recovery_target_time = '${at.toISOString().replace('T', ' ').replace('Z', '+00')}'`)
  await appendFile(settings, `\n${lines.join('\n')}\n`)
  await writeFile(join(data, 'recovery.signal'), '')
  await giveTo(data, owner)
  try {
    const cluster = await startCluster({ folder })
    try {
      const client = new pg.Client(cluster.connection)
      client.on('error', () => {})
      await client.connect()
      const recovers = async () =>
        (await client.query<{ recovers: boolean }>('select pg_is_in_recovery() as recovers')).rows[0]?.recovers
      while (await recovers()) await pause(50)
      await client.end()
    } finally {
      await cluster.stop()
    }
  } catch (error) {
    if (!at || (error instanceof StartError && !/recovery ended before/.test(error.message))) throw error
    throw new StartError(
      `The archived log does not go beyond ${at.toISOString()}: leave out --at for the last moment that it has`,
      { cause: error },
    )
  }
  await writeFile(settings, before)
}
