import { defineModule } from '../../platform/modules/defineModule'
import { mails } from '../mails/module'
import { mailAdded } from './added'
import { createHandOffHandler } from './handOffHandler'

export const handOff = defineModule({
  name: 'handOff',
  purpose: 'a conversation is given to the team by mail',
  needs: { mails },
  tables: [],
  create(context, { mails: { send } }) {
    return {
      jobs: [mailAdded(context, send)],
      effects: [createHandOffHandler(context, send)],
    }
  },
})
