import { randomUUID } from 'node:crypto'
import { sql, type UpdateObject } from 'kysely'
import type { Json } from '../../../engine/values/json'
import { backgroundRetries } from '../backoff'
import type { Db } from '../database/database'
import type { Database } from '../database/tables'
import type { Installation } from '../installation'
import { type Metrics, startWatch } from '../metrics/createMetrics'
import type { HandledJob, JobKind } from './defineJob'
import { insertJob, type NewJob } from './insertJob'

export interface Jobs {
  /** Registers a kind's handler. Throws if one is registered. */
  handle(job: HandledJob): void
  /** Writes a job, in the caller's transaction if there is one. Call `wake` after the commit. */
  schedule<Payload extends Json>(db: Db, kind: JobKind<Payload>, job: NewJob<Payload>): Promise<void>
  /**
   * Call after the commit: looks for due jobs now, or at that time at the latest. Otherwise they are found within
   * `LOOK_EVERY`.
   */
  wake(at?: Date): void
  /** Starts looking for due jobs. */
  start(): void
  /** Runs all due jobs, and those that become due by that, to their end. Returns how many. For tests and tools. */
  runDue(): Promise<number>
  /** Takes no more jobs and waits a moment for running ones; unfinished ones become due when their lease ends. */
  close(): Promise<void>
}

interface Job {
  id: string
  project_id: string | null
  kind: string
  payload: Json
  attempts: number
  lease: string
}

/** How long a job stays with a process that does not renew its lease. */
const LEASE = 15_000
const RENEW_EVERY = 5_000
/** The interval at which jobs of other processes are looked for. */
const LOOK_EVERY = 5_000
/** The pause after finding due jobs that another process is taking. */
const LOOK_AGAIN = 50
/** Per process; each may need a connection of the pool. */
const AT_ONCE = 8
/** Per project and process: a project's slow servers don't delay others' jobs. */
const AT_ONCE_OF_PROJECT = 4
const CLOSE_LIMIT = 2_000
const MAX_ERROR = 2_000

const ofOthers = (projects: string[]) => sql<boolean>`(project_id is null or project_id <> all(${projects}::bigint[]))`
const isLastAttempt = ({ attempts }: Job): boolean => attempts >= backgroundRetries.mostAttempts
const later = (date: Date, ms: number): Date => new Date(date.getTime() + ms)

