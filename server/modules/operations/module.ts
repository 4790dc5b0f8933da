import { defineModule } from '../../platform/modules/defineModule'
import { billing } from '../billing/module'
import { createKeptReports } from './cspReports/keptReports'
import { registerCspReports } from './cspReports/routes'
import { registerJobs } from './jobs/routes'
import { registerMetrics } from './metrics/routes'
import { registerProbes } from './probes/routes'
import { createAskForUpdate } from './updates/askForUpdate'

const DAY = 24 * 60 * 60_000

export const operations = defineModule({
  name: 'operations',
  purpose: 'what the operator sees: probes, metrics, jobs that failed, violations of the content security policy',
  needs: { billing },
  tables: [],
  create: (context) => {
    const cspReports = createKeptReports(context.clock)
    return {
      provides: { cspReports },
      routes(app) {
        registerProbes(app, context)
        registerMetrics(app, context)
        registerJobs(app, context)
        registerCspReports(app, context, cspReports)
      },
      sweeps: [{ kind: 'ask-for-update', every: DAY, sweep: createAskForUpdate(context) }],
    }
  },
})
