import type { ServerContext } from '../context'
import type { Jobs } from './createJobs'

/** Something that is looked after every so many milliseconds. */
export interface Sweep {
  kind: string
  every: number
  sweep: () => Promise<unknown>
}

/** What is looked after from time to time, by one process of all. */
export interface Sweeps {
  /** Writes them down where they aren't yet; what was missed while nothing ran is due at once. */
  schedule(): Promise<void>
}

/** Says how those are made; `schedule` begins with them. */
export function sweepRegularly({ db, clock, log }: ServerContext, jobs: Jobs, sweeps: readonly Sweep[]): Sweeps {
  for (const { kind, every, sweep } of sweeps) {
    jobs.handle(kind, async () => {
      // a job that fails too often is given up; what is looked after must not be
      await sweep().catch((error) => log.error({ err: error, kind }, 'a sweep failed'))
      return new Date(clock().getTime() + every)
    })
  }
  return {
    async schedule() {
      for (const { kind } of sweeps) {
        await jobs.schedule(db, { kind, key: kind, payload: null, runAt: clock(), projectId: null, keep: true })
      }
    },
  }
}
