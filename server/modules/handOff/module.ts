import { defineModule } from '../../platform/modules/defineModule'
import { mails } from '../mails/module'
import { mailAdded } from './added'
import { createHandOffService } from './service'

export const handOff = defineModule({
  name: 'handOff',
  purpose: 'a conversation is given to the team by mail',
  needs: { mails },
  tables: [],
  create(context, { mails: { send } }) {
    const service = createHandOffService(context, send)
    return {
      provides: { service },
      jobs: [mailAdded(context, send)],
      effects: { 'hand-off': service },
    }
  },
})
