import { eventConsumers } from './consumers'
import { sealPlainHeaders } from './modules/agents/actions/headerSecrets'
import { releaseReservations } from './modules/billing/credits'
import { noticeCredits } from './modules/notifications/notices'
import { renewSeals } from './modules/secrets/renewSeals'
import type { ServerContext } from './platform/context'
import { keepMonths } from './platform/events/months'
import type { Jobs } from './platform/jobs/createJobs'
import { type Sweeps, sweepRegularly } from './platform/jobs/sweeps'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** What modules have looked after from time to time that stand beside each other. */
export function createSweeps(context: ServerContext, jobs: Jobs): Sweeps {
  return sweepRegularly(context, jobs, [
    { kind: 'release-credits', every: MINUTE, sweep: () => releaseReservations(context.db, context.clock()) },
    { kind: 'notice-credits', every: MINUTE, sweep: () => noticeCredits(context) },
    { kind: 'renew-seals', every: DAY, sweep: () => renewSeals(context) },
    { kind: 'event-months', every: DAY, sweep: () => keepMonths(context.db, context.clock(), eventConsumers) },
    { kind: 'seal-headers', every: DAY, sweep: () => sealPlainHeaders(context) },
  ])
}
