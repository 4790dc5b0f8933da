import type { z } from 'zod'
import type { Json } from '../../../engine/values/json'

/** The running job: its id and its project; null for jobs of the installation. */
export interface JobRun {
  id: string
  projectId: string | null
}

/** Jobs of different lanes don't wait for each other: `sending` is for those that wait for servers elsewhere. */
export type Lane = 'work' | 'sending'

/** Runs a job at least once, so running twice must be harmless. @returns a date to run again */
export type JobHandler<Payload> = (payload: Payload, job: JobRun) => Promise<Date | undefined>

/** A kind of job, shared by the code that schedules it and its handler. */
export interface JobKind<Payload> {
  readonly kind: string
  readonly payload: z.ZodType<Payload>
  /** The kind with its handler, for a module's `jobs`. */
  handledBy(handler: JobHandler<Payload>): HandledJob
}

/** A kind of job with its handler; the stored payload is parsed strictly first. */
export interface HandledJob {
  readonly kind: string
  readonly lane: Lane
  handle(payload: Json, job: JobRun): Promise<Date | undefined>
}

/**
 * Declares a kind of job.
 * @param kind its name in the database: renaming it leaves jobs without a handler
 * @param payload parsed when the job runs; an invalid one fails as if the handler had thrown
 * @param lane where it waits for room
 */
export function defineJob<Payload extends Json>(
  kind: string,
  payload: z.ZodType<Payload>,
  { lane = 'work' }: { lane?: Lane } = {},
): JobKind<Payload> {
  return {
    kind,
    payload,
    handledBy: (handler) => ({ kind, lane, handle: async (stored, job) => handler(payload.parse(stored), job) }),
  }
}
