import { defineModule } from '../../platform/modules/defineModule'
import { registerJobs } from './jobs/routes'
import { registerProbes } from './probes/routes'

export const operations = defineModule({
  name: 'operations',
  purpose: 'what the operator sees: probes, jobs that failed',
  needs: {},
  tables: [],
  create: (context) => ({
    routes(app) {
      registerProbes(app, context)
      registerJobs(app, context)
    },
  }),
})
