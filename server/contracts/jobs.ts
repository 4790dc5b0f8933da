import { z } from 'zod'
import { defineRoute, gid, ok } from './route'

/** More than a person goes through; the oldest come first. */
export const JOBS_SHOWN = 100

export const failedJobSchema = z.strictObject({
  id: z.string(),
  /** such as `train-source`; the interface has words for those it knows */
  kind: z.string(),
  attempts: z.int(),
  /** the last one's */
  error: z.string(),
  created_at: z.string(),
  failed_at: z.string(),
})
export type FailedJob = z.infer<typeof failedJobSchema>

const jobId = z.string().regex(/^\d{1,18}$/, 'This is not a valid id')
const one = z.strictObject({ pgid: gid, job: jobId })

/** The project's work in the background that was given up after its last attempt. */
export const listFailedJobs = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/failed-jobs',
  access: { feature: 'project.update' },
  params: z.strictObject({ pgid: gid }),
  answer: z.strictObject({ jobs: z.array(failedJobSchema) }),
})
/** Begins it anew, with all its attempts. */
export const retryJob = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/failed-jobs/:job/retry',
  access: { feature: 'project.update' },
  params: one,
  answer: ok,
})
/** Takes it from the list; what it was to do is not done. */
export const dismissJob = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid/failed-jobs/:job',
  access: { feature: 'project.update' },
  params: one,
  answer: ok,
})
