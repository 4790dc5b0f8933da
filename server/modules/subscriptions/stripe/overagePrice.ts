import type Stripe from 'stripe'
import { OVERAGE } from '../../../access/offers'
import { CURRENCY } from '../../../contracts/billing'
import { ApiError } from '../../../platform/errors'
import { isMissing } from './explainStripe'

/** Whether a price is the one of credits beyond the plan. */
export const isOverage = ({ metadata }: Pick<Stripe.Price, 'metadata'>): boolean => metadata.parley_kind === 'overage'

async function findPrice(client: Stripe): Promise<Stripe.Price | undefined> {
  const { data } = await client.prices.list({ lookup_keys: [OVERAGE.key], active: true, limit: 1 })
  return data[0]
}

const isCurrent = (price: Stripe.Price): boolean => price.unit_amount === OVERAGE.cents && price.currency === CURRENCY

/** @returns the price of a credit beyond the plan @throws ApiError billing_unset if there is none, or another one */
export async function overagePrice(client: Stripe): Promise<string> {
  const price = await findPrice(client)
  if (!price || !isCurrent(price)) throw new ApiError('billing_unset')
  return price.id
}

/**
 * Makes the meter, the product and the price of credits beyond the plan. Doing it again changes nothing.
 * @returns what was made, as lines for people
 */
export async function syncOverage(client: Stripe): Promise<string[]> {
  const done: string[] = []
  const { data: meters } = await client.billing.meters.list({ status: 'active', limit: 100 })
  let meter = meters.find(({ event_name }) => event_name === OVERAGE.meter)
  if (!meter) {
    meter = await client.billing.meters.create({
      ...{ display_name: OVERAGE.name, event_name: OVERAGE.meter, default_aggregation: { formula: 'sum' } },
      customer_mapping: { type: 'by_id', event_payload_key: 'stripe_customer_id' },
      value_settings: { event_payload_key: 'value' },
    })
    done.push(`meter ${OVERAGE.meter}`)
  }
  const old = await findPrice(client)
  if (old && isCurrent(old)) return done
  if (await makeProduct(client)) done.push(`product ${OVERAGE.product}`)
  await client.prices.create({
    ...{ product: OVERAGE.product, currency: CURRENCY, unit_amount: OVERAGE.cents },
    recurring: { interval: 'month', usage_type: 'metered', meter: meter.id },
    ...{ lookup_key: OVERAGE.key, transfer_lookup_key: true, metadata: { parley_kind: 'overage' } },
  })
  if (old) await client.prices.update(old.id, { active: false })
  done.push(`price ${OVERAGE.key}: ${(OVERAGE.cents / 100).toFixed(2)} ${CURRENCY.toUpperCase()} (${OVERAGE.name})`)
  return done
}

/** @returns whether it was made */
async function makeProduct(client: Stripe): Promise<boolean> {
  try {
    await client.products.retrieve(OVERAGE.product)
    return false
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown
    await client.products.create({
      ...{ id: OVERAGE.product, name: OVERAGE.name, metadata: { parley_kind: 'overage' } },
    })
    return true
  }
}
