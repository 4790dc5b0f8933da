import { expect, test } from 'vitest'
import { addons } from './addons'
import { centsOf, offerOf, offers } from './offers'
import { plans } from './plans'

test('plans that cost something and all add-ons are sold, by the month and by the year', () => {
  const sold = plans.filter(({ id }) => ['starter', 'growth', 'business'].includes(id)).length
  expect(offers).toHaveLength(2 * (sold + addons.length))
  expect(offers.filter(({ kind }) => kind === 'plan').map(({ id }) => id)).not.toContain('free')
  expect(offers.every(({ cents }) => cents > 0)).toBe(true)
  expect(new Set(offers.map(({ key }) => key)).size).toBe(offers.length)
})

test('a price is in whole cents, a year’s a fifth less than twelve months', () => {
  expect([centsOf(29, 'month'), centsOf(29, 'year')]).toEqual([2_900, 27_840])
  expect(offerOf('plan', 'growth', 'month')).toMatchObject({ key: 'parley_plan_growth_month', cents: 9_900 })
  expect(offerOf('plan', 'growth', 'year')).toMatchObject({ key: 'parley_plan_growth_year', cents: 95_040 })
})

test('an offer is found by its kind, id and interval together', () => {
  const addon = String(addons.at(-1)?.id)
  for (const interval of ['month', 'year'] as const)
    expect(offerOf('addon', addon, interval)).toMatchObject({ kind: 'addon', id: addon, interval })
  expect(offerOf('plan', addon, 'month')).toBeUndefined()
  expect(offerOf('addon', 'growth', 'month')).toBeUndefined()
})
