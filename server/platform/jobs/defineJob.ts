import type { z } from 'zod'
import type { Json } from '../../../engine/values/json'

/** The job that is carried out: its own id, and the project it belongs to; null for the installation's own. */
export interface JobRun {
  id: string
  projectId: string | null
}

/** Carries out a job: at least once, so twice must be as good as once. @returns a date: again then */
export type JobHandler<Payload> = (payload: Payload, job: JobRun) => Promise<Date | undefined>

/** A kind of job: what whoever schedules one and whoever carries it out share. */
export interface JobKind<Payload> {
  readonly kind: string
  readonly payload: z.ZodType<Payload>
  /** The kind with what carries it out, for a module's `jobs`. */
  handledBy(handler: JobHandler<Payload>): HandledJob
}

/** A kind of job with its handler, which reads the stored payload strictly first. */
export interface HandledJob {
  readonly kind: string
  handle(payload: Json, job: JobRun): Promise<Date | undefined>
}

/**
 * Declares a kind of job.
 * @param kind its name in the database: renaming it leaves jobs that nobody carries out
 * @param payload read when the job is carried out: one that doesn't fit fails like a handler that throws
 */
export function defineJob<Payload extends Json>(kind: string, payload: z.ZodType<Payload>): JobKind<Payload> {
  return {
    kind,
    payload,
    handledBy: (handler) => ({ kind, handle: async (stored, job) => handler(payload.parse(stored), job) }),
  }
}
