import { defineModule } from '../../platform/modules/defineModule'
import { billing } from '../billing/module'
import { mails } from '../mails/module'
import { createBillingMails } from './billingMails'
import { createChanges } from './changeSubscription'
import { createPages } from './checkout'
import { createOverage } from './overage'
import { createRefresh } from './refresh'
import { registerSubscriptions } from './routes'
import { createStripe } from './stripe/createStripe'
import { forgetEvents, readSome, readsSubscription } from './webhooks'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export const subscriptions = defineModule({
  name: 'subscriptions',
  purpose: 'what projects pay by Stripe, and what they may do for it',
  needs: { billing, mails },
  tables: ['subscriptions', 'stripe_events'],
  create(context, { mails: { send } }) {
    const stripe = createStripe(context.config)
    const refresh = createRefresh(context, stripe)
    const overage = createOverage(context, stripe, refresh)
    const changes = createChanges(stripe, refresh, overage)
    const pages = createPages(context, stripe, refresh)
    const mail = createBillingMails(context, send)
    const parts = { stripe, refresh, changes, pages, overage }
    return {
      routes: (app) => registerSubscriptions(app, context, parts),
      jobs: [readsSubscription(context, refresh, mail)],
      sweeps: context.config.stripe
        ? [
            { kind: 'read-subscriptions', every: DAY, sweep: () => readSome(context, 'all') },
            // twice at least within LAST_REPORT_MINUTES
            { kind: 'report-overage', every: 9 * MINUTE, sweep: () => overage.report() },
            { kind: 'end-grace', every: HOUR, sweep: () => readSome(context, 'over') },
            { kind: 'forget-stripe-events', every: DAY, sweep: () => forgetEvents(context) },
          ]
        : [],
    }
  },
})
