import { sql } from 'kysely'
import type { ServerContext } from '../../../platform/context'
import { isBehind } from '../../../platform/events/place'
import { monthOf } from '../../billing/months'

export type JobState = 'due' | 'running' | 'waiting' | 'given up'

/** What the database knows of the installation. */
export interface State {
  databaseBytes: number
  jobs: Record<JobState, number>
  /** seconds since the job that waits longest was due; 0: none is */
  oldestDueSeconds: number
  eventFailures: { retried: number; 'given up': number }
  /** by consumer, seconds since the oldest event that it has not read; 0: it has read all */
  behindSeconds: Record<string, number>
  /** AI message credits used this month, by all projects */
  creditsUsed: number
  projects: number
  people: number
  /** what the feed of UPDATE_CHECK named last; null: it has not been asked, or not with success */
  newest: { version: string; askedAt: Date } | null
}

/** Reads what operators watch, of all projects. It counts tables that are short, or by an index. */
export async function readState({ db, clock }: Pick<ServerContext, 'db' | 'clock'>): Promise<State> {
  const now = clock()
  const counted = sql<Record<JobState, string> & { oldest: Date | null }>`select
      count(*) filter (where failed_at is null and run_at <= ${now}) as due,
      count(*) filter (where failed_at is null and run_at > ${now} and lease is not null) as running,
      count(*) filter (where failed_at is null and run_at > ${now} and lease is null) as waiting,
      count(*) filter (where failed_at is not null) as "given up",
      min(run_at) filter (where failed_at is null) as oldest
    from jobs`
  const sums = sql<Record<'bytes' | 'projects' | 'people' | 'retried' | 'given' | 'credits', string>>`select
      pg_database_size(current_database()) as bytes,
      (select count(*) from projects) as projects,
      (select count(*) from users) as people,
      (select count(*) from event_failures where retry_at is not null) as retried,
      (select count(*) from event_failures where retry_at is null) as given,
      (select coalesce(sum(used), 0) from credit_months where month = ${monthOf(now)}) as credits`
  // not older than the log's order tells: one step by its index
  const behind = sql<{ name: string; oldest: Date | null }>`select name, (select at from events where ${isBehind}
      order by events.epoch, events.tx, events.id limit 1) as oldest
    from event_consumers`
  const named = db.selectFrom('installation').select(['newest_version', 'newest_asked_at'])
  const [jobs, sum, consumers, newest] = await Promise.all([
    counted.execute(db),
    sums.execute(db),
    behind.execute(db),
    named.executeTakeFirstOrThrow(),
  ])
  const [{ oldest, ...states }] = jobs.rows as [(typeof jobs.rows)[number]]
  const [row] = sum.rows as [(typeof sum.rows)[number]]
  const since = (date: Date | null) => (date ? Math.max(0, (now.getTime() - date.getTime()) / 1_000) : 0)
  return {
    databaseBytes: Number(row.bytes),
    jobs: {
      due: Number(states.due),
      running: Number(states.running),
      waiting: Number(states.waiting),
      'given up': Number(states['given up']),
    },
    oldestDueSeconds: since(oldest),
    eventFailures: { retried: Number(row.retried), 'given up': Number(row.given) },
    behindSeconds: Object.fromEntries(consumers.rows.map(({ name, oldest }) => [name, since(oldest)])),
    creditsUsed: Number(row.credits),
    projects: Number(row.projects),
    people: Number(row.people),
    newest:
      newest.newest_version === null || newest.newest_asked_at === null
        ? null
        : { version: newest.newest_version, askedAt: newest.newest_asked_at },
  }
}
