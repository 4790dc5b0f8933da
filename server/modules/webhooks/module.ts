import { WEBHOOK_LOG_DAYS } from '../../contracts/webhooks'
import { defineModule } from '../../platform/modules/defineModule'
import { createOutsideFetch } from '../../platform/outbound/outsideFetch'
import { contacts } from '../contacts/module'
import { conversations } from '../conversations/module'
import { flows } from '../flows/module'
import { insights } from '../insights/module'
import { mails } from '../mails/module'
import { createAttempts } from './attempt'
import { createDeliveries } from './deliveries'
import { registerMessages } from './messageRoutes'
import { recordMessages } from './recordMessages'
import { registerEndpoints } from './routes'
import { mailsStopped } from './stoppedMail'

const DAY = 24 * 60 * 60_000

export const webhooks = defineModule({
  name: 'webhooks',
  purpose: 'tells other programs what happened, by signed calls to addresses of a project',
  needs: { contacts, conversations, flows, insights, mails },
  tables: ['webhook_endpoints', 'webhook_messages', 'webhook_attempts'],
  create(context, { mails: { send } }) {
    const attempt = createAttempts(context, createOutsideFetch({ allowed: context.config.outboundAllow }))
    const deliveries = createDeliveries(context, attempt)
    let unsubscribe = () => {}
    return {
      provides: { deliveries },
      routes(app) {
        registerEndpoints(app, context)
        registerMessages(app, context, { attempt, deliveries })
      },
      jobs: [mailsStopped(context, send)],
      consumers: [recordMessages(context)],
      sweeps: [
        {
          kind: 'forget-webhook-messages',
          every: DAY,
          sweep: () =>
            context.db
              .deleteFrom('webhook_messages')
              .where('created_at', '<', new Date(context.clock().getTime() - WEBHOOK_LOG_DAYS * DAY))
              .execute(),
        },
      ],
      open: async () => {
        unsubscribe = context.db.afterInsert('webhook_messages', deliveries.wake)
        deliveries.start()
      },
      close: async () => {
        unsubscribe()
        await deliveries.close()
      },
    }
  },
})
