import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { backgroundRetries } from '../backoff'
import type { ServerContext } from '../context'
import type { Work } from '../database/database'
import { type EventDefinition, type EventOf, readEvent, type StoredEvent } from './defineEvent'
import { isBehind, isSettled, isUpTo } from './place'

/** Handles events of some kinds, in the order of their transactions. */
export interface Consumer {
  /** names its place in the log: kept when it is renamed in code */
  name: string
  events: readonly EventDefinition[]
  /** where it starts when it is new: with the first event that is kept, or with those of transactions to come */
  since: 'beginning' | 'now'
  /**
   * What it writes is written with its place in the log, so each event is handled once, whatever crashes. It writes to the database
   * alone and is quick; what leaves the server is scheduled as a job in the same transaction.
   */
  handle: (work: Work, event: StoredEvent) => Promise<unknown>
}

/** Defines a consumer; `handle` gets the events of `events`, typed. */
export function defineConsumer<const Definitions extends readonly EventDefinition[]>(consumer: {
  name: string
  events: Definitions
  since: Consumer['since']
  handle: (work: Work, event: EventOf<Definitions[number]>) => Promise<unknown>
}): Consumer {
  return consumer as unknown as Consumer
}

export interface Consumers {
  /** Begins to look for events: at once after each commit of this process that a consumer waits for, and from time to time. */
  start(): void
  /** Handles all that is there, failures that are due included. @returns how many events that were */
  runDue(): Promise<number>
  /** Handles all events since then again, those kept in partitions that still stand. @throws for a name that nobody has */
  replay(consumer: string, since: Date): Promise<void>
  /** Ends when the batch under way has. */
  close(): Promise<void>
}

/** For what another process wrote and did not handle, and for failures that are due. */
const LOOK_EVERY = 5_000
/** Between two looks, however many commits there are; events of transactions under way beside others are read when those end. */
const LOOK_AGAIN = 50
const BATCH = 100
const MAX_ERROR = 2_000

