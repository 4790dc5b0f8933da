import { defineModule } from '../../platform/modules/defineModule'
import { agents } from '../agents/module'
import { conversations } from '../conversations/module'
import { flows } from '../flows/module'
import { integrations } from '../integrations/module'
import { knowledge } from '../knowledge/module'
import { secrets } from '../secrets/module'
import { templates } from '../templates/module'
import { testing } from '../testing/module'
import { deletions } from './deletion'
import { registerFlowList } from './flowList'
import { registerChatbots } from './routes'
import { registerSamples } from './samples/routes'

export const chatbots = defineModule({
  name: 'chatbots',
  purpose: 'a chatbot’s life: made, copied, deleted, with all that belongs to it',
  needs: { secrets, flows, integrations, templates, knowledge, agents, conversations, testing },
  tables: ['chatbots'],
  create: (context, { flows: { documents } }) => ({
    routes(app) {
      registerChatbots(app, context, documents)
      registerFlowList(app, context, documents)
      registerSamples(app, context, documents)
    },
    jobs: deletions(context, context.files),
  }),
})