/** The jobs of an installation in one process. */
export function createJobs({
  db,
  clock,
  log,
  metrics,
}: Pick<Installation, 'db' | 'clock' | 'log'> & { metrics?: Pick<Metrics, 'jobRuns' | 'jobSeconds'> }): Jobs {
  const handlers = new Map<string, HandledJob>()
  /** with each job's project */
  const running = new Map<Promise<void>, string | null>()
  let timer: NodeJS.Timeout | null = null
  let nextLook = 0
  let state: 'idle' | 'started' | 'closed' = 'idle'
  let looking: Promise<void> | null = null
  let lookAgain = false

  /** Takes due jobs, longest due first; skips those that another process is taking. */
  async function claim(limit: number, without: string[] = []): Promise<Job[]> {
    if (handlers.size === 0) return []
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
      .updateTable('jobs')
      .set(({ eb }) => ({ lease, again: false, run_at: later(now, LEASE), attempts: eb('attempts', '+', 1) }))
      .where('id', 'in', ({ selectFrom }) => selectFrom('due').select('id'))
      .returning(['id', 'project_id', 'kind', 'payload', 'attempts'])
      .execute()
    return rows.map((row) => ({ ...row, lease }))
  }

  /** Never throws: what can't be written now is found again when the lease ends. */
  async function carryOut(job: Job): Promise<void> {
    const renewal = setInterval(() => void renew(job), RENEW_EVERY)
    renewal.unref()
    const seconds = startWatch()
    let outcome: 'done' | 'failed' | 'given up' = 'done'
    try {
      const again = await handlers.get(job.kind)?.handle(job.payload, { id: job.id, projectId: job.project_id })
      await end(job, again)
    } catch (error) {
      outcome = isLastAttempt(job) ? 'given up' : 'failed'
      await fail(job, error).catch((cause) => log.error({ err: cause, job: job.id }, 'a job could not be put back'))
    } finally {
      clearInterval(renewal)
      metrics?.jobRuns.inc({ kind: job.kind, outcome })
      metrics?.jobSeconds.observe({ kind: job.kind }, seconds())
    }
  }

  /** Ends a job that has run; it stays if it wants to run at a later time, or was scheduled meanwhile (`again`). */
  async function end(job: Job, next: Date | undefined): Promise<void> {
    if (!next) {
      const mine = db.deleteFrom('jobs').where('id', '=', job.id).where('lease', '=', job.lease)
      const { numDeletedRows } = await mine.where('again', '=', false).executeTakeFirstOrThrow()
      if (numDeletedRows > 0n) return
    }
    const now = clock()
    const runAt = sql<Date>`case when again then ${now}::timestamptz else ${next ?? now}::timestamptz end`
    await change(job, { run_at: runAt, attempts: 0, lease: null, error: null })
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
    if (room <= 0 || handlers.size === 0 || state !== 'started') return LOOK_EVERY
    const jobs = await claim(room, full)
    for (const job of jobs) {
      const task = carryOut(job).finally(() => {
        running.delete(task)
        look()
      })
      running.set(task, job.project_id)
    }
    if (jobs.length === room) return takeWhatIsDue()
    const next = await db
      .selectFrom('jobs')
      .select(({ fn }) => fn.min('run_at').as('at'))
      .where('failed_at', 'is', null)
      .where('kind', 'in', [...handlers.keys()])
      .where(ofOthers(full))
      .executeTakeFirst()
    const wait = next?.at ? next.at.getTime() - clock().getTime() : LOOK_EVERY
    return Math.min(Math.max(wait, LOOK_AGAIN), LOOK_EVERY)
  }

  /** How many jobs can be started, and the projects that have reached their limit. */
  function roomLeft(): { room: number; full: string[] } {
    const counts = new Map<string, number>()
    for (const id of running.values()) if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1)
    const full = [...counts].filter(([, count]) => count >= AT_ONCE_OF_PROJECT).map(([id]) => id)
    const most = Math.max(0, ...[...counts.values()].filter((count) => count < AT_ONCE_OF_PROJECT))
    return { room: Math.min(AT_ONCE - running.size, AT_ONCE_OF_PROJECT - most), full }
  }

  return {
    handle(job) {
      if (handlers.has(job.kind)) throw new Error(`The job '${job.kind}' has a handler already.`)
      handlers.set(job.kind, job)
    },

    async schedule(work, kind, job) {
      await insertJob(work, kind, job, clock()).execute()
    },

    wake(at) {
      const wait = at ? at.getTime() - clock().getTime() : 0
      if (wait <= 0 || looking) look()
      else if (clock().getTime() + wait < nextLook) lookIn(wait)
    },

    start() {
      if (state === 'idle') state = 'started'
      look()
    },

    async runDue() {
      let count = 0
      for (;;) {
        // a look that ends may start another one, whose jobs are not running yet
        while (looking || running.size > 0) {
          await looking
          await Promise.all(running.keys())
        }
        const due = await claim(AT_ONCE)
        // a look that started meanwhile may have taken what was due
        if (due.length === 0 && !looking && running.size === 0) return count
        await Promise.all(due.map(carryOut))
        count += due.length
      }
    },

    async close() {
      state = 'closed'
      if (timer) clearTimeout(timer)
      await looking
      const limit = new Promise((done) => setTimeout(done, CLOSE_LIMIT).unref())
      await Promise.race([Promise.all(running.keys()), limit])
    },
  }
}
