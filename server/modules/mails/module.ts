import { defineModule } from '../../platform/modules/defineModule'
import { billing } from '../billing/module'
import { createMailer } from './createMailer'
import { createMailHandler } from './mailHandler'
import { registerMails } from './routes'

export const mails = defineModule({
  name: 'mails',
  purpose: 'a project’s mails: sent once, or kept in its outbox',
  needs: { billing },
  tables: ['mails'],
  create(context) {
    const send = createMailer(context)
    return {
      provides: { send },
      routes: (app) => registerMails(app, context),
      effects: [createMailHandler(context, send)],
    }
  },
})
