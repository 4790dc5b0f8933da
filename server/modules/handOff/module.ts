import { defineModule } from '../../platform/modules/defineModule'
import { contacts } from '../contacts/module'
import { mails } from '../mails/module'
import { mailAdded } from './added'
import { createHandOffHandler } from './handOffHandler'
import { createLeaveMessage, mailLeft } from './leftMessages'

export const handOff = defineModule({
  name: 'handOff',
  purpose: 'a conversation is given to the team by mail',
  needs: { contacts, mails },
  tables: [],
  create(context, { mails: { send } }) {
    return {
      provides: { leave: createLeaveMessage(context) },
      jobs: [mailAdded(context, send), mailLeft(context, send)],
      effects: [createHandOffHandler(context, send)],
    }
  },
})
