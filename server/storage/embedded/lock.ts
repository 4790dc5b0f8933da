import pg from 'pg'
import type { Connection } from '../database'
import { inUse } from './failures'

export interface ClusterLock {
  release: () => Promise<void>
}

const APPLICATION_LOCK = 7_027_702

/**
 * Takes the one lock that says "a Parley uses this cluster". The server keeps it for as long as this connection lives, so a
 * Parley that is killed gives it back, and no pid that was used again can be mistaken for it.
 * @throws StartError when another Parley has it
 */
export async function lockCluster(connection: Connection, folder: string): Promise<ClusterLock> {
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
  return { release: () => client.end().catch(() => {}) }
}
