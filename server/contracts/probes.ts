import { z } from 'zod'
import { defineRoute } from './route'

/** Whether the process lives: answered with 200 as long as the event loop turns, whatever else is wrong. */
export const readLiveness = defineRoute({
  method: 'GET',
  path: '/healthz',
  access: 'public',
  answer: z.strictObject({
    status: z.literal('alive'),
    /** seconds since the process began */
    uptime: z.number(),
  }),
})
/**
 * Whether it can serve: the database answers, its migrations have run, no stop has begun. Else 503 `unavailable`, with the reason.
 */
export const readReadiness = defineRoute({
  method: 'GET',
  path: '/readyz',
  access: 'public',
  answer: z.strictObject({
    status: z.literal('ready'),
    /** jobs of the whole installation that were given up; projects list theirs */
    failed_jobs: z.int(),
    /** events that a consumer could not handle and gave up: `parley events failed` lists them */
    failed_events: z.int(),
  }),
})
