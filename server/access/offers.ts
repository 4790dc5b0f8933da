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

export const offerOf = (kind: Offer['kind'], id: string, interval: Interval): Offer | undefined =>
  offers.find((each) => each.kind === kind && each.id === id && each.interval === interval)
