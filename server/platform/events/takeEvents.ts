import { sql } from 'kysely'
import type { ServerContext } from '../context'
import type { Work } from '../database/database'
import { thenCommit } from '../database/pipeline'
import type { Consumer } from './defineConsumer'
import { createEventHandling } from './handleEvents'
import { isAfter, isBehind, isSettled, isUpTo, type Place } from './place'

const BATCH = 100
/** Limits stand in a statement as text: with one as a parameter, PostgreSQL plans the partitions anew at each look. */
const one = sql.lit(1)

interface Taken {
  handled: number
  /** there may be more now */
  left: boolean
  /** there may be more when running transactions end */
  hidden: boolean
}

/** Condition: the event is of the consumer's types, and of a member where it wants those alone. */
const isWantedBy = ({ events, byMembers = [] }: Consumer) => {
  const types = events.map(({ type }) => type)
  return sql<boolean>`(events.type = any(${types}::text[])
    and (events.actor = 'user' or events.type <> all(${byMembers.map(({ type }) => type)}::text[])))`
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
      const all = work
        .selectFrom('events')
        .innerJoin('event_consumers', (join) => join.on('event_consumers.name', '=', consumer.name))
        .where(isBehind)
      // settled now: later ones come after it
      const end = await all
        .select(['events.epoch', 'events.tx', 'events.id'])
        .where(isSettled)
        .orderBy('events.epoch', 'desc')
        .orderBy('events.tx', 'desc')
        .orderBy('events.id', 'desc')
        .limit(one)
        .executeTakeFirst()
      const rows = end
        ? await all
            .selectAll('events')
            .where(isWantedBy(consumer))
            .where(isUpTo(end))
            .orderBy('events.epoch')
            .orderBy('events.tx')
            .orderBy('events.id')
            .limit(sql.lit(BATCH))
            .execute()
        : []
      await handleAll(work, consumer, rows)
      const left = rows.length === BATCH
      const last = left ? rows.at(-1) : end
      if (last) {
        const hidden = await moveTo(work, consumer, last)
        return { handled: rows.length, left, hidden: hidden && !left }
      }
      const hidden = await all
        .select('events.id')
        .where(isWantedBy(consumer))
        .limit(one)
        .modifyEnd(thenCommit)
        .executeTakeFirst()
      return { handled: 0, left, hidden: hidden !== undefined }
    })

  /**
   * Moves the cursor and ends the transaction, in one statement: each turn is followed by looks, which cost as much as
   * it does.
   * @returns whether there are events behind the new place, settled or not: some have settled since they were read
   */
  async function moveTo(work: Work, consumer: Consumer, last: Place): Promise<boolean> {
    const { epoch, tx, id } = last
    const moved = await work
      .updateTable('event_consumers')
      .set({ epoch, tx, position: id, moved_at: clock() })
      .where('name', '=', consumer.name)
      .returning(({ exists, selectFrom }) =>
        exists(selectFrom('events').select('events.id').where(isAfter(last)).where(isWantedBy(consumer))).as('hidden'),
      )
      .modifyEnd(thenCommit)
      .executeTakeFirst()
    return moved?.hidden === true
  }

  /** Retries one failed event that is due. @returns whether there was one */
  const takeFailure = (consumer: Consumer): Promise<boolean> =>
    db.transaction().execute(async (work) => {
      const due = await work
        .selectFrom('event_failures')
        .select(['event_id', 'event_at', 'attempts'])
        .where('consumer', '=', consumer.name)
        .where('retry_at', '<=', clock())
        .orderBy('retry_at')
        .limit(one)
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
