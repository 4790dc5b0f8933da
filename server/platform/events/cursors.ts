import { sql } from 'kysely'
import type { ServerContext } from '../context'
import type { Consumer } from './defineConsumer'

/**
 * The cursors of consumers.
 * @returns `register`: creates those of new consumers, once; `moveBack`: moves one to the first event since then. It
 * throws for an unknown name.
 */
export function createCursors({ db, clock }: Pick<ServerContext, 'db' | 'clock'>, consumers: readonly Consumer[]) {
  let known = false

  async function register(): Promise<void> {
    if (known) return
    for (const { name, since } of consumers) {
      const last = since === 'now' ? sql`pg_snapshot_xmax(pg_current_snapshot())` : sql`'0'::xid8`
      await sql`insert into event_consumers (name, epoch, tx, position, moved_at)
        select ${name}, ${since === 'now' ? sql`event_epoch` : 0}, ${last}, 0, ${clock()} from installation
        on conflict (name) do nothing`.execute(db)
    }
    known = true
  }

  async function moveBack(name: string, since: Date): Promise<void> {
    const first = await db
      .selectFrom('events')
      .select(['epoch', 'tx'])
      .where('at', '>=', since)
      .orderBy('epoch')
      .orderBy('tx')
      .limit(1)
      .executeTakeFirst()
    const { numUpdatedRows } = await db
      .updateTable('event_consumers')
      .set({ ...first, ...(first && { position: '0' }), moved_at: clock() })
      .where('name', '=', name)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new Error(`No consumer of events is called '${name}'.`)
  }

  return { register, moveBack }
}
