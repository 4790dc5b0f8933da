import { ADMIN_ROWS, type DeadJob } from '../../contracts/admin'
import type { RootDb, Work } from '../../platform/database/database'
import { ApiError } from '../../platform/errors'
import { retryFailures } from '../../platform/events/failures'
import { type Doer, noteAction } from './noteAction'

/** Jobs of all projects that were given up, newest first. */
export async function deadJobs(db: RootDb): Promise<DeadJob[]> {
  const rows = await db
    .selectFrom('jobs')
    .leftJoin('projects', 'projects.id', 'jobs.project_id')
    .select(['jobs.id', 'kind', 'attempts', 'error', 'failed_at', 'projects.gid', 'projects.name'])
    .where('failed_at', 'is not', null)
    .orderBy('failed_at', 'desc')
    .limit(ADMIN_ROWS)
    .execute()
  return rows.map(({ id, kind, attempts, error, failed_at, gid, name }) => ({
    id,
    kind,
    project: gid === null ? null : { gid, name: name ?? '' },
    attempts,
    error: error ?? '',
    failed_at: (failed_at ?? new Date(0)).toISOString(),
  }))
}

/** As new. The caller wakes the jobs after the commit. */
const asNew = (at: Date) => ({ failed_at: null, attempts: 0, error: null, lease: null, run_at: at })

/** Has a job that was given up tried again. @throws ApiError not_found */
export async function retryJob(db: RootDb, id: string, doer: Doer): Promise<void> {
  await db.transaction().execute(async (work) => {
    const job = await work
      .updateTable('jobs')
      .set(asNew(doer.at))
      .where('id', '=', id)
      .where('failed_at', 'is not', null)
      .returning('kind')
      .executeTakeFirst()
    if (!job) throw new ApiError('not_found')
    await noteAction(work, doer, 'retry_job', `${job.kind} ${id}`)
  })
}

/** Deletes a job that was given up. @throws ApiError not_found */
export async function dismissJob(db: RootDb, id: string, doer: Doer): Promise<void> {
  await db.transaction().execute(async (work) => {
    const job = await work
      .deleteFrom('jobs')
      .where('id', '=', id)
      .where('failed_at', 'is not', null)
      .returning(['kind', 'error'])
      .executeTakeFirst()
    if (!job) throw new ApiError('not_found')
    await noteAction(work, doer, 'dismiss_job', `${job.kind} ${id}`, job.error ?? '')
  })
}

/** Has everything that was given up tried again, jobs and events. @returns how many of each */
export async function retryEverything(db: RootDb, doer: Doer): Promise<{ jobs: number; events: number }> {
  return db.transaction().execute(async (work: Work) => {
    const { numUpdatedRows } = await work
      .updateTable('jobs')
      .set(asNew(doer.at))
      .where('failed_at', 'is not', null)
      .executeTakeFirst()
    const done = { jobs: Number(numUpdatedRows), events: await retryFailures(work, doer.at) }
    await noteAction(work, doer, 'retry_all', `${done.jobs} jobs, ${done.events} events`)
    return done
  })
}
