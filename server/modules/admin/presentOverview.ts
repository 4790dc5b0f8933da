import type { Overview } from '../../contracts/admin'
import type { Config } from '../../platform/config/config'
import type { State } from '../operations/metrics/readState'
import { isLater, ownVersion } from '../operations/updates/versions'

/** The state of the installation, with that of the process that answers. */
export function presentOverview(
  { jobs, eventFailures, behindSeconds, newest, ...state }: State,
  { updateCheck }: Pick<Config, 'updateCheck'>,
): Overview {
  return {
    version: ownVersion,
    newest:
      updateCheck === null || newest === null
        ? null
        : {
            version: newest.version,
            asked_at: newest.askedAt.toISOString(),
            is_later: isLater(newest.version, ownVersion),
          },
    uptime: process.uptime(),
    memory: process.memoryUsage.rss(),
    database_bytes: state.databaseBytes,
    projects: state.projects,
    people: state.people,
    credits_used: state.creditsUsed,
    jobs: { due: jobs.due, running: jobs.running, waiting: jobs.waiting, given_up: jobs['given up'] },
    oldest_due: state.oldestDueSeconds,
    events: { retried: eventFailures.retried, given_up: eventFailures['given up'] },
    events_behind: Math.max(0, ...Object.values(behindSeconds)),
  }
}
