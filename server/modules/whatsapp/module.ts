import { defineModule } from '../../platform/modules/defineModule'
import { contacts } from '../contacts/module'
import { conversations } from '../conversations/module'
import { models } from '../models/module'
import { web } from '../web/module'
import { registerBroadcasts } from './broadcasts/routes'
import { sendsBroadcasts } from './broadcasts/sendBroadcast'
import { WHATSAPP } from './channelName'
import { createCheckNumber, LOOK_EVERY } from './checkNumber'
import { registerCompose } from './composeRoute'
import { createConnections } from './connections'
import { createConnectNumber } from './connectNumber'
import { createContinuation } from './continuation'
import { registerContinuation } from './continuationRoute'
import { createChannel } from './deliver'
import { createFlowHandler } from './flowHandler'
import { createGraph } from './graph'
import { createNumberOf } from './numberOf'
import { createPressure } from './pressure'
import { registerProfile } from './profileRoutes'
import { readsWebhooks } from './readStored'
import { registerSettings } from './routes'
import { createSignup } from './signup'
import { registerSignup } from './signupRoutes'
import { createStatuses } from './statuses'
import { createWebhookStore } from './storeWebhooks'
import { takesMessages } from './take'
import { registerTemplates } from './templateRoutes'
import { createTemplates } from './templates'
import { createToWeb } from './toWeb'
import { registerWebhook } from './webhookRoutes'

const DAY = 24 * 60 * 60_000
/** WhatsApp sends a message again for up to seven days. */
const KEEP_DAYS = 8

export const whatsapp = defineModule({
  name: 'whatsapp',
  purpose: 'chatbots’ numbers at WhatsApp: what comes in, and what goes out',
  needs: { contacts, conversations, models, web },
  tables: [
    'whatsapp_connections',
    'whatsapp_webhooks',
    'whatsapp_people',
    'whatsapp_inbound',
    'whatsapp_sends',
    'whatsapp_templates',
    'whatsapp_continuations',
    'whatsapp_broadcasts',
    'whatsapp_broadcast_people',
  ],
  create(context, { conversations: { runtime, channels, sentFiles }, models: { transcribe } }) {
    const connections = createConnections(context)
    const graph = createGraph(context)
    const numbers = createNumberOf(connections)
    const templates = createTemplates(context, graph)
    channels.set(WHATSAPP, createChannel(context, { connections, graph, templates }))
    const connectNumber = createConnectNumber(context, { connections, graph, templates })
    const checkNumber = createCheckNumber(context, { connections, graph })
    const signup = createSignup(context, graph)
    const continuation = createContinuation(context, runtime)
    const toWeb = createToWeb(context, runtime)
    const statuses = createStatuses(context)
    const pressure = createPressure()
    const webhooks = createWebhookStore(context, { connections, pressure })
    return {
      routes(app) {
        registerSettings(app, context, { connections, graph, numbers, connectNumber, checkNumber, signup, runtime })
        registerSignup(app, context, { signup, connectNumber })
        registerProfile(app, context, { graph, numbers })
        registerCompose(app, context, runtime)
        registerTemplates(app, context, { connections, numbers, templates })
        registerContinuation(app, context, { connections, continuation, toWeb, runtime })
        registerBroadcasts(app, context, { connections, templates })
        registerWebhook(app, context, { connections, webhooks })
      },
      effects: [createFlowHandler(context, { connections, templates })],
      jobs: [
        ...readsWebhooks(context, { connections, statuses, templates, pressure }),
        ...takesMessages(context, { connections, graph, runtime, files: sentFiles, transcribe, continuation, toWeb }),
        sendsBroadcasts(context, { runtime, templates }),
      ],
      sweeps: [
        { kind: 'check-whatsapp-numbers', every: LOOK_EVERY, sweep: checkNumber.sweep },
        {
          kind: 'forget-whatsapp-links',
          every: DAY,
          sweep: () =>
            context.db
              .deleteFrom('whatsapp_continuations')
              .where('expires_at', '<', new Date(context.clock().getTime() - KEEP_DAYS * DAY))
              .execute(),
        },
        {
          // those that could not be read
          kind: 'forget-whatsapp-webhooks',
          every: DAY,
          sweep: () =>
            context.db
              .deleteFrom('whatsapp_webhooks')
              .where('created_at', '<', new Date(context.clock().getTime() - KEEP_DAYS * DAY))
              .execute(),
        },
        {
          kind: 'forget-whatsapp-messages',
          every: DAY,
          sweep: () =>
            context.db
              .deleteFrom('whatsapp_inbound')
              .where('created_at', '<', new Date(context.clock().getTime() - KEEP_DAYS * DAY))
              .where((eb) => eb.or([eb('taken_at', 'is not', null), eb('apart', '=', true)]))
              .execute(),
        },
      ],
    }
  },
})
