import { defineModule } from '../../platform/modules/defineModule'
import { contacts } from '../contacts/module'
import { insights } from '../insights/module'
import { applyRetention } from './retention'
import { registerPrivacy } from './routes'

const HOUR = 60 * 60_000

export const privacy = defineModule({
  name: 'privacy',
  purpose: 'how long visitors’ words are kept; what is known of one person, and erasing it',
  needs: { contacts, insights },
  tables: ['erasures', 'retention_rules', 'retention_runs'],
  create: (context, { insights: { count } }) => ({
    routes: (app) => registerPrivacy(app, context, count),
    sweeps: [{ kind: 'apply-retention', every: HOUR, sweep: () => applyRetention(context) }],
  }),
})
