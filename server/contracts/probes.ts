import { z } from 'zod'
import { defineRoute } from './route'

/** Whether the process is alive: 200 as long as the event loop runs. */
export const readLiveness = defineRoute({
  method: 'GET',
  path: '/healthz',
  access: 'public',
  answer: z.strictObject({
    status: z.literal('alive'),
    /** seconds since the process started */
    uptime: z.number(),
  }),
})
/** Where those write who find a weakness (RFC 9116), as text; 404 without `SECURITY_CONTACT`. */
export const readSecurityText = defineRoute({
  method: 'GET',
  path: '/.well-known/security.txt',
  access: 'public',
  answer: z.unknown(),
})
/**
 * Whether it can serve: the database answers, its migrations have run, no stop has begun. Otherwise 503 `unavailable`,
 * with the reason.
 */
export const readReadiness = defineRoute({
  method: 'GET',
  path: '/readyz',
  access: 'public',
  answer: z.strictObject({
    status: z.literal('ready'),
    /** given-up jobs of the whole installation; projects list their own */
    failed_jobs: z.int(),
    /** events that a consumer failed to handle and gave up: `parley events failed` lists them */
    failed_events: z.int(),
  }),
})
/**
 * What the process counts, in the text format of Prometheus, not in the envelope. For who has `METRICS_TOKEN` as a
 * bearer token; without one, for calls of this machine to an installation that is reached on it alone.
 */
export const readMetrics = defineRoute({
  method: 'GET',
  path: '/metrics',
  access: 'public',
  answer: z.string(),
})
