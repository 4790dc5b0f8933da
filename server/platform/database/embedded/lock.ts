import pg from 'pg'
import type { Connection } from '../database'
import { inUse } from './failures'

export interface ClusterLock {
  release: () => Promise<void>
}

const APPLICATION_LOCK = 7_027_702
const AGAIN_AFTER = 50

/**
 * Takes the lock that marks a cluster as used by a Parley. PostgreSQL holds it as long as this connection lives, so a
 * killed Parley releases it, and a reused pid causes no mistake. If the connection breaks while this process lives (an
 * administrator ended it, or a backend crashed and ended all others), the lock is taken again.
 * @throws StartError if another Parley has it
 */
export async function lockCluster(connection: Connection, folder: string): Promise<ClusterLock> {
  let released = false
  let client = await take(connection, folder, () => lost())

  function lost(): void {
    const again = async () => {
      if (released) return
      const taken = await take(connection, folder, lost).catch(() => null)
      if (!taken) setTimeout(again, AGAIN_AFTER).unref()
      else if (released) await taken.end().catch(() => {})
      else client = taken
    }
    void again()
  }

  return {
    release: () => {
      released = true
      return client.end().catch(() => {})
    },
  }
}

/** @param onLost called once when a connection that had the lock ends */
async function take(connection: Connection, folder: string, onLost: () => void): Promise<pg.Client> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
      APPLICATION_LOCK,
    ])
    if (!rows[0]?.taken) throw inUse(folder)
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
  client.once('end', onLost)
  return client
}
