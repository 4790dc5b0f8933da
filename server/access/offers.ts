import { addons } from './addons'
import { plans, yearlyPrice } from './plans'

export const INTERVALS = ['month', 'year'] as const
/** How often one pays. */
export type Interval = (typeof INTERVALS)[number]

/** A price of something that is sold. */
export interface Offer {
  /** by which it is found again where it is sold: `parley_plan_growth_month` */
  key: string
  kind: 'plan' | 'addon'
  /** the plan's id, or the add-on's as a text */
  id: string
  name: string
  interval: Interval
  /** in whole cents, of one */
  cents: number
}

/** @returns a price per month as whole cents of an interval */
export const centsOf = (monthly: number, interval: Interval): number =>
  Math.round((interval === 'year' ? yearlyPrice(monthly) : monthly) * 100)

const offer = (kind: Offer['kind'], id: string, name: string, price: number): Offer[] =>
  INTERVALS.map((interval) => ({
    ...{ key: `parley_${kind}_${id}_${interval}`, kind, id, name, interval, cents: centsOf(price, interval) },
  }))

/** All that is sold: plans that cost something, and add-ons. */
export const offers: readonly Offer[] = [
  ...plans.filter(({ price }) => price > 0).flatMap(({ id, name, price }) => offer('plan', id, name, price)),
  ...addons.flatMap(({ id, name, price }) => offer('addon', String(id), name, price)),
]

/**
 * AI message credits beyond the plan, sold by use: to who pays by the month, and up to what an owner allows. Each costs
 * a little more than in a package of the add-on.
 */
export const OVERAGE = {
  key: 'parley_overage_ai_credits',
  product: 'parley_overage_ai_credits',
  name: 'AI credits beyond the plan',
  /** by which Stripe counts them */
  meter: 'parley_ai_credits',
  /** of one credit, whole */
  cents: 2,
} as const

/** How many credits a sum pays for. */
export const creditsFor = (cents: number): number => Math.floor(cents / OVERAGE.cents)

export const offerOf = (kind: Offer['kind'], id: string, interval: Interval): Offer | undefined =>
  offers.find((each) => each.kind === kind && each.id === id && each.interval === interval)
