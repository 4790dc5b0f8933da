import { OVERAGE } from '../../access/offers'
import { CURRENCY } from '../../contracts/billing'
import type { CreditPrice } from '../../contracts/creditPrice'
import type { Config } from '../../platform/config/config'
import type { ProjectDb } from '../../platform/database/database'

/**
 * What an AI message credit costs a project: what its people said, else the price of credits beyond the plan where
 * these are sold (`BILLING=on`).
 * @returns null: nobody knows
 */
export async function readCreditPrice(db: ProjectDb, config: Pick<Config, 'billing'>): Promise<CreditPrice | null> {
  const { credit_price: price, credit_currency: currency } = await db
    .selectFrom('projects')
    .select(['credit_price', 'credit_currency'])
    .executeTakeFirstOrThrow()
  if (price !== null && currency !== null) return { price: Number(price), currency, own: true }
  return config.billing ? { price: OVERAGE.cents / 100, currency: CURRENCY.toUpperCase(), own: false } : null
}
