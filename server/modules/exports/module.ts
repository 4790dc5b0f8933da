import { defineModule } from '../../platform/modules/defineModule'
import { contacts } from '../contacts/module'
import { insights } from '../insights/module'
import { forgetExports } from './forgetExports'
import { registerExports } from './routes'
import { exportWriter } from './writeExport'

const HOUR = 60 * 60_000

export const exports = defineModule({
  name: 'exports',
  purpose: 'a project’s data as files, made by jobs',
  needs: { contacts, insights },
  tables: ['exports', 'export_parts'],
  create: (context, { insights: { count } }) => ({
    routes: (app) => registerExports(app, context, count),
    jobs: [exportWriter(context)],
    sweeps: [{ kind: 'forget-exports', every: HOUR, sweep: () => forgetExports(context) }],
  }),
})
