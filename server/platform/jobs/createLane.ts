import { randomUUID } from 'node:crypto'
import { sql, type UpdateObject } from 'kysely'
import type { Json } from '../../../engine/values/json'
import { backgroundRetries } from '../backoff'
import type { Database } from '../database/tables'
import type { Installation } from '../installation'
import { type Metrics, startWatch } from '../metrics/createMetrics'
import { inSpan } from '../tracing/spans'
import type { HandledJob } from './defineJob'

interface Job {
  id: string
  project_id: string | null
  kind: string
  payload: Json
  attempts: number
  lease: string
  trace: string | null
}

/** How many jobs of a lane are under way in a process; of one project fewer: its slow servers delay no other's. */
export interface Room {
  atOnce: number
  ofProject: number
}

/** How long a job stays with a process that does not renew its lease. */
const LEASE = 15_000
const RENEW_EVERY = 5_000
/** The interval at which jobs of other processes are looked for. */
const LOOK_EVERY = 5_000
/** The pause after finding due jobs that another process is taking. */
const LOOK_AGAIN = 50
const MAX_ERROR = 2_000

const ofOthers = (projects: string[]) => sql<boolean>`(project_id is null or project_id <> all(${projects}::bigint[]))`
const isLastAttempt = ({ attempts }: Job): boolean => attempts >= backgroundRetries.mostAttempts
const later = (date: Date, ms: number): Date => new Date(date.getTime() + ms)

