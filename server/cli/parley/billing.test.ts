import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTestClock } from '../../../tests/support/clock'
import { startStripe } from '../../../tests/support/vendors/stripe/startStripe'
import { offers } from '../../access/offers'
import { billingCommand } from './billing'

let stripe: Awaited<ReturnType<typeof startStripe>>
beforeEach(async () => {
  stripe = await startStripe({ clock: createTestClock() })
  vi.stubEnv('BILLING', 'on')
  vi.stubEnv('STRIPE_SECRET_KEY', stripe.key)
  vi.stubEnv('STRIPE_API_BASE', stripe.origin)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  const { broken } = stripe
  await stripe.close()
  expect(broken).toEqual([])
})

/** What the command prints. */
async function sync(): Promise<string[]> {
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    expect(await billingCommand(['sync-prices'])).toBe(0)
    return printed.mock.calls.map(([text]) => String(text).trim())
  } finally {
    printed.mockRestore()
  }
}

test('each plan and add-on has a product, and a price a month and a year, credits beyond the plan one a month; doing it again changes nothing', async () => {
  const lines = await sync()
  expect(lines).toContain('price parley_plan_growth_year: 950.40 USD (Growth)')
  expect(stripe.state.prices.map(({ lookupKey, amount, interval }) => [lookupKey, amount, interval])).toEqual([
    ...offers.map(({ key, cents, interval }) => [key, cents, interval]),
    ['parley_overage_ai_credits', 2, 'month'],
  ])
  expect(stripe.state.products).toHaveLength(offers.length / 2 + 1)
  expect(await sync()).toEqual(['All products and prices are there.'])
  expect(stripe.state.prices).toHaveLength(offers.length + 1)
})

test('a price whose amount has changed is replaced, and the old one is not sold any more', async () => {
  await sync()
  const old = stripe.state.prices.find(({ lookupKey }) => lookupKey === 'parley_plan_starter_month')
  if (!old) throw new Error('there is no price')
  old.amount = 1_900
  expect(await sync()).toEqual(['price parley_plan_starter_month: 29.00 USD (Starter)', '1 made or changed.'])
  expect([old.active, old.lookupKey]).toEqual([false, null])
})

test('what is missing or wrong is said', async () => {
  await expect(billingCommand([])).rejects.toThrow('Say what to do.')
  vi.stubEnv('STRIPE_SECRET_KEY', 'sk_test_another')
  await expect(billingCommand(['sync-prices'])).rejects.toThrow('Stripe does not take this key')
  vi.stubEnv('BILLING', 'off')
  await expect(billingCommand(['sync-prices'])).rejects.toThrow('Give BILLING=on and STRIPE_SECRET_KEY')
})
