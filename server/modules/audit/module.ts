import { defineModule } from '../../platform/modules/defineModule'
import { accounts } from '../accounts/module'
import { agents } from '../agents/module'
import { billing } from '../billing/module'
import { chatbots } from '../chatbots/module'
import { contacts } from '../contacts/module'
import { domains } from '../domains/module'
import { exports } from '../exports/module'
import { flows } from '../flows/module'
import { housekeeping } from '../housekeeping/module'
import { inbox } from '../inbox/module'
import { insights } from '../insights/module'
import { integrations } from '../integrations/module'
import { knowledge } from '../knowledge/module'
import { messageApi } from '../messageApi/module'
import { models } from '../models/module'
import { notifications } from '../notifications/module'
import { privacy } from '../privacy/module'
import { secrets } from '../secrets/module'
import { signOn } from '../signOn/module'
import { web } from '../web/module'
import { webhooks } from '../webhooks/module'
import { whatsapp } from '../whatsapp/module'
import { recordEntries } from './recordEntries'
import { registerAuditLog } from './routes'

const HOUR = 60 * 60_000
/** What no event has taken after a day is of none: the program changed it, not a member. */
const UNTAKEN = 24 * HOUR

export const audit = defineModule({
  name: 'audit',
  purpose: 'what members did, with the values before and after, in a chain of hashes',
  needs: {
    accounts,
    agents,
    billing,
    chatbots,
    contacts,
    domains,
    exports,
    flows,
    housekeeping,
    inbox,
    insights,
    integrations,
    knowledge,
    messageApi,
    models,
    notifications,
    privacy,
    secrets,
    signOn,
    web,
    webhooks,
    whatsapp,
  },
  tables: ['audit_entries', 'audit_changes'],
  create(context) {
    return {
      routes: (app) => registerAuditLog(app, context),
      consumers: [recordEntries()],
      sweeps: [
        {
          kind: 'forget-setting-changes',
          every: HOUR,
          sweep: () =>
            context.db
              .deleteFrom('audit_changes')
              .where('at', '<', new Date(context.clock().getTime() - UNTAKEN))
              .execute(),
        },
      ],
    }
  },
})
