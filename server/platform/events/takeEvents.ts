import type { ServerContext } from '../context'
import type { Consumer } from './defineConsumer'
import { createEventHandling } from './handleEvents'
import { isBehind, isSettled, isUpTo } from './place'

const BATCH = 100

interface Taken {
  handled: number
  /** there may be more now */
  left: boolean
  /** there may be more when running transactions end */
  hidden: boolean
}

/**
 * Takes what waits for a consumer, in one transaction with the consumer's cursor.
 * @returns `takeBatch`: the next events; `takeFailure`: an event that failed and is due again
 */
export function createEventTaking({ db, clock, log }: Pick<ServerContext, 'db' | 'clock' | 'log'>) {
  const { handleAll, handle } = createEventHandling({ clock, log })

  /**
   * Processes one batch of one consumer: its events up to the last settled one. The cursor also moves past other
   * events, which would be read again each time.
   */
  const takeBatch = (consumer: Consumer): Promise<Taken> =>
    db.transaction().execute(async (work) => {
      const place = await work
        .selectFrom('event_consumers')
        .select('name')
        .where('name', '=', consumer.name)
        .forUpdate()
        .skipLocked()
        .executeTakeFirst()
      // another process is working on it
      if (!place) return { handled: 0, left: false, hidden: true }
      const types = consumer.events.map(({ type }) => type)
      const all = work
        .selectFrom('events')
        .innerJoin('event_consumers', (join) => join.on('event_consumers.name', '=', consumer.name))
        .where(isBehind)
      const ahead = all.where('type', 'in', types)
      // settled now: later ones come after it
      const end = await all
        .select(['events.epoch', 'events.tx', 'events.id'])
        .where(isSettled)
        .orderBy('events.epoch', 'desc')
        .orderBy('events.tx', 'desc')
        .orderBy('events.id', 'desc')
        .limit(1)
        .executeTakeFirst()
      const rows = end
        ? await ahead
            .selectAll('events')
            .where(isUpTo(end))
            .orderBy('events.epoch')
            .orderBy('events.tx')
            .orderBy('events.id')
            .limit(BATCH)
            .execute()
        : []
      await handleAll(work, consumer, rows)
      const last = rows.length === BATCH ? rows.at(-1) : end
      if (last)
        await work
          .updateTable('event_consumers')
          .set({ epoch: last.epoch, tx: last.tx, position: last.id, moved_at: clock() })
          .where('name', '=', consumer.name)
          .execute()
      const left = rows.length === BATCH
      // settled or not: events that settled since the query are behind the new cursor as well
      const hidden = left ? undefined : await ahead.select('events.id').limit(1).executeTakeFirst()
      return { handled: rows.length, left, hidden: hidden !== undefined }
    })

  /** Retries one failed event that is due. @returns whether there was one */
  const takeFailure = (consumer: Consumer): Promise<boolean> =>
    db.transaction().execute(async (work) => {
      const due = await work
        .selectFrom('event_failures')
        .select(['event_id', 'event_at', 'attempts'])
        .where('consumer', '=', consumer.name)
        .where('retry_at', '<=', clock())
        .orderBy('retry_at')
        .limit(1)
        .forUpdate()
        .skipLocked()
        .executeTakeFirst()
      if (!due) return false
      const row = await work
        .selectFrom('events')
        .selectAll()
        .where('id', '=', due.event_id)
        .where('at', '=', due.event_at)
        .executeTakeFirst()
      const done = row === undefined || (await handle(work, consumer, row, due.attempts))
      if (done)
        await work
          .deleteFrom('event_failures')
          .where('consumer', '=', consumer.name)
          .where('event_id', '=', due.event_id)
          .execute()
      return true
    })

  return { takeBatch, takeFailure }
}
