import { defineModule } from '../../platform/modules/defineModule'
import { billing } from '../billing/module'
import { mails } from '../mails/module'
import { mailCreditNotices, noticeCredits } from './notices'
import { registerNotifications } from './routes'

const MINUTE = 60_000

export const notifications = defineModule({
  name: 'notifications',
  purpose: 'mails about credits that run out',
  needs: { billing, mails },
  tables: [],
  create: (context, { mails: { send } }) => ({
    routes: (app) => registerNotifications(app, context),
    jobs: [mailCreditNotices(context, send)],
    sweeps: [{ kind: 'notice-credits', every: MINUTE, sweep: () => noticeCredits(context) }],
  }),
})
