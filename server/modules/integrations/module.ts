import { defineModule } from '../../platform/modules/defineModule'
import { flows } from '../flows/module'
import { mails } from '../mails/module'
import { keepAllHooks, keepsHook, subscribesWhenConnected } from './calendly/keepHooks'
import { mailBrokenConnections } from './connections/mailBroken'
import { createIntegrations } from './createIntegrations'
import { registerIntegrations } from './routes'
import { registerSandbox } from './sandbox/routes'
import { createSandboxSwitch } from './sandbox/sandboxSwitch'

const DAY = 24 * 60 * 60_000

export const integrations = defineModule({
  name: 'integrations',
  purpose: 'projects’ accounts at vendors, and what flows do with them',
  needs: { flows, mails },
  tables: ['connections', 'oauth_states', 'vendor_choices', 'vendor_writes', 'bookings', 'calendly_hooks'],
  create(context, { flows: { documents }, mails: { send } }) {
    const parts = createIntegrations(context)
    const sandbox = createSandboxSwitch(context)
    return {
      routes(app) {
        registerIntegrations(app, context, { ...parts, documents })
        registerSandbox(app, context, sandbox)
      },
      close: sandbox.close,
      provides: { open: parts.accounts.open, bookings: parts.bookings, bookingRows: parts.bookingRows },
      jobs: [mailBrokenConnections(context, send), keepsHook(context, parts.hooks)],
      consumers: [subscribesWhenConnected(context)],
      sweeps: [
        { kind: 'forget-vendor-writes', every: DAY, sweep: parts.writes.forgetOld },
        { kind: 'keep-calendly-webhooks', every: DAY, sweep: () => keepAllHooks(context) },
      ],
      effects: [parts.sheets, parts.crm, parts.ticket, parts.bookings],
    }
  },
})
