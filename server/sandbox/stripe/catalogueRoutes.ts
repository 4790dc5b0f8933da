import type { Call } from '../call'
import type { Route } from '../routes'
import { missing, refuseStripe } from './errors'
import { type Fields, fieldsIn, isTrue, metadataIn, textOf, textsIn } from './form'
import { listOf, presentCustomer, presentPrice, presentProduct, presentPromotion } from './present'
import {
  type Customer,
  type Interval,
  makeId,
  type Price,
  type Product,
  type Promotion,
  type StripeState,
} from './state'

export const bodyOf = ({ body }: Call): Fields => (body ?? {}) as Fields
export const queryOf = ({ query }: Call): Fields => query as Fields
export const answer = (body: unknown) => ({ status: 200, body })

/** One page of a list, newest first as it is given, after `starting_after`. */
export function pageOf<T extends { id: string }>(all: readonly T[], call: Call, present: (one: T) => unknown) {
  const { limit, starting_after: after } = queryOf(call)
  const most = Number(textOf(limit) ?? 10)
  if (!Number.isInteger(most) || most < 1 || most > 100)
    throw refuseStripe('limit must be from 1 to 100', { param: 'limit' })
  const id = textOf(after)
  const from = id === undefined ? 0 : all.findIndex((one) => one.id === id) + 1
  if (id !== undefined && from === 0) throw missing('object', id, 'starting_after')
  return answer(listOf(call.path, all.slice(from, from + most).map(present), from + most < all.length))
}

export function find<T extends { id: string }>(all: readonly T[], what: string, id: string, param = 'id'): T {
  const found = all.find((one) => one.id === id)
  if (!found) throw missing(what, id, param)
  return found
}

/** Products, prices, promotion codes and customers. */
export function catalogueRoutes(state: StripeState): Route[] {
  const { products, prices, promotions, customers } = state

  function addPrice(fields: Fields): Price {
    const product = find(products, 'product', textOf(fields.product) ?? '', 'product')
    const amount = Number(textOf(fields.unit_amount))
    if (!Number.isInteger(amount) || amount < 0)
      throw refuseStripe('Invalid integer', { code: 'parameter_invalid_integer', param: 'unit_amount' })
    const lookupKey = textOf(fields.lookup_key) ?? null
    takeLookupKey(lookupKey, isTrue(fields.transfer_lookup_key))
    const { interval, usage_type: usage, meter } = fieldsIn(fields.recurring)
    const isMetered = textOf(usage) === 'metered'
    if (isMetered && meter === undefined)
      throw refuseStripe('Metered prices are backed by a meter.', { param: 'recurring[meter]' })
    const price: Price = {
      ...{ id: makeId(state, 'price'), product, amount, lookupKey, active: true, created: state.now() },
      ...{ currency: textOf(fields.currency) ?? 'usd', metadata: metadataIn(fields.metadata) },
      interval: (textOf(interval) ?? 'month') as Interval,
      meter: isMetered ? find(state.meters, 'meter', textOf(meter) ?? '', 'recurring[meter]') : null,
    }
    prices.push(price)
    return price
  }
  /** A lookup key is of one price: another takes it away only if it says so. */
  function takeLookupKey(key: string | null, takes: boolean): void {
    const holder = key === null ? undefined : prices.find(({ lookupKey }) => lookupKey === key)
    if (!holder) return
    if (!takes) throw refuseStripe(`A price (\`${holder.id}\`) already uses that lookup key.`, { param: 'lookup_key' })
    holder.lookupKey = null
  }

  return [
    {
      method: 'POST',
      path: '/v1/products',
      handle(call) {
        const { id, name, metadata } = bodyOf(call)
        const given = textOf(id)
        if (given !== undefined && products.some((one) => one.id === given))
          throw refuseStripe(`Product already exists: ${given}`, { code: 'resource_already_exists', param: 'id' })
        const product: Product = {
          ...{ id: given ?? makeId(state, 'prod'), name: textOf(name) ?? '', active: true },
          ...{ metadata: metadataIn(metadata), created: state.now() },
        }
        products.push(product)
        return answer(presentProduct(product))
      },
    },
    {
      method: 'GET',
      path: '/v1/products/{id}',
      handle: ({ params }) => answer(presentProduct(find(products, 'product', params.id ?? ''))),
    },
    {
      method: 'POST',
      path: '/v1/products/{id}',
      handle(call) {
        const product = find(products, 'product', call.params.id ?? '')
        const { name, active } = bodyOf(call)
        product.name = textOf(name) ?? product.name
        if (active !== undefined) product.active = isTrue(active)
        return answer(presentProduct(product))
      },
    },
    {
      method: 'GET',
      path: '/v1/prices',
      handle(call) {
        const { lookup_keys, active, product } = queryOf(call)
        const keys = textsIn(lookup_keys)
        if (keys.length > 10) throw refuseStripe('lookup_keys takes up to 10 keys', { param: 'lookup_keys' })
        const found = prices.filter(
          (price) =>
            (lookup_keys === undefined || keys.includes(price.lookupKey ?? '')) &&
            (active === undefined || price.active === isTrue(active)) &&
            (product === undefined || price.product.id === product),
        )
        return pageOf(found.reverse(), call, presentPrice)
      },
    },
    { method: 'POST', path: '/v1/prices', handle: (call) => answer(presentPrice(addPrice(bodyOf(call)))) },
    {
      method: 'POST',
      path: '/v1/prices/{id}',
      handle(call) {
        const price = find(prices, 'price', call.params.id ?? '')
        const { active } = bodyOf(call)
        if (active !== undefined) price.active = isTrue(active)
        return answer(presentPrice(price))
      },
    },
    {
      method: 'GET',
      path: '/v1/promotion_codes',
      handle: (call) => pageOf(promotions, call, (one: Promotion) => presentPromotion(one)),
    },
    {
      method: 'POST',
      path: '/v1/customers',
      handle(call) {
        const { name, email, metadata } = bodyOf(call)
        const customer: Customer = {
          ...{ id: makeId(state, 'cus'), name: textOf(name) ?? null, email: textOf(email) ?? null, balance: 0 },
          ...{ metadata: metadataIn(metadata), card: null, taxId: null, isDeleted: false, created: state.now() },
        }
        customers.push(customer)
        return answer(presentCustomer(customer))
      },
    },
    {
      method: 'GET',
      path: '/v1/customers/{id}',
      handle: ({ params }) => answer(presentCustomer(find(customers, 'customer', params.id ?? ''))),
    },
    {
      method: 'POST',
      path: '/v1/customers/{id}',
      handle(call) {
        const customer = find(customers, 'customer', call.params.id ?? '')
        const { name, email } = bodyOf(call)
        customer.name = textOf(name) ?? customer.name
        customer.email = textOf(email) ?? customer.email
        return answer(presentCustomer(customer))
      },
    },
  ]
}