/** Looks for due jobs of some kinds, and carries them out, as many at once as there is room for. */
export function createLane(
  {
    db,
    clock,
    log,
    metrics,
  }: Pick<Installation, 'db' | 'clock' | 'log'> & { metrics?: Pick<Metrics, 'jobRuns' | 'jobSeconds'> },
  most: Room,
) {
  const handlers = new Map<string, HandledJob>()
  /** with each job's project */
  const running = new Map<Promise<void>, string | null>()
  let timer: NodeJS.Timeout | null = null
  let nextLook = 0
  let state: 'idle' | 'started' | 'closed' = 'idle'
  let looking: Promise<void> | null = null
  let lookAgain = false
  /** whether the last look may have left something due, for want of room */
  let isLeft = false

  /**
   * Takes due jobs, longest due first; skips those that another process is taking. @returns them, and when the next one
   * is due; null: there is none
   */
  async function claim(limit: number, without: string[] = []): Promise<{ jobs: Job[]; next: Date | null }> {
    if (handlers.size === 0) return { jobs: [], next: null }
    const now = clock()
    const lease = randomUUID()
    const rows = await db
      .with('due', (one) =>
        one
          .selectFrom('jobs')
          .select('id')
          .where('run_at', '<=', now)
          .where('failed_at', 'is', null)
          .where('kind', 'in', [...handlers.keys()])
          .where(ofOthers(without))
          .orderBy('run_at')
          .limit(limit)
          .forUpdate()
          .skipLocked(),
      )
      .with('taken', (one) =>
        one
          .updateTable('jobs')
          .set(({ eb }) => ({ lease, again: false, run_at: later(now, LEASE), attempts: eb('attempts', '+', 1) }))
          .where('id', 'in', ({ selectFrom }) => selectFrom('due').select('id'))
          .returning(['id', 'project_id', 'kind', 'payload', 'attempts', 'trace']),
      )
      // those that are taken come due, too, if their process dies: what is read here is how they were before
      .selectFrom((from) =>
        from
          .selectFrom('jobs')
          .select(({ fn }) => fn.min('run_at').as('next'))
          .where('failed_at', 'is', null)
          .where('kind', 'in', [...handlers.keys()])
          .where(ofOthers(without))
          .where('id', 'not in', ({ selectFrom }) => selectFrom('due').select('id'))
          .as('waiting'),
      )
      .leftJoin('taken', (join) => join.onTrue())
      .select(['waiting.next', 'taken.id', 'taken.project_id', 'taken.kind', 'taken.payload', 'taken.attempts'])
      .select('taken.trace')
      .execute()
    const jobs = rows.flatMap(({ id, kind, payload, attempts, project_id, trace }) =>
      id === null || kind === null || attempts === null
        ? []
        : [{ id, kind, payload, attempts, project_id, lease, trace }],
    )
    return { jobs, next: rows[0]?.next ?? null }
  }

  /**
   * Never throws: what can't be written now is found again when the lease ends. @returns whether the job is still there
   */
  async function carryOut(job: Job): Promise<boolean> {
    const renewal = setInterval(() => void renew(job), RENEW_EVERY)
    renewal.unref()
    const seconds = startWatch()
    let outcome: 'done' | 'failed' | 'given up' = 'done'
    try {
      const attributes = { 'parley.job': job.id, 'parley.attempt': job.attempts }
      // whoever woke the lane did not begin this job: who scheduled it did
      const again = await inSpan(`job ${job.kind}`, { attributes, after: job.trace }, async () =>
        handlers.get(job.kind)?.handle(job.payload, { id: job.id, projectId: job.project_id }),
      )
      return await end(job, again)
    } catch (error) {
      outcome = isLastAttempt(job) ? 'given up' : 'failed'
      await fail(job, error).catch((cause) => log.error({ err: cause, job: job.id }, 'a job could not be put back'))
      return true
    } finally {
      clearInterval(renewal)
      metrics?.jobRuns.inc({ kind: job.kind, outcome })
      metrics?.jobSeconds.observe({ kind: job.kind }, seconds())
    }
  }

  /**
   * Ends a job that has run; it stays if it wants to run at a later time, or was scheduled meanwhile (`again`).
   * @returns whether it stays
   */
  async function end(job: Job, next: Date | undefined): Promise<boolean> {
    if (!next) {
      const mine = db.deleteFrom('jobs').where('id', '=', job.id).where('lease', '=', job.lease)
      const { numDeletedRows } = await mine.where('again', '=', false).executeTakeFirstOrThrow()
      if (numDeletedRows > 0n) return false
    }
    const now = clock()
    const runAt = sql<Date>`case when again then ${now}::timestamptz else ${next ?? now}::timestamptz end`
    // its next run belongs to whoever scheduled it meanwhile, or to nobody
    const trace = sql<string | null>`case when again then trace end`
    await change(job, { run_at: runAt, attempts: 0, lease: null, error: null, trace })
    return true
  }

  /** Only while this process has the lease: the job may have been taken again after it, or replaced. */
  const change = (job: Job, values: UpdateObject<Database, 'jobs'>) =>
    db.updateTable('jobs').set(values).where('id', '=', job.id).where('lease', '=', job.lease).execute()

  const renew = (job: Job) =>
    change(job, { run_at: later(clock(), LEASE) }).catch((error) =>
      log.warn({ err: error, job: job.id }, "a job's lease could not be renewed"),
    )

  function fail(job: Job, error: unknown): Promise<unknown> {
    const message = (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR)
    const now = clock()
    const last = isLastAttempt(job)
    const what = { err: error, job: job.id, kind: job.kind, project: job.project_id, attempts: job.attempts }
    if (last) log.error(what, 'a job was given up after its last attempt')
    else log.warn(what, 'a job failed')
    const run_at = later(now, backgroundRetries.waitAfter(job.attempts))
    // what was scheduled meanwhile is not given up with it
    const next = last
      ? { run_at, failed_at: sql<Date>`case when again then null else ${now}::timestamptz end` }
      : { run_at }
    return change(job, { ...next, error: message, lease: null })
  }

  /** Runs one look at a time; a request meanwhile starts another one afterwards. */
  function look(): void {
    if (state !== 'started') return
    if (looking) {
      lookAgain = true
      return
    }
    lookAgain = false
    looking = takeWhatIsDue()
      .catch((error) => {
        log.error({ err: error }, 'due jobs could not be read')
        return LOOK_EVERY
      })
      .then((wait) => {
        looking = null
        if (lookAgain) return look()
        lookIn(wait)
      })
  }

  function lookIn(wait: number): void {
    if (timer) clearTimeout(timer)
    if (state !== 'started') return
    nextLook = clock().getTime() + wait
    timer = setTimeout(look, wait)
  }

  /** Starts as many due jobs as there is room for. Returns the time until the next look, in ms. */
  async function takeWhatIsDue(): Promise<number> {
    const { room, full } = roomLeft()
    // whichever of them ends first looks again
    isLeft = room <= 0 || full.length > 0
    if (room <= 0 || handlers.size === 0 || state !== 'started') return LOOK_EVERY
    const { jobs, next } = await claim(room, full)
    for (const job of jobs) {
      const task: Promise<void> = carryOut(job).then((stays) => {
        running.delete(task)
        // else nothing is due that was not taken
        if (stays || isLeft || looking) look()
      })
      running.set(task, job.project_id)
    }
    if (jobs.length === room) return takeWhatIsDue()
    const wait = next ? next.getTime() - clock().getTime() : LOOK_EVERY
    return Math.min(Math.max(wait, LOOK_AGAIN), LOOK_EVERY)
  }

  /** How many jobs can be started, and the projects that have reached their limit. */
  function roomLeft(): { room: number; full: string[] } {
    const counts = new Map<string, number>()
    for (const id of running.values()) if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1)
    const full = [...counts].filter(([, count]) => count >= most.ofProject).map(([id]) => id)
    const busiest = Math.max(0, ...[...counts.values()].filter((count) => count < most.ofProject))
    return { room: Math.min(most.atOnce - running.size, most.ofProject - busiest), full }
  }

  return {
    handle: (job: HandledJob): void => void handlers.set(job.kind, job),

    wake(at?: Date): void {
      const wait = at ? at.getTime() - clock().getTime() : 0
      if (wait <= 0 || looking) look()
      else if (clock().getTime() + wait < nextLook) lookIn(wait)
    },

    start(): void {
      if (state === 'idle') state = 'started'
      look()
    },

    /** Runs what is due to its end, once. @returns null while others look or run: what is due then is not known yet */
    async runDue(): Promise<number | null> {
      // a look that ends may start another one, whose jobs are not running yet
      while (looking || running.size > 0) {
        await looking
        await Promise.all(running.keys())
      }
      const { jobs: due } = await claim(most.atOnce)
      await Promise.all(due.map(carryOut))
      // a look that started meanwhile may have taken what was due
      return due.length === 0 && (looking || running.size > 0) ? null : due.length
    },

    /** Takes no more jobs. @returns when those under way have ended */
    async close(): Promise<void> {
      state = 'closed'
      if (timer) clearTimeout(timer)
      await looking
      await Promise.all(running.keys())
    },
  }
}
