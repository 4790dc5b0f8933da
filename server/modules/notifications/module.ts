import { defineModule } from '../../platform/modules/defineModule'
import { billing } from '../billing/module'
import { contacts } from '../contacts/module'
import { conversations } from '../conversations/module'
import { handOff } from '../handOff/module'
import { inbox } from '../inbox/module'
import { mails } from '../mails/module'
import { mailCreditNotices, noticeCredits } from './creditNotices'
import { createLiveNotifications } from './live'
import { mailToAddresses, mailToMember } from './mailNotifications'
import { mailOverNotices, noticeOver } from './overNotices'
import { registerPersonal } from './personalRoutes'
import { createPush } from './push'
import { registerNotifications } from './routes'
import { tellOfEvents, tellOfWaiting } from './tellOfEvents'

const DAY = 24 * 60 * 60_000
/** How long notifications are kept. */
const KEPT = 60 * DAY

export const notifications = defineModule({
  name: 'notifications',
  purpose: 'tells members what happened: in the interface, by mail, and in their browsers',
  needs: { billing, contacts, conversations, handOff, inbox, mails },
  tables: ['notifications', 'notification_settings', 'push_subscriptions', 'push_keys'],
  create(context, { mails: { send } }) {
    const live = createLiveNotifications(context.bus)
    let unsubscribe = () => {}
    const push = createPush(context)
    return {
      routes(app) {
        registerNotifications(app, context)
        registerPersonal(app, context, live)
        push.register(app)
      },
      jobs: [
        mailCreditNotices(context, send),
        mailOverNotices(context, send),
        mailToMember(context, send),
        mailToAddresses(context, send),
        tellOfWaiting(context),
        push.job,
      ],
      consumers: [noticeCredits(context), noticeOver(context), tellOfEvents(context)],
      sweeps: [
        {
          kind: 'forget-notifications',
          every: DAY,
          sweep: () =>
            context.db
              .deleteFrom('notifications')
              .where('created_at', '<', new Date(context.clock().getTime() - KEPT))
              .execute(),
        },
      ],
      // all rows of one insert are of one project, which is its first value
      open: async () => {
        unsubscribe = context.db.afterInsert('notifications', ([projectId]) => live.publish(String(projectId)))
      },
      close: async () => unsubscribe(),
    }
  },
})
