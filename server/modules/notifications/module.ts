import { defineModule } from '../../platform/modules/defineModule'
import { billing } from '../billing/module'
import { mails } from '../mails/module'
import { mailCreditNotices, noticeCredits } from './notices'
import { registerNotifications } from './routes'

export const notifications = defineModule({
  name: 'notifications',
  purpose: 'mails about credits that run out',
  needs: { billing, mails },
  tables: [],
  create: (context, { mails: { send } }) => ({
    routes: (app) => registerNotifications(app, context),
    jobs: [mailCreditNotices(context, send)],
    consumers: [noticeCredits(context)],
  }),
})
