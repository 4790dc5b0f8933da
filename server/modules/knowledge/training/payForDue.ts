import type { Transaction } from 'kysely'
import { type Entitled, entitlementsOf } from '../../../access/entitlements'
import type { Resync } from '../../../contracts/sources'
import type { ServerContext } from '../../../platform/context'
import type { Database } from '../../../platform/database/tables'
import { takeCredits } from '../../billing/monthlyCredits'
import { nextResync } from './resync'

/** A source or a list that is to be read again by itself. */
interface Due extends Entitled {
  id: string
  gid: string
  project_id: string
  resync: Resync
  /** when it was to be read; never null for one that is due */
  due_at: Date | null
  /** its chatbot is over the plan's limit, so that nothing of it changes */
  over: boolean
}
interface Settled {
  next: Date | null
  /** why it is not read, in a sentence with the remedy; null: it is paid for, and has to be read */
  refused: string | null
}

const NO_CREDITS =
  'Not re-synced: your plan’s re-sync credits for this month are used up. Upgrade, or wait for next month.'
const OVER =
  'Not re-synced: this chatbot is over the limit of your plan, and can only be read. Upgrade, or have an owner choose that it stays.'
const NO_SYNC = 'Not re-synced: your plan has no automatic sync. Upgrade, or re-sync it by hand.'

/**
 * Takes a resync credit for each that is due, in projects whose plan includes automatic sync.
 * @param settle writes what came of it, and begins the reading, in one transaction each
 */
export async function payForDue<Row extends Due>(
  { db, clock, jobs }: Pick<ServerContext, 'db' | 'clock' | 'jobs'>,
  due: readonly Row[],
  settle: (trx: Transaction<Database>, row: Row, settled: Settled) => Promise<void>,
): Promise<void> {
  const now = clock()
  for (const row of due) {
    const missing = row.over ? OVER : entitlementsOf(row).features.auto_sync ? null : NO_SYNC
    // keyed by its due date: a crash in between does not charge a second credit
    const key = `${row.gid}:${row.due_at?.toISOString()}`
    const use = { projectId: row.project_id, credit: 'resync_credits', key, amount: 1, at: now } as const
    const isPaid = missing === null && (await takeCredits(db, use))
    const refused = isPaid ? null : (missing ?? NO_CREDITS)
    await db.transaction().execute((trx) => settle(trx, row, { next: nextResync(row.resync, now), refused }))
  }
  if (due.length > 0) jobs.wake()
}
