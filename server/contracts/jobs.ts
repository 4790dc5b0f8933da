import { z } from 'zod'
import { defineRoute, gid, ok } from './route'

/** The most jobs listed; oldest first. */
export const JOBS_SHOWN = 100

export const failedJobSchema = z.strictObject({
  id: z.string(),
  /** such as `train-source`; the interface has texts for those it knows */
  kind: z.string(),
  attempts: z.int(),
  /** of the last attempt */
  error: z.string(),
  created_at: z.string(),
  failed_at: z.string(),
})
export type FailedJob = z.infer<typeof failedJobSchema>

const jobId = z.string().regex(/^\d{1,18}$/, 'This is not a valid id')
const one = z.strictObject({ pgid: gid, job: jobId })

/** The project's jobs that were given up after their last attempt. */
export const listFailedJobs = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/failed-jobs',
  access: { feature: 'project.update' },
  params: z.strictObject({ pgid: gid }),
  answer: z.strictObject({ jobs: z.array(failedJobSchema) }),
})
/** Starts it again, with all its attempts. */
export const retryJob = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/failed-jobs/:job/retry',
  access: { feature: 'project.update' },
  params: one,
  answer: ok,
})
/** Removes it from the list; its work stays undone. */
export const dismissJob = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid/failed-jobs/:job',
  access: { feature: 'project.update' },
  params: one,
  answer: ok,
})
