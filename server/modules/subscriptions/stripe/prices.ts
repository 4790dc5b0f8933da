import type Stripe from 'stripe'
import { type Interval, type Offer, offerOf, offers } from '../../../access/offers'
import { CURRENCY } from '../../../contracts/billing'
import { ApiError } from '../../../platform/errors'
import type { Paid } from '../subscriptionState'
import { isMissing } from './explainStripe'
import { syncOverage } from './overagePrice'

/** As many lookup keys as Stripe takes in one call. */
const KEYS = 10

const productId = ({ kind, id }: Offer) => `parley_${kind}_${id}`
/** By which a price is known again on a subscription, even after another has taken its lookup key. */
const marks = ({ kind, id }: Offer) => ({ parley_kind: kind, parley_id: id })

/** What a price of ours is of; undefined for a price of somebody else's. */
export function soldBy({ metadata }: Pick<Stripe.Price, 'metadata'>): { kind: Offer['kind']; id: string } | undefined {
  const { parley_kind: kind, parley_id: id } = metadata
  return (kind === 'plan' || kind === 'addon') && id ? { kind, id } : undefined
}

/** How often a price is paid. */
export const intervalOf = ({ recurring }: Pick<Stripe.Price, 'recurring'>): Interval =>
  recurring?.interval === 'year' ? 'year' : 'month'

const isCurrent = (price: Stripe.Price, { cents, interval }: Offer): boolean =>
  price.unit_amount === cents && price.currency === CURRENCY && intervalOf(price) === interval

async function pricesOf(client: Stripe, wanted: readonly Offer[]): Promise<Map<string, Stripe.Price>> {
  const found = new Map<string, Stripe.Price>()
  for (let at = 0; at < wanted.length; at += KEYS) {
    const keys = wanted.slice(at, at + KEYS).map(({ key }) => key)
    const { data } = await client.prices.list({ lookup_keys: keys, active: true, limit: 100 })
    for (const price of data) if (price.lookup_key) found.set(price.lookup_key, price)
  }
  return found
}

/**
 * Makes the products and prices of all that is sold, and replaces a price whose amount has changed: who pays the old
 * one goes on to do so. Doing it again changes nothing.
 * @returns what was made, as lines for people
 */
export async function syncPrices(client: Stripe): Promise<string[]> {
  const before = await pricesOf(client, offers)
  const done: string[] = []
  for (const offer of offers) {
    const { key, name, interval, cents } = offer
    if (interval === 'month' && (await syncProduct(client, offer))) done.push(`product ${productId(offer)}`)
    const old = before.get(key)
    if (old && isCurrent(old, offer)) continue
    await client.prices.create({
      ...{ product: productId(offer), currency: CURRENCY, unit_amount: cents, recurring: { interval } },
      ...{ lookup_key: key, transfer_lookup_key: true, metadata: marks(offer) },
    })
    if (old) await client.prices.update(old.id, { active: false })
    done.push(`price ${key}: ${(cents / 100).toFixed(2)} ${CURRENCY.toUpperCase()} (${name})`)
  }
  return [...done, ...(await syncOverage(client))]
}

/** @returns whether it was made or renamed */
async function syncProduct(client: Stripe, offer: Offer): Promise<boolean> {
  const id = productId(offer)
  const name = offer.kind === 'plan' ? `Parley ${offer.name}` : offer.name
  try {
    const product = await client.products.retrieve(id)
    if (product.name === name && product.active) return false
    await client.products.update(id, { name, active: true })
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown
    await client.products.create({ id, name, metadata: marks(offer) })
  }
  return true
}

/** A price for each thing that is paid for, with how many. */
export interface PricedItem {
  kind: Offer['kind']
  id: string
  interval: Interval
  price: string
  /** of one */
  cents: number
  quantity: number
}

/**
 * @returns the plan and the add-ons with their prices at Stripe
 * @throws ApiError billing_unset if one is missing, or costs something else than people are shown
 */
export async function priced(client: Stripe, { plan_id, interval, addons }: Paid): Promise<PricedItem[]> {
  const wanted = [
    { kind: 'plan' as const, id: plan_id, quantity: 1 },
    ...Object.entries(addons).map(([id, quantity]) => ({ kind: 'addon' as const, id, quantity })),
  ]
  const asked = wanted.map((each) => ({ ...each, offer: offerOf(each.kind, each.id, interval) }))
  const known = asked.flatMap(({ offer }) => offer ?? [])
  const found = await pricesOf(client, known)
  return asked.map(({ kind, id, quantity, offer }) => {
    const price = offer && found.get(offer.key)
    if (!offer || !price || !isCurrent(price, offer)) throw new ApiError('billing_unset')
    return { kind, id, interval, quantity, price: price.id, cents: offer.cents }
  })
}
