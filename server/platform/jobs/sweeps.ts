import { z } from 'zod'
import type { ServerContext } from '../context'
import { defineJob } from './defineJob'

/** A recurring task with an interval in milliseconds, run by one of all processes. */
export interface Sweep {
  kind: string
  every: number
  sweep: () => Promise<unknown>
}

/** The job of a sweep: also for running it earlier. */
export const sweepJob = (kind: string) => defineJob(kind, z.null())

/** Registers sweeps with the context's jobs. @throws if a kind is registered already */
export function handleSweeps({ jobs, clock, log }: ServerContext, sweeps: readonly Sweep[]): void {
  for (const { kind, every, sweep } of sweeps) {
    const handled = sweepJob(kind).handledBy(async () => {
      // a job that fails too often is given up; a sweep must not be
      await sweep().catch((error) => log.error({ err: error, kind }, 'a sweep failed'))
      return new Date(clock().getTime() + every)
    })
    jobs.handle(handled)
  }
}

/** Schedules sweeps that are not scheduled yet; those missed while nothing ran are due at once. */
export async function scheduleSweeps({ jobs, db, clock }: ServerContext, sweeps: readonly Sweep[]): Promise<void> {
  for (const { kind } of sweeps)
    await jobs.schedule(db, sweepJob(kind), { key: kind, payload: null, runAt: clock(), projectId: null, keep: true })
}
