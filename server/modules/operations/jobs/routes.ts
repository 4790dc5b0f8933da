import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../../access/register'
import { dismissJob, JOBS_SHOWN, listFailedJobs, retryJob } from '../../../contracts/jobs'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'

/** Routes for given-up jobs: a project's administrators see them, and decide. */
export function registerJobs(app: FastifyInstance, context: ServerContext): void {
  const { clock } = context

  registerRoute(app, context, listFailedJobs, async ({ caller }) => {
    const rows = await caller.db
      .selectFrom('jobs')
      .select(['id', 'kind', 'attempts', 'error', 'created_at', 'failed_at'])
      .where('failed_at', 'is not', null)
      .orderBy('failed_at')
      .limit(JOBS_SHOWN)
      .execute()
    const jobs = rows.map(({ id, kind, attempts, error, created_at, failed_at }) => ({
      id,
      kind,
      attempts,
      error: error ?? '',
      created_at: created_at.toISOString(),
      failed_at: (failed_at ?? created_at).toISOString(),
    }))
    return { jobs }
  })

  registerRoute(app, context, retryJob, async ({ caller, params }) => {
    const { numUpdatedRows } = await caller.db
      .updateTable('jobs')
      .set({ failed_at: null, attempts: 0, error: null, lease: null, run_at: clock() })
      .where('id', '=', params.job)
      .where('failed_at', 'is not', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new ApiError('not_found')
    context.jobs.wake()
    return {}
  })

  registerRoute(app, context, dismissJob, async ({ caller, params }) => {
    const { numDeletedRows } = await caller.db
      .deleteFrom('jobs')
      .where('id', '=', params.job)
      .where('failed_at', 'is not', null)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw new ApiError('not_found')
    return {}
  })
}
