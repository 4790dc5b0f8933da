import type { ServerContext } from '../../platform/context'
import type { ProjectDb } from '../../platform/database/database'
import { ApiError } from '../../platform/errors'
import type { Refresh } from './refresh'
import type { StripeSource } from './stripe/createStripe'
import { asking, isMissing } from './stripe/explainStripe'
import { priced, syncPrices } from './stripe/prices'
import { isLive, type Paid } from './subscriptionState'

/** Who wants to pay: a project, and the member who does it. */
export interface Payer {
  db: ProjectDb
  project: { id: string; gid: string; name: string }
  user: { email: string }
}

/** Links to Stripe's own pages, where cards are asked for: no data of cards ever comes near Parley. */
export function createPages({ config }: Pick<ServerContext, 'config'>, stripe: StripeSource, refresh: Refresh) {
  const screenOf = (gid: string) => `${config.publicUrl}/projects/${gid}/settings/billing/subscription`
  /** Times that a customer was made and not kept: the same key would bring back one that is gone. */
  const makeCustomer = async ({ db, project, user }: Payer, after: string): Promise<string> => {
    const client = await stripe()
    const { id } = await client.customers.create(
      { name: project.name, email: user.email, metadata: { project: project.gid } },
      { idempotencyKey: `customer-${project.gid}-${after}` },
    )
    await db
      .insertInto('subscriptions')
      .values({ project_id: project.id, customer_id: id })
      .onConflict((row) => row.column('project_id').doUpdateSet({ customer_id: id, state: null }))
      .execute()
    return id
  }

  /** The project's customer, made when it is first needed, and made anew where Stripe lost it. */
  async function customerOf(payer: Payer): Promise<string> {
    const row = await payer.db.selectFrom('subscriptions').select('customer_id').executeTakeFirst()
    if (!row) return makeCustomer(payer, 'first')
    try {
      const customer = await (await stripe()).customers.retrieve(row.customer_id)
      if (!('deleted' in customer && customer.deleted)) return row.customer_id
    } catch (thrown) {
      if (!isMissing(thrown)) throw thrown
    }
    return makeCustomer(payer, row.customer_id)
  }

  async function pricedOrMade(paid: Paid) {
    const client = await stripe()
    // nobody runs the command for a stand-in, whose prices are gone with it
    if (config.vendors.sandbox !== null) await syncPrices(client)
    return priced(client, paid)
  }

  return {
    /**
     * @returns the page where a first subscription is paid; pages that were opened before are closed, so that nobody
     *   pays twice. @throws ApiError subscribed_already
     */
    checkout: (payer: Payer, paid: Paid): Promise<string> =>
      asking(async () => {
        const { project } = payer
        const read = await refresh(project.id)
        if (read && isLive(read.state)) throw new ApiError('subscribed_already')
        const client = await stripe()
        const customer = await customerOf(payer)
        const items = await pricedOrMade(paid)
        const open = await client.checkout.sessions.list({ customer, status: 'open', limit: 100 })
        for (const { id } of open.data) await client.checkout.sessions.expire(id)
        const trial = read === null ? (config.stripe?.trialDays ?? 0) : 0
        const session = await client.checkout.sessions.create({
          ...{ mode: 'subscription', customer, client_reference_id: project.gid, allow_promotion_codes: true },
          line_items: items.map(({ price, quantity }) => ({ price, quantity })),
          subscription_data: {
            metadata: { project: project.gid },
            ...(trial > 0 && { trial_period_days: trial }),
          },
          tax_id_collection: { enabled: true },
          customer_update: { name: 'auto', address: 'auto' },
          success_url: `${screenOf(project.gid)}?paid={CHECKOUT_SESSION_ID}`,
          cancel_url: `${config.publicUrl}/projects/${project.gid}/settings/billing/plans`,
        })
        if (!session.url) throw new Error(`The checkout session ${session.id} has no page`)
        return session.url
      }),

    /** @returns the page where people change their card, address and tax id, and see invoices */
    portal: (payer: Payer): Promise<string> =>
      asking(async () => {
        const row = await payer.db.selectFrom('subscriptions').select('customer_id').executeTakeFirst()
        if (!row) throw new ApiError('no_subscription')
        const client = await stripe()
        const { url } = await client.billingPortal.sessions.create({
          ...{ customer: row.customer_id, return_url: screenOf(payer.project.gid) },
        })
        return url
      }),
  }
}
export type Pages = ReturnType<typeof createPages>
