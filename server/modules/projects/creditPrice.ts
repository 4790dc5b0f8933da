import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../access/register'
import { readCreditPrice, updateCreditPrice } from '../../contracts/creditPrice'
import type { ServerContext } from '../../platform/context'
import { appendEvent } from '../../platform/events/defineEvent'
import { readCreditPrice as priceOf } from '../billing/creditPrice'
import { creditPriceChanged } from '../billing/events'

/** What a credit costs the project. */
export function registerCreditPrice(app: FastifyInstance, context: ServerContext): void {
  const { config } = context

  registerRoute(app, context, readCreditPrice, async ({ caller }) => ({
    credit_price: await priceOf(caller.db, config),
  }))

  registerRoute(app, context, updateCreditPrice, async ({ caller, body: { price, currency }, origin }) => {
    const set = { credit_price: price, credit_currency: price === null ? null : currency }
    await caller.db.transaction().execute(async (trx) => {
      await trx.updateTable('projects').set(set).execute()
      await appendEvent(trx, creditPriceChanged, origin, { price, currency: set.credit_currency })
    })
    return { credit_price: await priceOf(caller.db, config) }
  })
}
