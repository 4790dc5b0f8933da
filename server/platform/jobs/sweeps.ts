import { sealPlainHeaders } from '../../modules/agents/actions/headerSecrets'
import { releaseReservations } from '../../modules/billing/credits'
import { noticeCredits } from '../../modules/notifications/notices'
import { renewSeals } from '../../modules/secrets/renewSeals'
import { countVisits } from '../../modules/statistics/countVisits'
import type { ServerContext } from '../context'
import type { Jobs } from './createJobs'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

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

/** @param recover goes on with the turns that a dead process left */
export function createSweeps(context: ServerContext, jobs: Jobs, recover: () => Promise<unknown>): Sweeps {
  return sweepRegularly(context, jobs, [
    { kind: 'resume-cut-turns', every: MINUTE, sweep: recover },
    { kind: 'count-visits', every: MINUTE, sweep: () => countVisits(context) },
    { kind: 'release-credits', every: MINUTE, sweep: () => releaseReservations(context.db, context.clock()) },
    { kind: 'notice-credits', every: MINUTE, sweep: () => noticeCredits(context) },
    { kind: 'renew-seals', every: DAY, sweep: () => renewSeals(context) },
    { kind: 'seal-headers', every: DAY, sweep: () => sealPlainHeaders(context) },
    { kind: 'forget-frozen-drafts', every: DAY / 24, sweep: () => forgetDrafts(context) },
  ])
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

/** Drafts that the playground froze and no conversation is about, once they are a day old. Of every project: it is the installation's own care. */
function forgetDrafts({ db, clock }: ServerContext) {
  return db
    .deleteFrom('flow_versions')
    .where('number', 'is', null)
    .where('created_at', '<', new Date(clock().getTime() - DAY))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('conversations').select('id').whereRef('conversations.flow_version_id', '=', 'flow_versions.id'),
        ),
      ),
    )
    .execute()
}
