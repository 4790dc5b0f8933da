import { defineModule } from '../../platform/modules/defineModule'
import { accounts } from '../accounts/module'
import { billing } from '../billing/module'
import { flows } from '../flows/module'
import { operations } from '../operations/module'
import { signOn } from '../signOn/module'
import { subscriptions } from '../subscriptions/module'
import { registerCspReportsOfAdmin } from './cspReports'
import { registerAdmin } from './routes'

export const admin = defineModule({
  name: 'admin',
  purpose: 'what who runs the installation sees of it and does: projects, people, dead jobs, an announcement',
  needs: { accounts, billing, flows, operations, signOn, subscriptions },
  tables: ['operator_actions'],
  create: (context, { flows: { documents }, operations: { cspReports } }) => ({
    routes(app) {
      registerAdmin(app, context, (userId) => documents.rightsChanged(userId))
      registerCspReportsOfAdmin(app, context, cspReports)
    },
  }),
})
