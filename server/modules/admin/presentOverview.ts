import packageJson from '../../../package.json' with { type: 'json' }
import type { Overview } from '../../contracts/admin'
import type { State } from '../operations/metrics/readState'

/** The state of the installation, with that of the process that answers. */
export function presentOverview({ jobs, eventFailures, behindSeconds, ...state }: State): Overview {
  return {
    version: packageJson.version,
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
