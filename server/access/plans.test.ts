import { expect, test } from 'vitest'
import { addons } from './addons'
import { hasFeature } from './entitlements'
import { type PlanLimits, planOf, plans, yearlyPrice } from './plans'

/** The table of PRODUCT.md, copied. */
const table: Record<'price' | keyof PlanLimits, string> = {
  price: '0 | 29 | 99 | 299 | 0',
  ai_message_credits: '100 | 2,000 | 8,000 | 30,000 | 1e9',
  lifetime_credits: '50 | 0 | 0 | 0 | 0',
  training_credits: '5e5 | 1e7 | 4e7 | 1.5e8 | 1e12',
  chatbots: '1 | 3 | 10 | 40 | 1e6',
  seats: '1 | 3 | 8 | 25 | 1e6',
  email_credits: '20 | 500 | 3,000 | 15,000 | 1e9',
  speech_to_text_seconds: '0 | 1,800 | 10,800 | 54,000 | 1e9',
  resync_credits: '0 | 100 | 1,000 | 10,000 | 1e9',
  custom_domains: '0 | 0 | 1 | 5 | 1e4',
}

test('the plans are those of the product, with its prices and limits', () => {
  expect(plans.map(({ id }) => id)).toEqual(['free', 'starter', 'growth', 'business', 'self-hosted'])
  for (const [row, columns] of Object.entries(table)) {
    const found = plans.map(({ price, limits }) => ({ price, ...limits })[row as keyof typeof table])
    const wanted = columns.split(' | ').map((number) => Number(number.replaceAll(',', '')))
    expect(found, row).toEqual(wanted)
  }
  for (const { limits } of plans) expect(['price', ...Object.keys(limits)].sort()).toEqual(Object.keys(table).sort())
})

test('a plan has its own features and those of the plans below it', () => {
  const firstWith = (feature: string) => plans.find(({ id }) => hasFeature({ plan_id: id, addons: {} }, feature))?.id
  expect(['share', 'analytics', 'api', 'audit'].map(firstWith)).toEqual(['free', 'starter', 'growth', 'business'])
  const counts = plans.map(({ features }) => Object.values(features).filter(Boolean).length)
  expect(counts).toEqual([...counts].sort((a, b) => a - b))
  expect(Object.values(planOf('self-hosted').features).every(Boolean)).toBe(true)
})

test('a plan that nobody knows is the free one, and a year is a fifth cheaper, in whole cents', () => {
  expect(planOf('gold').id).toBe('free')
  expect([0, 29, 99, 299, 0.99].map(yearlyPrice)).toEqual([0, 278.4, 950.4, 2870.4, 9.5])
})

test('an add-on keeps its id and gives what it is sold for', () => {
  expect(addons.map(({ id, slug, adds, feature }) => [id, slug, feature ?? adds])).toEqual([
    [1, 'ai-credits', { ai_message_credits: 1_000 }],
    [2, 'chatbot', { chatbots: 1 }],
    [3, 'seat', { seats: 1 }],
    [4, 'custom-domain', 'custom_domain'],
    [5, 'branding-removal', 'no_branding'],
    [6, 'training', { training_credits: 5_000_000 }],
    [7, 'email', { email_credits: 500 }],
    [8, 'speech', { speech_to_text_seconds: 3_600 }],
    [9, 'resync', { resync_credits: 100 }],
  ])
  expect(addons.find(({ slug }) => slug === 'custom-domain')?.adds).toEqual({ custom_domains: 1 })
})
