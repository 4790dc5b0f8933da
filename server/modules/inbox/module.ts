import { defineModule } from '../../platform/modules/defineModule'
import { accounts } from '../accounts/module'
import { conversations } from '../conversations/module'
import { knowledge } from '../knowledge/module'
import { noteActivity } from './activity'
import { assignsConversations, followHandOvers } from './assignment'
import { freeConversations } from './formerMembers'
import { createLive } from './live'
import { registerInbox } from './routes'
import { registerSetup } from './setup'
import { wakesConversations } from './wake'

export const inbox = defineModule({
  name: 'inbox',
  purpose: 'where people read, answer and sort visitors’ conversations',
  needs: { accounts, conversations, knowledge },
  tables: [
    'labels',
    'conversation_labels',
    'teams',
    'team_members',
    'conversation_notes',
    'note_mentions',
    'conversation_activity',
    'saved_replies',
  ],
  create(context, { conversations: { host, sentFiles }, knowledge }) {
    const live = createLive(context, host.presence)
    return {
      routes(app) {
        registerInbox(app, context, { host, sentFiles, knowledge, live })
        registerSetup(app, context)
      },
      consumers: [noteActivity(), followHandOvers(context), freeConversations()],
      jobs: [wakesConversations(context), assignsConversations(context, host)],
      async close() {
        live.close()
      },
    }
  },
})