/** The consumers of an installation, as one process sees them; several processes share the work, one a consumer at a time. */
export function createConsumers(
  { db, clock, log }: Pick<ServerContext, 'db' | 'clock' | 'log'>,
  consumers: readonly Consumer[],
): Consumers {
  let state: 'idle' | 'started' | 'closed' = 'idle'
  let looking: Promise<void> | null = null
  /** whom the next look is for */
  const due = new Set<Consumer>()
  let rest: NodeJS.Timeout | null = null
  let poll: NodeJS.Timeout | undefined
  let unsubscribe = () => {}
  let known = false

  for (const [at, { name }] of consumers.entries())
    if (consumers.findIndex((other) => other.name === name) !== at)
      throw new Error(`Two consumers of events are called '${name}'.`)

  /** Writes down the place of those that are new. */
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

  /**
   * One batch of one consumer: events that it wants, up to the last one that is settled. Its place goes on past those of others, too,
   * or it would read them again at each look. `left`: there may be more at once, `hidden`: when transactions under way have ended.
   */
  const takeBatch = (consumer: Consumer): Promise<{ handled: number; left: boolean; hidden: boolean }> =>
    db.transaction().execute(async (work) => {
      const place = await work
        .selectFrom('event_consumers')
        .select('name')
        .where('name', '=', consumer.name)
        .forUpdate()
        .skipLocked()
        .executeTakeFirst()
      // another process is at it
      if (!place) return { handled: 0, left: false, hidden: true }
      const types = consumer.events.map(({ type }) => type)
      const all = work
        .selectFrom('events')
        .innerJoin('event_consumers', (join) => join.on('event_consumers.name', '=', consumer.name))
        .where(isBehind)
      const ahead = all.where('type', 'in', types)
      // settled now: what settles from here on comes after it
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
      for (const row of rows) await handle(work, consumer, row)
      const last = rows.length === BATCH ? rows.at(-1) : end
      if (last)
        await work
          .updateTable('event_consumers')
          .set({ epoch: last.epoch, tx: last.tx, position: last.id, moved_at: clock() })
          .where('name', '=', consumer.name)
          .execute()
      const left = rows.length === BATCH
      // settled or not: what settled since it was read is behind the new place as well
      const hidden = left ? undefined : await ahead.select('events.id').limit(1).executeTakeFirst()
      return { handled: rows.length, left, hidden: hidden !== undefined }
    })

  /** What a consumer can't handle waits for its next attempt beside the log: one project's event holds up nobody else's. */
  async function handle(
    work: Work,
    { name, events, handle: handler }: Consumer,
    row: Parameters<typeof readEvent>[1],
    attempts = 0,
  ): Promise<boolean> {
    await sql`savepoint event`.execute(work)
    try {
      const definition = events.find(({ type }) => type === row.type) as EventDefinition
      await handler(work, readEvent(definition, row))
      await sql`release savepoint event`.execute(work)
      return true
    } catch (error) {
      await sql`rollback to savepoint event`.execute(work)
      const failed = { consumer: name, event: row.id, type: row.type, project: row.project_id, attempts: attempts + 1 }
      const last = attempts + 1 >= backgroundRetries.mostAttempts
      if (last) log.error({ err: error, ...failed }, 'an event was given up after its last attempt')
      else log.warn({ err: error, ...failed }, 'an event could not be handled')
      const values = {
        attempts: attempts + 1,
        error: (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR),
        retry_at: last ? null : new Date(clock().getTime() + backgroundRetries.waitAfter(attempts + 1)),
      }
      await work
        .insertInto('event_failures')
        .values({ consumer: name, event_id: row.id, event_at: row.at, project_id: row.project_id, ...values })
        .onConflict((again) => again.columns(['consumer', 'event_id']).doUpdateSet(values))
        .execute()
      return false
    }
  }

  /** One event that failed before and is due again. @returns whether there was one */
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

  /** @returns those for whom transactions under way hide something */
  async function take(those: readonly Consumer[]): Promise<Consumer[]> {
    await register()
    const hidden = new Set<Consumer>()
    for (const consumer of those) {
      for (let left = true; left && state === 'started'; ) {
        const batch = await takeBatch(consumer)
        left = batch.left
        if (batch.hidden) hidden.add(consumer)
      }
      while (state === 'started' && (await takeFailure(consumer)));
    }
    return [...hidden]
  }

  /** One look at a time, and a rest after each; who is asked for meanwhile is looked at by the next. */
  function look(those: readonly Consumer[]): void {
    for (const consumer of those) due.add(consumer)
    if (state !== 'started' || looking || rest || due.size === 0) return
    const now = [...due]
    due.clear()
    looking = take(now)
      .catch((error) => {
        log.error({ err: error }, 'events could not be read')
        return []
      })
      .then((hidden) => {
        looking = null
        for (const consumer of hidden) due.add(consumer)
        if (state !== 'started') return
        rest = setTimeout(() => {
          rest = null
          look([])
        }, LOOK_AGAIN)
      })
  }

  return {
    start() {
      if (state !== 'idle') return
      state = 'started'
      // the statement's parameters name the types of its events
      unsubscribe = db.afterInsert('events', (parameters) =>
        look(consumers.filter(({ events }) => events.some(({ type }) => parameters.includes(type)))),
      )
      poll = setInterval(() => look(consumers), LOOK_EVERY)
      look(consumers)
    },

    async runDue() {
      await register()
      let count = 0
      for (let again = true; again; ) {
        await looking
        again = false
        for (const consumer of consumers) {
          const { handled, left, hidden } = await takeBatch(consumer)
          count += handled
          again ||= left || hidden || handled > 0
          if (hidden && handled === 0) await pause(LOOK_AGAIN)
          while (await takeFailure(consumer)) count++
        }
      }
      return count
    },

    async replay(name, since) {
      await register()
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
      look(consumers.filter((consumer) => consumer.name === name))
    },

    async close() {
      state = 'closed'
      unsubscribe()
      clearInterval(poll)
      if (rest) clearTimeout(rest)
      await looking
    },
  }
}
