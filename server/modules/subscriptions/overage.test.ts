import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestClock } from '../../../tests/support/clock'
import { makeChatbot } from '../../../tests/support/collab'
import type { Registered, TestServer } from '../../../tests/support/server'
import { sendPage } from '../../../tests/support/vendors/stripe/pages'
import { type SellingServer, startSellingServer } from '../../../tests/support/vendors/stripe/sellingServer'
import { OVERAGE } from '../../access/offers'
import { planOf } from '../../access/plans'
import * as contract from '../../contracts/subscription'
import { reserveCredits, settleCredits } from '../billing/credits'
import { createOverage } from './overage'
import { createRefresh } from './refresh'
import { createStripe } from './stripe/createStripe'
import { syncPrices } from './stripe/prices'

const clock = createTestClock('2026-11-03T10:00:00Z')
const DAY = 86_400
const MONTH = planOf('starter').limits.ai_message_credits
let selling: SellingServer
let stripe: SellingServer['stripe']
let server: TestServer
let ada: Registered

beforeAll(async () => {
  selling = await startSellingServer({ clock })
  stripe = selling.stripe
  server = selling.server
  expect(selling.prices.join('\n')).toContain(`price ${OVERAGE.key}: 0.02 USD`)
  expect(await syncPrices(await createStripe(server.context.config)())).toEqual([])
})
afterAll(() => selling.close())
beforeEach(async () => {
  ada = await server.register()
})

const params = () => ({ pgid: ada.pgid })
const allow = (cap_cents: number | null) => ada.call(contract.allowOverage, { params: params(), body: { cap_cents } })
const read = () => ada.call(contract.readOverage, { params: params() })
async function subscribe(interval: 'month' | 'year' = 'month') {
  const body = { plan_id: 'starter', interval } as const
  await sendPage((await ada.call(contract.startCheckout, { params: params(), body })).url, { card: 'works' })
  await selling.settle()
}
const settle = () => selling.settle()
const pass = (seconds: number) => selling.pass(ada, seconds)
const customerOf = () => selling.customerOf(ada)
const told = () =>
  stripe.state.meterEvents.filter(({ customer }) => customer === customerOf()).map(({ value }) => value)

/** Uses credits as answers do. */
async function userOf() {
  const { db } = server.context
  const { id } = await db.selectFrom('projects').select('id').where('gid', '=', ada.pgid).executeTakeFirstOrThrow()
  const { cgid } = await makeChatbot(ada)
  const bot = await db.selectFrom('chatbots').select('id').where('gid', '=', cgid).executeTakeFirstOrThrow()
  let count = 0
  return async (amount: number) => {
    const own = db.forProject(id)
    const use = { projectId: id, key: `answer-${++count}`, amount, at: clock() }
    const reserved = await reserveCredits(own, { ...use, chatbotId: bot.id, visitor: null })
    if (reserved.ok) await settleCredits(own, use)
    return reserved.ok
  }
}
const reporter = () => {
  const source = createStripe(server.context.config)
  return createOverage(server.context, source, createRefresh(server.context, source))
}

test('without being allowed, nothing beyond the plan is used, and only who pays by the month can allow it', async () => {
  expect(await read()).toMatchObject({ possible: false, cap_cents: null, credits: 0, used: 0, cents_each: 2 })
  await expect(allow(500)).rejects.toThrow('There is no subscription any more')
  await subscribe('year')
  expect(await read()).toMatchObject({ possible: false })
  await expect(allow(500)).rejects.toThrow('There is no subscription any more')
  const use = await userOf()
  expect([await use(MONTH), await use(1)]).toEqual([true, false])
  await expect(allow(99)).rejects.toThrow('Enter 1 or more')
})

test('up to the sum, answers continue; they are reported once, and stand on the next invoice', async () => {
  await subscribe()
  expect(await allow(500)).toMatchObject({ possible: true, cap_cents: 500, credits: 250 })
  const subscription = stripe.state.subscriptions.find(({ customer }) => customer === customerOf())
  // nothing was charged for it
  expect(stripe.state.invoices.filter(({ customer }) => customer === customerOf())).toHaveLength(1)
  const use = await userOf()
  expect(await use(MONTH - 10.5)).toBe(true)
  expect(await use(110.7)).toBe(true)
  expect(await read()).toMatchObject({ used: 100.2, cents: 200, credits: 250 })
  expect(await use(150)).toBe(false)
  await reporter().report()
  await reporter().report()
  // begun credits are told once they are whole
  expect(told()).toEqual([100])
  expect([await use(0.9), await use(20)]).toEqual([true, true])
  await reporter().report()
  expect(told()).toEqual([100, 21])

  await pass(31 * DAY)
  const invoice = subscription?.latestInvoice
  expect(invoice?.lines.map(({ description, amount }) => [description, amount])).toEqual([
    ['1 × Parley Starter', 2_900],
    [`121 × ${OVERAGE.name}`, 242],
  ])
  expect(invoice?.status).toBe('paid')
  // a month begins anew
  expect(await read()).toMatchObject({ used: 0, credits: 250 })
  expect(await use(MONTH + 250)).toBe(true)
  expect(await use(1)).toBe(false)
})

test.each(['cutAfterWrite', 'cutBeforeWrite', 'serverError'] as const)(
  'a report that %s is sent again the same, whatever was used meanwhile',
  async (fault) => {
    await subscribe()
    await allow(1_000)
    const use = await userOf()
    await use(MONTH + 30)
    // as often as the client itself tries
    stripe.fail({ on: 'POST /v1/billing/meter_events', with: fault, times: 3 })
    await reporter().report()
    await use(12)
    stripe.faults.clear()
    await reporter().report()
    expect(told()).toEqual([30, 12])
  },
)

