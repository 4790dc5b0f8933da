import { sql } from 'kysely'
import { backgroundRetries } from '../backoff'
import type { ServerContext } from '../context'
import type { Work } from '../database/database'
import type { Consumer } from './defineConsumer'
import { type EventDefinition, readEvent } from './defineEvent'

const MAX_ERROR = 2_000

export type EventRow = Parameters<typeof readEvent>[1]

/**
 * Runs the handlers of consumers, each in a savepoint of the caller's transaction.
 * @returns `handleAll`: events together, and each alone if that fails; `handle`: one, after so many attempts; whether
 * it succeeded
 */
export function createEventHandling({ clock, log }: Pick<ServerContext, 'clock' | 'log'>) {
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

  return { handleAll, handle }
}
