import { defineModule } from '../../platform/modules/defineModule'
import { flows } from '../flows/module'
import { mails } from '../mails/module'
import { mailBrokenConnections } from './connections/mailBroken'
import { createIntegrations } from './createIntegrations'
import { registerIntegrations } from './routes'

const DAY = 24 * 60 * 60_000

export const integrations = defineModule({
  name: 'integrations',
  purpose: 'projects’ accounts at vendors, and what flows do with them',
  needs: { flows, mails },
  tables: ['connections', 'oauth_states', 'vendor_choices', 'vendor_writes'],
  create(context, { flows: { documents }, mails: { send } }) {
    const parts = createIntegrations(context)
    return {
      routes: (app) => registerIntegrations(app, context, { ...parts, documents }),
      jobs: [mailBrokenConnections(context, send)],
      sweeps: [{ kind: 'forget-vendor-writes', every: DAY, sweep: parts.writes.forgetOld }],
      effects: [parts.sheets, parts.crm, parts.ticket, parts.bookings],
    }
  },
})
