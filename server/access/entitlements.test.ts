import { expect, test } from 'vitest'
import { addons, bonusOf } from './addons'
import { entitlementsOf, hasFeature } from './entitlements'
import { type PlanLimits, planOf } from './plans'

const on = (plan_id: string, bought: Record<string, number> = {}) => ({ plan_id, addons: bought })

test('a project without add-ons has what its plan has', () => {
  expect(entitlementsOf(on('growth'))).toEqual(planOf('growth'))
  expect(entitlementsOf(on('gold')).id).toBe('free')
})

test('the add-ons are those of the product, and each adds something of its own', () => {
  expect(addons.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(addons.find(({ id }) => id === 5)?.feature).toBe('no_branding')
  const added = addons.flatMap(({ adds, feature }) => [...Object.keys(adds), ...(feature ? [feature] : [])])
  expect(new Set(added).size).toBe(added.length)
})

test('add-ons are added to the limits of the plan, as many as were bought, and leave the plan itself as it is', () => {
  const limits = (bought: Record<string, number>): PlanLimits => entitlementsOf(on('starter', bought)).limits
  expect(limits({ 2: 2, 3: 5 })).toEqual({ ...planOf('starter').limits, chatbots: 5, seats: 8 })
  expect(planOf('starter').limits).toMatchObject({ chatbots: 3, seats: 3 })
  expect(limits({ 2: 0, 99: 4 })).toEqual(planOf('starter').limits)
})

test('what was given once is added to what the plan gives once, whatever is paid for', () => {
  expect(entitlementsOf(on('free', { 'bonus-ai-credits': 500 })).limits.lifetime_credits).toBe(550)
  expect(entitlementsOf(on('growth', { 'bonus-ai-credits': 500, 'bonus-training': 9 })).limits).toEqual({
    ...planOf('growth').limits,
    lifetime_credits: 500,
  })
  expect(bonusOf({ 'bonus-training': 9 })).toEqual({ aiCredits: 0, training: 9 })
})

test('an add-on switches its feature on in a plan that lacks it', () => {
  expect(hasFeature(on('starter'), 'no_branding')).toBe(false)
  expect(hasFeature(on('starter', { 5: 1 }), 'no_branding')).toBe(true)
  expect(hasFeature(on('starter', { 5: 1 }), 'audit')).toBe(false)
  expect(hasFeature(on('free', { 4: 1 }), 'custom_domain')).toBe(true)
  expect(hasFeature(on('self-hosted'), 'toString')).toBe(false)
})
