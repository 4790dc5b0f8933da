import { WEBHOOK_LOG_DAYS } from '../../contracts/webhooks'
import { HOOK_SAMPLE_DAYS } from '../../contracts/webhookTriggers'
import { defineModule } from '../../platform/modules/defineModule'
import { createOutboundFetch } from '../../platform/outbound/outboundFetch'
import { contacts } from '../contacts/module'
import { conversations } from '../conversations/module'
import { flows } from '../flows/module'
import { insights } from '../insights/module'
import { mails } from '../mails/module'
import { createAttempts } from './attempt'
import { createDeliveries } from './deliveries'
import { registerCalls } from './incoming/call'
import { registerTriggers } from './incoming/routes'
import { signalsLater } from './incoming/signalLater'
import { createTriggers } from './incoming/triggers'
import { registerEventLog } from './log'
import { registerMessages } from './messageRoutes'
import { recordMessages } from './recordMessages'
import { registerEndpoints } from './routes'
import { mailsStopped } from './stoppedMail'

const DAY = 24 * 60 * 60_000

export const webhooks = defineModule({
  name: 'webhooks',
  purpose: 'tells other programs what happened, by signed calls, and has them call triggers of flows',
  needs: { contacts, conversations, flows, insights, mails },
  tables: ['webhook_endpoints', 'webhook_messages', 'webhook_attempts', 'webhook_triggers'],
  create(context, { mails: { send }, conversations: { runtime } }) {
    const attempt = createAttempts(context, createOutboundFetch({ allowed: context.config.outboundAllow }))
    const deliveries = createDeliveries(context, attempt)
    const triggers = createTriggers(context)
    let unsubscribe = () => {}
    return {
      provides: { deliveries },
      routes(app) {
        registerEndpoints(app, context)
        registerMessages(app, context, { attempt, deliveries })
        registerEventLog(app, context)
        registerTriggers(app, context, triggers)
        registerCalls(app, context, { triggers, runtime })
      },
      jobs: [mailsStopped(context, send), signalsLater(context, runtime)],
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
        {
          kind: 'forget-webhook-samples',
          every: DAY,
          sweep: () =>
            context.db
              .updateTable('webhook_triggers')
              .set({ sample: null })
              .where('sample_at', '<', new Date(context.clock().getTime() - HOOK_SAMPLE_DAYS * DAY))
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
