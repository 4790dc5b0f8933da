import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db, Work } from '../database/database'
import { isLockTimeout } from '../errors'
import type { Consumer } from './defineConsumer'
import { isBehind } from './place'

/** Past months of events that are kept. */
const KEPT = 13
/** Months created in advance: an installation may be off for weeks. */
const AHEAD = 2

/**
 * Creates the partitions of the present and the next months, and drops those that are older than the retention and read
 * by every consumer. Events written before their month had a partition are moved into it.
 */
export async function keepMonths(db: Db, now: Date, consumers: readonly Consumer[]): Promise<void> {
  const present = await monthsOf(db)
  const wanted = [...(await monthsWithout(db)), ...Array.from({ length: AHEAD + 1 }, (_, next) => monthOf(now, next))]
  for (const month of wanted) if (!present.includes(nameOf(month))) await addMonth(db, month)
  const oldest = nameOf(monthOf(now, -KEPT))
  for (const name of present) if (name < oldest && !(await isAwaited(db, name, consumers))) await dropMonth(db, name)
}

/** The first moment of a month in UTC, `months` after that of `now`. */
const monthOf = (now: Date, months: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months))
const nameOf = (month: Date) => `events_${month.toISOString().slice(0, 7).replace('-', '_')}`

async function monthsOf(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select relname as name from pg_inherits
    join pg_class on pg_class.oid = inhrelid where inhparent = 'events'::regclass and relname ~ '^events_[0-9]{4}_[0-9]{2}$'`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}

/** Months of events that have no partition: those of an imported installation. */
async function monthsWithout(db: Db): Promise<Date[]> {
  const { rows } = await sql<{ month: Date }>`
    select distinct date_trunc('month', at, 'UTC') as month from only events_default order by 1`.execute(db)
  return rows.map(({ month }) => month)
}

/** The lock timeout: shorter than PostgreSQL's deadlock check (1 s), so that nobody else's transaction is aborted. */
const PATIENCE_MS = 200
const ATTEMPTS = 100

/** Retries while others write: creating or dropping a partition locks the tables that events refer to. */
async function whenUnlocked(db: Db, change: (work: Work) => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await db.transaction().execute(async (work) => {
        await sql`set local lock_timeout = ${sql.lit(PATIENCE_MS)}`.execute(work)
        await change(work)
      })
      return
    } catch (error) {
      if (!isLockTimeout(error) || attempt === ATTEMPTS) throw error
      await pause(PATIENCE_MS)
    }
  }
}

async function addMonth(db: Db, month: Date): Promise<void> {
  const table = sql.table(nameOf(month))
  const [from, to] = [month, monthOf(month, 1)].map((date) => sql.lit(date.toISOString()))
  await whenUnlocked(db, async (work) => {
    // processes that start at the same time create it once
    await sql`select pg_advisory_xact_lock(hashtext('parley event months'))`.execute(work)
    if ((await monthsOf(work)).includes(nameOf(month))) return
    // writers must wait: an insert routed earlier would violate the new partition's bounds
    await sql`lock table events in access exclusive mode`.execute(work)
    await sql`create table ${table} (like events including defaults including constraints)`.execute(work)
    await sql`with moved as (delete from only events_default where at >= ${from} and at < ${to} returning *)
      insert into ${table} overriding system value select * from moved`.execute(work)
    await sql`alter table events attach partition ${table} for values from (${from}) to (${to})`.execute(work)
  })
}

async function isAwaited(db: Db, name: string, consumers: readonly Consumer[]): Promise<boolean> {
  for (const consumer of consumers) {
    const { rows } = await sql`select 1 from ${sql.table(name)} as events
      join event_consumers on event_consumers.name = ${consumer.name}
      where type = any(${consumer.events.map(({ type }) => type)}) and ${isBehind} limit 1`.execute(db)
    if (rows.length > 0) return true
  }
  return false
}

async function dropMonth(db: Db, name: string): Promise<void> {
  await whenUnlocked(db, async (work) => {
    await sql`alter table events detach partition ${sql.table(name)}`.execute(work)
    // dropping locks the tables that events refer to, too
    await sql`drop table ${sql.table(name)}`.execute(work)
  })
}
