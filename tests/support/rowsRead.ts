import { sql } from 'kysely'
import type { Db, ProjectDb } from '../../server/platform/database/database'

export interface Read {
  /** of indexes and tables, as PostgreSQL counts them */
  rows: number
  /** tables that were read from beginning to end */
  whole: string[]
}

/**
 * Carries out a work in a transaction, and counts what PostgreSQL read for it.
 * @param most tables of up to so many rows may be read whole
 */
export async function rowsRead(db: ProjectDb, work: (db: ProjectDb) => Promise<unknown>, most = 0): Promise<Read> {
  return db.transaction().execute(async (trx) => {
    const before = await countsOf(trx)
    await work(trx as unknown as ProjectDb)
    const after = await countsOf(trx)
    const tables = [...after].map(([name, count]) => {
      const earlier = before.get(name) ?? { all: 0, whole: 0, scans: 0 }
      const scans = count.scans - earlier.scans
      return { name, all: count.all - earlier.all, whole: scans === 0 ? 0 : (count.whole - earlier.whole) / scans }
    })
    return {
      rows: tables.reduce((sum, { all }) => sum + all, 0),
      whole: tables.filter(({ whole }) => whole > most).map(({ name }) => name),
    }
  })
}

/** Rows that this connection has read of each table, and of those in scans of the whole table. */
async function countsOf(trx: Db): Promise<Map<string, { all: number; whole: number; scans: number }>> {
  const { rows } = await sql<{ name: string; scanned: string; scans: string; fetched: string }>`
    select relname as name, seq_tup_read as scanned, seq_scan as scans, coalesce(idx_tup_fetch, 0) as fetched
    from pg_stat_xact_user_tables`.execute(trx)
  return new Map(
    rows.map(({ name, scanned, scans, fetched }) => [
      name,
      { all: Number(scanned) + Number(fetched), whole: Number(scanned), scans: Number(scans) },
    ]),
  )
}
