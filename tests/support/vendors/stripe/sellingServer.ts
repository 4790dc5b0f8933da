import { expect } from 'vitest'
import { login } from '../../../../server/contracts/auth'
import { createStripe } from '../../../../server/modules/subscriptions/stripe/createStripe'
import { syncPrices } from '../../../../server/modules/subscriptions/stripe/prices'
import type { TestClock } from '../../clock'
import { type Registered, startTestServer } from '../../server'
import { startStripe } from './startStripe'

export type SellingServer = Awaited<ReturnType<typeof startSellingServer>>

/**
 * A server that sells plans by the stand-in of Stripe, with its prices made.
 * @param given.clock of both
 * @param given.webhooks whether Stripe tells the server what happens
 */
export async function startSellingServer({ clock, webhooks = true }: { clock: TestClock; webhooks?: boolean }) {
  const stripe = await startStripe({ clock })
  const settings = { secretKey: stripe.key, webhookSecret: stripe.webhookSecret, apiUrl: stripe.origin, trialDays: 0 }
  const server = await startTestServer({ clock, config: { billing: true, stripe: settings } })
  if (webhooks) stripe.addWebhook(`${server.url}/api/billing/stripe`)
  /** What `sync-prices` prints. */
  const prices = await syncPrices(await createStripe(server.context.config)())

  /** All that Stripe told has been worked on, and broke no contract. */
  async function settle() {
    await stripe.webhooks.settle()
    await server.context.jobs.runDue()
    expect(stripe.broken).toEqual([])
  }

  return {
    ...{ stripe, server, settings, prices, settle },

    /** Lets time go by, after which a person logs in again. */
    async pass(person: Registered, seconds: number) {
      clock.pass(seconds)
      stripe.pass(0)
      await settle()
      person.cookies.clear()
      await person.send('GET', '/api/csrf-cookie')
      await person.call(login, { body: { email: person.user.email, password: person.password } })
    },

    /** @returns who pays for a person's project; undefined before they have been at a page of Stripe's */
    customerOf: ({ pgid }: Registered) => stripe.state.customers.find(({ metadata }) => metadata.project === pgid),

    async close() {
      await server.close()
      await stripe.close()
    },
  }
}
