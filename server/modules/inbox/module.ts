import { defineModule } from '../../platform/modules/defineModule'
import { accounts } from '../accounts/module'
import { agents } from '../agents/module'
import { contacts } from '../contacts/module'
import { conversations } from '../conversations/module'
import { handOff } from '../handOff/module'
import { integrations } from '../integrations/module'
import { knowledge } from '../knowledge/module'
import { noteActivity } from './activity'
import { assignsConversations, followHandOvers } from './assignment'
import { freeConversations } from './formerMembers'
import { registerKeptViews } from './keptViews'
import { createLive } from './live'
import { registerMerges } from './merge/routes'
import { registerOffice } from './officeRoutes'
import { registerInbox } from './routes'
import { registerSetup } from './setup'
import { keepTargets } from './targets'
import { wakesConversations } from './wake'

export const inbox = defineModule({
  name: 'inbox',
  purpose: 'where people read, answer and sort visitors’ conversations',
  needs: { accounts, contacts, conversations, knowledge, agents, handOff, integrations },
  tables: [
    'labels',
    'conversation_labels',
    'teams',
    'team_members',
    'conversation_notes',
    'note_mentions',
    'conversation_activity',
    'saved_replies',
    'inbox_settings',
    'inbox_views',
    'conversation_targets',
    'corrected_messages',
    'message_translations',
  ],
  create(context, { conversations: { runtime, channels, sentFiles }, knowledge, agents: { translator } }) {
    const live = createLive(context, runtime.presence)
    return {
      routes(app) {
        registerInbox(app, context, { runtime, channels, sentFiles, knowledge, live, translator })
        registerMerges(app, context, runtime)
        registerSetup(app, context)
        registerKeptViews(app, context)
        registerOffice(app, context)
      },
      consumers: [noteActivity(), followHandOvers(context), freeConversations(), keepTargets()],
      jobs: [wakesConversations(context), assignsConversations(context, runtime)],
      async close() {
        live.close()
      },
    }
  },
})
