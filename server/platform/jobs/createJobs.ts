import type { Json } from '../../../engine/values/json'
import type { Db } from '../database/database'
import type { Installation } from '../installation'
import type { Metrics } from '../metrics/createMetrics'
import { createLane, type Room } from './createLane'
import type { HandledJob, JobKind, Lane } from './defineJob'
import { insertJob, type NewJob } from './insertJob'

export interface Jobs {
  /** Registers a kind's handler. Throws if one is registered. */
  handle(job: HandledJob): void
  /** Writes a job, in the caller's transaction if there is one. Call `wake` after the commit. */
  schedule<Payload extends Json>(db: Db, kind: JobKind<Payload>, job: NewJob<Payload>): Promise<void>
  /**
   * Call after the commit: looks for due jobs now, or at that time at the latest. Otherwise they are found within
   * `LOOK_EVERY`. @param lane where alone they may be
   */
  wake(at?: Date, lane?: Lane): void
  /** Starts looking for due jobs. */
  start(): void
  /** Runs all due jobs, and those that become due by that, to their end. Returns how many. For tests and tools. */
  runDue(): Promise<number>
  /** Takes no more jobs and waits a moment for running ones; unfinished ones become due when their lease ends. */
  close(): Promise<void>
}

/** A job that works may need a connection of the pool; one that sends waits for servers elsewhere most of its time. */
const ROOM: Readonly<Record<Lane, Room>> = {
  work: { atOnce: 8, ofProject: 4 },
  sending: { atOnce: 32, ofProject: 24 },
}
const CLOSE_LIMIT = 2_000

/** The jobs of an installation in one process. */
export function createJobs(
  installation: Pick<Installation, 'db' | 'clock' | 'log'> & { metrics?: Pick<Metrics, 'jobRuns' | 'jobSeconds'> },
): Jobs {
  const lanes = { work: createLane(installation, ROOM.work), sending: createLane(installation, ROOM.sending) }
  const all = Object.values(lanes)
  const kinds = new Set<string>()

  return {
    handle(job) {
      if (kinds.has(job.kind)) throw new Error(`The job '${job.kind}' has a handler already.`)
      kinds.add(job.kind)
      lanes[job.lane].handle(job)
    },

    async schedule(work, kind, job) {
      await insertJob(work, kind, job, installation.clock()).execute()
    },

    wake(at, lane) {
      for (const each of lane ? [lanes[lane]] : all) each.wake(at)
    },

    start() {
      for (const lane of all) lane.start()
    },

    async runDue() {
      let count = 0
      for (;;) {
        const counts: (number | null)[] = []
        for (const lane of all) counts.push(await lane.runDue())
        if (counts.every((each) => each === 0)) return count
        count += counts.reduce<number>((sum, each) => sum + (each ?? 0), 0)
      }
    },

    async close() {
      const limit = new Promise((done) => setTimeout(done, CLOSE_LIMIT).unref())
      await Promise.race([Promise.all(all.map((lane) => lane.close())), limit])
    },
  }
}