test('once it is not allowed any more nothing is used, and what was is charged', async () => {
  await subscribe()
  await allow(1_000)
  const use = await userOf()
  await use(MONTH + 40)
  expect(await allow(null)).toMatchObject({ cap_cents: null, credits: 0, used: 40 })
  expect(await use(1)).toBe(false)
  await reporter().report()
  expect(told()).toEqual([40])
  await ada.call(contract.cancelSubscription, { params: params() })
  await pass(31 * DAY)
  const mine = stripe.state.invoices.filter(({ customer }) => customer === customerOf())
  expect(mine.at(-1)?.lines.map(({ amount }) => amount)).toEqual([80])
})

test('a smaller plan at the period’s end keeps counting, and the year charges what was counted by the month', async () => {
  await subscribe()
  await allow(1_000)
  const change = async (body: Parameters<typeof preview>[0]) => {
    const { at, seen } = await preview(body)
    await ada.call(contract.changeSubscription, { params: params(), body: { ...body, at, seen } })
    await settle()
  }
  const preview = (body: { plan_id?: 'starter' | 'growth'; interval?: 'month' | 'year' }) =>
    ada.call(contract.previewChange, { params: params(), body })
  await change({ plan_id: 'growth' })
  expect(await read()).toMatchObject({ credits: 500 })
  await change({ plan_id: 'starter' })
  await pass(31 * DAY)
  expect(await read()).toMatchObject({ credits: 500, possible: true })
  const use = await userOf()
  await use(MONTH + 10)
  await reporter().report()
  const { lines } = await preview({ interval: 'year' })
  expect(lines).toContainEqual({ text: `10 × ${OVERAGE.name}`, cents: 20 })
  await change({ interval: 'year' })
  expect(await read()).toMatchObject({ credits: 0, possible: false })
  expect(stripe.state.meterEvents.every(({ isBilled, customer }) => isBilled || customer !== customerOf())).toBe(true)
})

const endsIn = (seconds: number) => {
  const end = stripe.state.subscriptions.find(({ customer }) => customer === customerOf())?.periodEnd ?? 0
  return end - clock().getTime() / 1_000 - seconds
}

test('in the last minutes of a subscription that ends nothing is used, and the last report has all; resuming allows it again', async () => {
  await subscribe()
  await allow(1_000)
  const use = await userOf()
  await ada.call(contract.cancelSubscription, { params: params() })
  await pass(endsIn(25 * 60))
  await reporter().report()
  expect(await use(MONTH + 40)).toBe(true)
  await pass(6 * 60)
  expect(await use(2)).toBe(true)
  await reporter().report()
  expect(told()).toEqual([42])
  expect(await read()).toMatchObject({ possible: false, credits: 0, used: 42 })
  expect(await use(1)).toBe(false)
  await ada.call(contract.resumeSubscription, { params: params() })
  expect(await read()).toMatchObject({ possible: true, credits: 500 })
  expect(await use(3)).toBe(true)
  // who cancels later still is charged what was used until then
  await ada.call(contract.cancelSubscription, { params: params() })
  expect(told()).toEqual([42, 3])
  expect(await use(1)).toBe(false)
  await pass(endsIn(-60))
  const last = stripe.state.invoices.filter(({ customer }) => customer === customerOf()).at(-1)
  expect(last?.lines.map(({ amount }) => amount)).toEqual([90])
})

test('a smaller plan by the year, planned for the period’s end, is preceded by the last report as well', async () => {
  await subscribe()
  const change = async (body: { plan_id?: 'starter' | 'growth'; interval?: 'year' }) => {
    const { at, seen } = await ada.call(contract.previewChange, { params: params(), body })
    await ada.call(contract.changeSubscription, { params: params(), body: { ...body, at, seen } })
    await settle()
  }
  await change({ plan_id: 'growth' })
  await allow(1_000)
  await change({ plan_id: 'starter', interval: 'year' })
  expect(await read()).toMatchObject({ possible: true, credits: 500 })
  await pass(endsIn(19 * 60))
  await reporter().report()
  expect(await read()).toMatchObject({ possible: false, credits: 0 })
})

test('the year by a press is shown and charged with all that was used, and a refusal lets it go on', async () => {
  await subscribe()
  await allow(1_000)
  const use = await userOf()
  await use(MONTH + 10)
  const body = { interval: 'year' } as const
  const { at, seen, lines } = await ada.call(contract.previewChange, { params: params(), body })
  expect(lines).toContainEqual({ text: `10 × ${OVERAGE.name}`, cents: 20 })
  await use(5)
  const change = () => ada.call(contract.changeSubscription, { params: params(), body: { ...body, at, seen } })
  stripe.fail({ on: 'POST /v1/subscriptions/*', with: 'cutBeforeWrite', times: 50 })
  await expect(change()).rejects.toThrow('Stripe can’t be reached')
  stripe.faults.clear()
  expect(await read()).toMatchObject({ credits: 500 })
  expect(await use(2)).toBe(true)
  await change()
  await settle()
  expect(told()).toEqual([10, 5, 2])
  expect(await use(1)).toBe(false)
  const charged = stripe.state.invoices
    .filter(({ customer }) => customer === customerOf())
    .flatMap(({ lines: all }) => all.filter(({ price }) => price.meter !== null).map(({ quantity }) => quantity))
  expect(charged).toEqual([17])
})
