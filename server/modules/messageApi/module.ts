import { defineModule } from '../../platform/modules/defineModule'
import { contacts } from '../contacts/module'
import { conversations } from '../conversations/module'
import { webhooks } from '../webhooks/module'
import { createMessageApis, MESSAGE_API } from './channels'
import { createMessageApiChannel } from './deliver'
import { registerMessageApi } from './routes'

export const messageApi = defineModule({
  name: 'messageApi',
  purpose: 'programs bring what people write elsewhere, and are sent the answers',
  needs: { contacts, conversations, webhooks },
  tables: ['message_api_channels'],
  create(context, { conversations: { runtime, channels } }) {
    const apis = createMessageApis(context)
    channels.set(MESSAGE_API, createMessageApiChannel(context, apis))
    return { routes: (app) => registerMessageApi(app, context, { apis, runtime }) }
  },
})
