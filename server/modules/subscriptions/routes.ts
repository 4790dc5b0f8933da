import type { FastifyInstance } from 'fastify'
import type { ProjectCaller } from '../../access/access'
import { placesOf, placesUnder } from '../../access/overLimit'
import { presentReadOnly, seenBy } from '../../access/readOnlyPlaces'
import { registerRoute } from '../../access/register'
import * as contract from '../../contracts/subscription'
import type { ServerContext } from '../../platform/context'
import type { Changes } from './changeSubscription'
import type { Pages } from './checkout'
import { listInvoices } from './invoices'
import type { Overage } from './overage'
import { presentPaid, presentState } from './presentSubscription'
import type { Refresh } from './refresh'
import { storedState } from './storedState'
import type { StripeSource } from './stripe/createStripe'
import { asking } from './stripe/explainStripe'
import { receiveEvent } from './webhooks'

interface Parts {
  stripe: StripeSource
  refresh: Refresh
  changes: Changes
  pages: Pages
  overage: Overage
}

/** Routes for what a project pays, and the one by which Stripe tells of it. */
export function registerSubscriptions(
  app: FastifyInstance,
  context: ServerContext,
  { stripe, refresh, changes, pages, overage }: Parts,
): void {
  const { config, clock } = context

  const view = async ({ db }: ProjectCaller) => {
    const state = await storedState(db)
    return {
      ...{ sells: config.stripe !== null, sandbox: config.vendors.sandbox !== null },
      ...{ trial_days: config.stripe?.trialDays ?? 0, subscription: state && presentState(state) },
    }
  }
  const payer = ({ db, project, user }: ProjectCaller) => ({ db, project, user })

  registerRoute(app, context, contract.readSubscription, ({ caller }) => view(caller))

  registerRoute(app, context, contract.refreshSubscription, async ({ caller }) => {
    await asking(() => refresh(caller.project.id))
    return view(caller)
  })

  registerRoute(app, context, contract.startCheckout, async ({ caller, body: { addons = {}, ...paid } }) => ({
    url: await pages.checkout(payer(caller), { ...paid, addons: onlySome(addons) }),
  }))

  registerRoute(app, context, contract.openPortal, async ({ caller }) => ({ url: await pages.portal(payer(caller)) }))

  registerRoute(app, context, contract.previewChange, async ({ caller, body }) => {
    const now = Math.floor(clock().getTime() / 1_000)
    const { after, ...preview } = await changes.preview(caller.project.id, body, now)
    const { db, project, roles } = caller
    // what waits for the period's end takes nothing away before
    const places = placesUnder(seenBy(roles, await placesOf(db, project.id, project)), after)
    return { ...preview, after: presentPaid(after), over: presentReadOnly(places) }
  })

  registerRoute(app, context, contract.changeSubscription, async ({ caller, body: { at, seen, ...change } }) => {
    await changes.change(caller.project.id, change, { at, seen })
    return view(caller)
  })

  registerRoute(app, context, contract.keepSubscription, async ({ caller }) => {
    await changes.keep(caller.project.id)
    return view(caller)
  })

  registerRoute(app, context, contract.cancelSubscription, async ({ caller }) => {
    await changes.cancel(caller.project.id, true)
    return view(caller)
  })

  registerRoute(app, context, contract.resumeSubscription, async ({ caller }) => {
    await changes.cancel(caller.project.id, false)
    return view(caller)
  })

  registerRoute(app, context, contract.readOverage, ({ caller }) => overage.read(caller))

  registerRoute(app, context, contract.allowOverage, ({ caller, body }) => overage.allow(caller, body.cap_cents))

  registerRoute(app, context, contract.listInvoices, async ({ caller }) => ({
    invoices: await listInvoices(caller.db, stripe),
  }))

  registerRoute(
    app,
    context,
    contract.receiveStripe,
    async ({ body }) => {
      await receiveEvent(context, body)
      return {}
    },
    () => config.stripe?.webhookSecret ?? null,
  )
}

/** Without those of which there are none. */
const onlySome = (addons: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(addons).filter(([, quantity]) => quantity > 0))
