import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { backgroundRetries } from '../backoff'
import type { ServerContext } from '../context'
import type { Work } from '../database/database'
import { type EventDefinition, type EventOf, readEvent, type StoredEvent } from './defineEvent'
import { isBehind, isSettled, isUpTo } from './place'

/** Handles events of some types in the order of their transactions. */
export interface Consumer {
  /** identifies its cursor: keep it when the code is renamed */
  name: string
  events: readonly EventDefinition[]
  /** where a new consumer starts: at the oldest event, or with future transactions */
  since: 'beginning' | 'now'
  /**
   * Its writes are committed together with its cursor, so each event is handled exactly once, even after crashes. It
   * only writes to the database and must be quick; anything that leaves the server is scheduled as a job in the same
   * transaction. If one of a batch fails, the whole batch is undone and each of its events handled again, alone.
   */
  handle: (work: Work, events: readonly StoredEvent[]) => Promise<unknown>
}

interface ConsumerOf<Definitions extends readonly EventDefinition[]> extends Pick<Consumer, 'name' | 'since'> {
  events: Definitions
}

/** Defines a consumer; `handle` gets the events of `events` one after the other, typed. */
export function defineConsumer<const Definitions extends readonly EventDefinition[]>({
  handle,
  ...consumer
}: ConsumerOf<Definitions> & {
  handle: (work: Work, event: EventOf<Definitions[number]>) => Promise<unknown>
}): Consumer {
  return defineBatchConsumer<Definitions>({
    ...consumer,
    async handle(work, events) {
      for (const event of events) await handle(work, event)
    },
  })
}

/** The same for one that handles what happened meanwhile in one statement, however many events these are. */
export function defineBatchConsumer<const Definitions extends readonly EventDefinition[]>(
  consumer: ConsumerOf<Definitions> & {
    handle: (work: Work, events: readonly EventOf<Definitions[number]>[]) => Promise<unknown>
  },
): Consumer {
  return consumer as unknown as Consumer
}

export interface Consumers {
  /**
   * Starts looking for events: at once after each commit of this process that a consumer waits for, and every few
   * seconds.
   */
  start(): void
  /** Handles all pending events, including failures that are due. @returns how many */
  runDue(): Promise<number>
  /** Handles all events since then again, as far back as partitions exist. @throws for an unknown name */
  replay(consumer: string, since: Date): Promise<void>
  /** Resolves when the current batch has ended. */
  close(): Promise<void>
}

/** For what another process wrote and did not handle, and for failures that are due. */
const LOOK_EVERY = 5_000
/**
 * The least time between two looks, however many commits there are; events of transactions that overlap with others are
 * read when those end. A look takes as many statements as a turn.
 */
const LOOK_AGAIN = 150
const BATCH = 100
const MAX_ERROR = 2_000

type EventRow = Parameters<typeof readEvent>[1]

/** The consumers of an installation in one process. Several processes share the work: one at a time per consumer. */
export function createConsumers(
  { db, clock, log }: Pick<ServerContext, 'db' | 'clock' | 'log'>,
  consumers: readonly Consumer[],
): Consumers {
  let state: 'idle' | 'started' | 'closed' = 'idle'
  let looking: Promise<void> | null = null
  /** the consumers that the next look includes */
  const due = new Set<Consumer>()
  /** whether the next look includes failures: they come due by time, not by commits */
  let retryDue = false
  let rest: NodeJS.Timeout | null = null
  let poll: NodeJS.Timeout | undefined
  let unsubscribe = () => {}
  let known = false

  for (const [at, { name }] of consumers.entries())
    if (consumers.findIndex((other) => other.name === name) !== at)
      throw new Error(`Two consumers of events are called '${name}'.`)

  /** Creates the cursors of new consumers. */
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
   * Processes one batch of one consumer: its events up to the last settled one. The cursor also moves past other
   * events, which would be read again each time. `left`: there may be more now; `hidden`: there may be more when
   * running transactions end.
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

  /** A savepoint costs two statements, so that a batch has one, and each of its events only if the batch fails. */
  async function handleAll(work: Work, consumer: Consumer, rows: readonly EventRow[]): Promise<void> {
    const together = rows.length > 1 && (await attempt(work, consumer, rows))
    if (!together || 'error' in together) for (const row of rows) await handle(work, consumer, row)
  }

  /** Handles events; undoes what that wrote if it fails. */
  async function attempt(
    work: Work,
    { events, handle: handler }: Consumer,
    rows: readonly EventRow[],
  ): Promise<{ error?: unknown }> {
    await sql`savepoint event`.execute(work)
    try {
      const definitionOf = (row: EventRow) => events.find(({ type }) => type === row.type) as EventDefinition
      await handler(
        work,
        rows.map((row) => readEvent(definitionOf(row), row)),
      )
      await sql`release savepoint event`.execute(work)
      return {}
    } catch (error) {
      await sql`rollback to savepoint event`.execute(work)
      return { error }
    }
  }

  /** A failed event is stored for its next attempt: one project's event delays nobody else's. */
  async function handle(work: Work, consumer: Consumer, row: EventRow, attempts = 0): Promise<boolean> {
    const { name } = consumer
    const outcome = await attempt(work, consumer, [row])
    if (!('error' in outcome)) return true
    const { error } = outcome
    const failed = { consumer: name, event: row.id, type: row.type, project: row.project_id, attempts: attempts + 1 }
    const last = attempts + 1 >= backgroundRetries.mostAttempts
    if (last) log.error({ err: error, ...failed }, 'an event was given up after its last attempt')
    else log.warn({ err: error, ...failed }, 'an event could not be handled')
    const values = {
      attempts: attempts + 1,
      error: (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR),
      retry_at: last ? null : new Date(clock().getTime() + backgroundRetries.waitAfter(attempts + 1)),
    }
    // an event of a project that was deleted meanwhile: its failure concerns nobody
    const project = work.selectFrom('projects').select('id').where('id', '=', row.project_id).forKeyShare()
    if (!(await project.executeTakeFirst())) return false
    await work
      .insertInto('event_failures')
      .values({ consumer: name, event_id: row.id, event_at: row.at, project_id: row.project_id, ...values })
      .onConflict((again) => again.columns(['consumer', 'event_id']).doUpdateSet(values))
      .execute()
    return false
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

  /**
   * @param retry whether failures that are due are tried again
   * @returns the consumers that may have events in running transactions
   */
  async function take(those: readonly Consumer[], retry: boolean): Promise<Consumer[]> {
    await register()
    const hidden = new Set<Consumer>()
    for (const consumer of those) {
      for (let left = true; left && state === 'started'; ) {
        const batch = await takeBatch(consumer)
        left = batch.left
        if (batch.hidden) hidden.add(consumer)
      }
      while (retry && state === 'started' && (await takeFailure(consumer)));
    }
    return [...hidden]
  }

  /** Looks one at a time, with a pause after each; consumers added meanwhile are included in the next look. */
  function look(those: readonly Consumer[]): void {
    for (const consumer of those) due.add(consumer)
    if (looking || rest || due.size === 0) return
    const now = [...due]
    const retry = retryDue
    due.clear()
    retryDue = false
    looking = take(now, retry)
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
      const lookAtAll = () => {
        retryDue = true
        look(consumers)
      }
      poll = setInterval(lookAtAll, LOOK_EVERY)
      lookAtAll()
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
