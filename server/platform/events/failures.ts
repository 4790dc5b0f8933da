import type { Db } from '../database/database'

/** An event that a consumer failed to handle. */
export interface EventFailure {
  consumer: string
  /** the event's id, type and project */
  event: string
  type: string
  project: string
  attempts: number
  error: string
  /** null: given up */
  retryAt: Date | null
}

/** The most entries of a list. */
const LISTED = 500

/** Failures of all projects, given up ones first: for the operator. */
export async function listFailures(db: Db): Promise<EventFailure[]> {
  const rows = await db
    .selectFrom('event_failures')
    .innerJoin('events', (join) =>
      join.onRef('events.id', '=', 'event_failures.event_id').onRef('events.at', '=', 'event_failures.event_at'),
    )
    .innerJoin('projects', 'projects.id', 'event_failures.project_id')
    .select(['consumer', 'event_id', 'type', 'projects.gid', 'attempts', 'error', 'retry_at'])
    .orderBy('retry_at', (order) => order.asc().nullsFirst())
    .orderBy('event_id')
    .limit(LISTED)
    .execute()
  return rows.map(({ event_id: event, gid: project, retry_at: retryAt, ...row }) => ({
    ...row,
    event,
    project,
    retryAt,
  }))
}

/**
 * Schedules given-up events for new attempts, from the first on, by any process.
 * @param consumer limits it to this consumer
 * @returns how many there were
 */
export async function retryFailures(db: Db, at: Date, consumer?: string): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('event_failures')
    .set({ retry_at: at, attempts: 0 })
    .where('retry_at', 'is', null)
    .$if(consumer !== undefined, (failures) => failures.where('consumer', '=', consumer ?? ''))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** The number of given-up events. */
export async function countFailures(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('event_failures')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('retry_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}
