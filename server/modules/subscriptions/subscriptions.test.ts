import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestClock } from '../../../tests/support/clock'
import type { Registered, TestServer } from '../../../tests/support/server'
import { sendPage } from '../../../tests/support/vendors/stripe/pages'
import { type SellingServer, startSellingServer } from '../../../tests/support/vendors/stripe/sellingServer'
import { dashboard } from '../../contracts/account'
import { createChatbot, listChatbots } from '../../contracts/chatbots'
import { chooseStay, readLimits } from '../../contracts/limits'
import { createProject, deleteProject, listProjects } from '../../contracts/projects'
import type { Access } from '../../contracts/route'
import * as contract from '../../contracts/subscription'
import { dueOf } from '../../sandbox/stripe/state'

const clock = createTestClock('2026-11-24T10:00:00Z')
const DAY = 86_400
let selling: SellingServer
let stripe: SellingServer['stripe']
let server: TestServer
let ada: Registered

beforeAll(async () => {
  selling = await startSellingServer({ clock })
  stripe = selling.stripe
  server = selling.server
})
afterAll(() => selling.close())
beforeEach(async () => {
  ada = await server.register()
})

const params = () => ({ pgid: ada.pgid })
const settle = () => selling.settle()
/** What the interface is told then. */
async function told() {
  await settle()
  const { user } = await ada.call(dashboard, { body: { pgid: ada.pgid } })
  return { ...user.subscription, addons: user.billing_addons_subscription }
}
const view = async () => (await ada.call(contract.readSubscription, { params: params() })).subscription
interface Bought {
  plan_id: 'starter' | 'growth' | 'business'
  interval: 'month' | 'year'
  addons?: Record<string, number>
}
const checkout = async (body: Bought) => (await ada.call(contract.startCheckout, { params: params(), body })).url
const subscribe = async (body: Partial<Bought> = {}, form: Record<string, string> = { card: 'works' }) =>
  sendPage(await checkout({ plan_id: 'starter', interval: 'month', ...body }), form)
async function change(body: Partial<Bought>) {
  const preview = await ada.call(contract.previewChange, { params: params(), body })
  const { at, seen } = preview
  await ada.call(contract.changeSubscription, { params: params(), body: { ...body, at, seen } })
  return preview
}
type Plain = Omit<typeof contract.cancelSubscription, 'access'> & { access: Access }
const call = (route: Plain) => ada.call(route, { params: params() })
const pass = (seconds: number) => selling.pass(ada, seconds)
const mails = async () =>
  (
    await server.context.db
      .selectFrom('mails')
      .select(['subject', 'addresses'])
      .where('purpose', '=', 'billing')
      .execute()
  )
    .filter(({ addresses }) => addresses.to.includes(ada.user.email))
    .map(({ subject }) => subject.replace(/^.*: /, ''))
const customerOf = () => selling.customerOf(ada)

test('a new project is free, pays on Stripe’s page, and has the plan from then on', async () => {
  expect(await told()).toMatchObject({ plan_id: 'free', status: 'active', end_date: null, subscription_price: 0 })
  const { location } = await subscribe({ addons: { 3: 2 } })
  expect(location).toMatch(new RegExp(`/projects/${ada.pgid}/settings/billing/subscription\\?paid=cs_test_`))
  const end = new Date(clock())
  end.setUTCMonth(end.getUTCMonth() + 1)
  expect(await told()).toMatchObject({
    plan_id: 'starter',
    name: 'Starter',
    status: 'active',
    end_date: end.toISOString(),
    end_date_formatted: expect.stringMatching(/^[A-Z][a-z]{2} \d+, 202\d$/),
    cancels_at: null,
    subscription_price: 45,
    price: 29,
    downgrade_schedule: null,
    addons: [{ id: 3, quantity: 2 }],
  })
})

test('a card that is declined changes nothing, and one whose bank asks is confirmed first', async () => {
  const url = await checkout({ plan_id: 'growth', interval: 'year' })
  expect((await sendPage(url, { card: 'declined' })).text).toContain('Your card was declined')
  expect((await sendPage(url, { card: 'authentication' })).text).toContain('Your bank wants to know')
  expect((await sendPage(url, { card: 'authentication', bank: 'no' })).text).toContain('did not confirm')
  expect(await told()).toMatchObject({ plan_id: 'free' })
  expect((await sendPage(url, { card: 'authentication', bank: 'yes' })).location).toContain('?paid=')
  // a year at 20 % less
  expect(await told()).toMatchObject({ plan_id: 'growth', subscription_price: 79.2 })
})

test('a code reduces what is paid, and a tax id is asked for', async () => {
  stripe.addPromotion('HALF', 50)
  await subscribe({}, { card: 'works', code: 'half', tax: 'DE123456789' })
  await settle()
  const { invoices } = await ada.call(contract.listInvoices, { params: params() })
  expect(invoices).toMatchObject([{ status: 'paid', cents: 1_450, currency: 'usd' }])
  expect(customerOf()?.taxId).toBe('DE123456789')
  // and a change by as much: the lines and what is taken off come to what is paid
  const { lines, discount, tax, balance, due } = await change({ plan_id: 'growth' })
  const full = lines.reduce((sum, { cents }) => sum + cents, 0)
  expect(discount).toBe(Math.round(full / 2))
  expect(full - discount + tax + balance).toBe(due)
})

test('nobody subscribes twice: a page that was opened before is closed, and a second one is refused', async () => {
  const first = await checkout({ plan_id: 'starter', interval: 'month' })
  const second = await checkout({ plan_id: 'growth', interval: 'month' })
  expect((await sendPage(first, { card: 'works' })).text).toContain('This page is not valid')
  await sendPage(second, { card: 'works' })
  await expect(checkout({ plan_id: 'starter', interval: 'month' })).rejects.toThrow('has a subscription already')
  expect(await told()).toMatchObject({ plan_id: 'growth' })
})

test('an upgrade is shown with what it costs, and holds at once', async () => {
  await subscribe()
  await settle()
  await pass(15 * DAY)
  const preview = await change({ plan_id: 'growth' })
  const { latestInvoice } = stripe.state.subscriptions.at(-1) ?? {}
  expect(preview).toMatchObject({ when: 'now', credit: 0, next: { cents: 9_900 }, after: { plan_id: 'growth' } })
  // what was shown is what is charged
  expect(preview.due).toBe(latestInvoice?.lines.reduce((sum, { amount }) => sum + amount, 0))
  expect(preview.due).toBeGreaterThan(3_000)
  expect(preview.due).toBeLessThan(7_000)
  expect(await told()).toMatchObject({ plan_id: 'growth', subscription_price: 99 })
})

test('an upgrade that the bank asks about waits until it is confirmed, and comes to nothing otherwise', async () => {
  await subscribe()
  const customer = customerOf()
  if (!customer) throw new Error('there is no customer')
  customer.card = 'authentication'
  await change({ plan_id: 'growth' })
  expect(await told()).toMatchObject({ plan_id: 'starter' })
  const waiting = await view()
  expect(waiting).toMatchObject({
    plan_id: 'starter',
    waits: true,
    payment_url: expect.stringContaining('/invoices/in_'),
  })
  await sendPage(waiting?.payment_url ?? '', { bank: 'yes' })
  expect(await told()).toMatchObject({ plan_id: 'growth' })
  await change({ plan_id: 'business' })
  await pass(DAY)
  expect(await told()).toMatchObject({ plan_id: 'growth' })
  expect(await view()).toMatchObject({ waits: false, payment_url: null })
})

test('a smaller plan and fewer add-ons come together at the period’s end, and can be undone', async () => {
  await subscribe({ plan_id: 'growth', addons: { 3: 4, 7: 1 } })
  await settle()
  expect(await change({ plan_id: 'starter' })).toMatchObject({
    when: 'later',
    due: 0,
    next: { cents: 2_900 + 3_200 + 500 },
  })
  await change({ addons: { 3: 1 } })
  const scheduled = await told()
  expect(scheduled).toMatchObject({
    plan_id: 'growth',
    downgrade_schedule: { plan_id: 'starter', at: scheduled.end_date },
  })
  expect((await view())?.scheduled).toMatchObject({
    plan_id: 'starter',
    addons: [
      { id: 3, quantity: 1 },
      { id: 7, quantity: 1 },
    ],
  })
  await expect(change({ plan_id: 'business' })).rejects.toThrow('A change is planned')
  // nothing is cancelled, so there is nothing to resume: what is planned stays
  await call(contract.resumeSubscription)
  expect(await told()).toMatchObject({ downgrade_schedule: { plan_id: 'starter' } })
  await call(contract.keepSubscription)
  expect(await told()).toMatchObject({ plan_id: 'growth', downgrade_schedule: null })
  await change({ plan_id: 'starter', addons: { 3: 0 } })
  await pass(32 * DAY)
  expect(await told()).toMatchObject({
    ...{ plan_id: 'starter', downgrade_schedule: null, subscription_price: 34, addons: [{ id: 7, quantity: 1 }] },
  })
})

test('what a smaller plan leaves to be read alone is named before, while it is planned, and then', async () => {
  await subscribe({ plan_id: 'growth' })
  await settle()
  for (const name of ['Sales', 'Support', 'Jobs', 'Press'])
    await ada.call(createChatbot, { params: params(), body: { name } })
  const over = (max: number, ...names: string[]) => [{ limit: 'chatbots', max, names }]
  const limits = async () => (await ada.call(readLimits, { params: params() })).planned
  expect(await limits()).toBeNull()
  const preview = (body: Partial<Bought>) => ada.call(contract.previewChange, { params: params(), body })
  expect(await preview({ plan_id: 'starter' })).toMatchObject({ when: 'later', over: over(3, 'Press') })
  expect(await preview({ plan_id: 'business' })).toMatchObject({ when: 'now', over: [] })
  await change({ plan_id: 'starter' })
  expect(await limits()).toMatchObject({ plan: 'Starter', over: over(3, 'Press') })
  const { chatbots } = await ada.call(listChatbots, { params: params() })
  const press = chatbots.find(({ name }) => name === 'Press')?.gid ?? ''
  await ada.call(chooseStay, { params: params(), body: { limit: 'chatbots', chosen: [press] } })
  expect(await limits()).toMatchObject({ plan: 'Starter', over: over(3, 'Jobs') })
  await call(contract.cancelSubscription)
  expect(await limits()).toMatchObject({ plan: 'Free', over: over(1, 'Sales', 'Support', 'Jobs') })
  const told = async () => (await ada.call(dashboard, { body: { pgid: ada.pgid } })).user.over_limit
  expect(await told()).toEqual([])
  await pass(32 * DAY)
  await settle()
  expect(await told()).toEqual(over(1, 'Sales', 'Support', 'Jobs'))
  expect(await limits()).toBeNull()
  await subscribe({ plan_id: 'growth' })
  await settle()
  expect(await told()).toEqual([])
})

test('a refund is shown with its invoice, and takes nothing of the plan; one to the balance pays the next invoice', async () => {
  await subscribe({ plan_id: 'growth' })
  await settle()
  const invoices = async () => (await ada.call(contract.listInvoices, { params: params() })).invoices
  const invoice = stripe.state.invoices.at(-1)
  if (!invoice) throw new Error('nothing was charged')
  expect(stripe.subscriptions.refund(invoice, 4_000, 'card')).toBe(true)
  expect(stripe.subscriptions.refund(invoice, 5_900, 'balance')).toBe(true)
  // no more than was paid
  expect(stripe.subscriptions.refund(invoice, 1, 'card')).toBe(false)
  expect(await told()).toMatchObject({ plan_id: 'growth', status: 'active' })
  expect(await invoices()).toMatchObject([{ status: 'paid', cents: 9_900, refunded: 9_900 }])
  const { due, lines } = await change({ plan_id: 'business' })
  const full = lines.reduce((sum, { cents }) => sum + cents, 0)
  expect(due).toBe(full - 5_900)
  expect(await told()).toMatchObject({ plan_id: 'business' })
})

test('a trial costs nothing until its end, and is paid then, or has been cancelled; only the first is one', async () => {
  const { settings } = selling
  settings.trialDays = 14
  try {
    const charged = stripe.state.invoices.length
    await subscribe({ plan_id: 'growth' })
    expect(await told()).toMatchObject({ plan_id: 'growth', status: 'trialing' })
    const trial = await view()
    expect(trial).toMatchObject({ live: true, trial_end: expect.any(String), failing_since: null })
    expect(stripe.state.invoices.slice(charged).reduce((sum, invoice) => sum + dueOf(invoice), 0)).toBe(0)
    // the daily look tells of its end three days before, once
    await pass(10 * DAY)
    expect(await mails()).toEqual([])
    await pass(2 * DAY)
    await settle()
    await pass(DAY)
    await settle()
    expect(await mails()).toEqual(['the trial ends soon'])
    await pass(2 * DAY)
    expect(await told()).toMatchObject({ plan_id: 'growth', status: 'active' })
    expect(dueOf(stripe.state.invoices.at(-1) as never)).toBe(9_900)
    await call(contract.cancelSubscription)
    await pass(32 * DAY)
    expect(await told()).toMatchObject({ plan_id: 'free' })
    await subscribe({ plan_id: 'starter' })
    expect(await told()).toMatchObject({ plan_id: 'starter', status: 'active' })
  } finally {
    settings.trialDays = 0
  }
})

test('a subscription that is cancelled stays until its period ends, can be resumed, and leaves the free plan', async () => {
  await subscribe({ addons: { 5: 1 } })
  await settle()
  await call(contract.cancelSubscription)
  const cancelled = await told()
  expect(cancelled).toMatchObject({ plan_id: 'starter', cancels_at: cancelled.end_date, status: 'active' })
  expect(cancelled.cancels_at_formatted).toBe(cancelled.end_date_formatted)
  await expect(change({ plan_id: 'growth' })).rejects.toThrow('Resume it before you change it')
  await call(contract.resumeSubscription)
  expect(await told()).toMatchObject({ cancels_at: null })
  await call(contract.cancelSubscription)
  await pass(32 * DAY)
  expect(await told()).toMatchObject({ plan_id: 'free', status: 'canceled', addons: [], subscription_price: 0 })
  await expect(call(contract.cancelSubscription)).rejects.toThrow('There is no subscription any more')
  // and may begin again
  await subscribe({ plan_id: 'growth' })
  expect(await told()).toMatchObject({ plan_id: 'growth', status: 'active' })
})

test('a renewal that fails takes nothing away for 14 days, is mailed once, and is over once it is paid', async () => {
  await subscribe({ plan_id: 'growth' }, { card: 'fails_later' })
  await settle()
  await pass(32 * DAY)
  expect(await told()).toMatchObject({ plan_id: 'growth', status: 'past_due' })
  expect(await view()).toMatchObject({ live: true, payment_url: expect.any(String), grace_until: expect.any(String) })
  await call(contract.refreshSubscription)
  await settle()
  expect(await mails()).toEqual(['a payment failed'])
  const customer = customerOf()
  if (customer) customer.card = 'works'
  await sendPage((await view())?.payment_url ?? '', {})
  expect(await told()).toMatchObject({ plan_id: 'growth', status: 'active' })
  expect(await view()).toMatchObject({ failing_since: null, grace_until: null })
})

test('a second invoice that fails does not begin the days of grace anew', async () => {
  await subscribe({ plan_id: 'growth' }, { card: 'fails_later' })
  await pass(32 * DAY)
  await told()
  const { failing_since } = (await view()) ?? {}
  // the first invoice failed ten days before the one that Stripe tells of now
  const first = new Date(new Date(failing_since ?? '').getTime() - 10 * DAY * 1_000)
  await server.context.db
    .updateTable('subscriptions')
    .set({ state: sql`jsonb_set(state, '{failing_since}', to_jsonb(${first.toISOString()}::text))` })
    .where('project_id', '=', ({ selectFrom }) => selectFrom('projects').select('id').where('gid', '=', ada.pgid))
    .execute()
  await call(contract.refreshSubscription)
  expect(await view()).toMatchObject({
    failing_since: first.toISOString(),
    grace_until: new Date(first.getTime() + 14 * DAY * 1_000).toISOString(),
  })
})

test('after the days of grace the plan is free though Stripe still tries, and it ends when Stripe gives up', async () => {
  await subscribe({ plan_id: 'growth' }, { card: 'fails_later' })
  await settle()
  const renewal = new Date((await view())?.next_charge_at ?? '').getTime()
  await pass((renewal - clock().getTime()) / 1_000 + 60)
  await settle()
  stripe.fail({ on: 'webhook *', with: 'lost', times: 20 })
  await pass(14 * DAY - 1_800)
  expect(await told()).toMatchObject({ plan_id: 'growth', status: 'past_due' })
  // nobody tells of it, and the daily look has just been: the hourly one sees that the days are over
  await pass(3_600)
  expect(await told()).toMatchObject({ plan_id: 'free', status: 'past_due' })
  expect(await mails()).toEqual(['a payment failed', 'the plan ended, since a payment is missing'])
  stripe.faults.clear()
  await pass(3 * DAY)
  expect(await told()).toMatchObject({ plan_id: 'free', status: 'canceled' })
})

test('events that come twice, late and in any order lead to what Stripe has', async () => {
  stripe.fail({ on: 'webhook customer.subscription.created', with: 'outOfOrder' })
  stripe.fail({ on: 'webhook *', with: 'twice', times: 3 })
  await subscribe()
  expect(await told()).toMatchObject({ plan_id: 'starter' })
  const events = await server.context.db.selectFrom('stripe_events').selectAll().execute()
  expect(events.every(({ handled_at }) => handled_at !== null)).toBe(true)
  // the first change is told after the second one
  stripe.fail({ on: 'webhook customer.subscription.updated', with: 'outOfOrder' })
  await change({ plan_id: 'growth' })
  await change({ plan_id: 'business' })
  expect(await told()).toMatchObject({ plan_id: 'business' })
})

test('what no event told of is found by the daily look, and by a press', async () => {
  stripe.fail({ on: 'webhook *', with: 'lost', times: 20 })
  await subscribe()
  await settle()
  expect(await view()).toBeNull()
  expect((await call(contract.refreshSubscription)).subscription).toMatchObject({ plan_id: 'starter' })
  await change({ plan_id: 'growth' })
  const [subscription] = stripe.state.subscriptions.slice(-1)
  if (subscription) stripe.subscriptions.cancelAtEnd(subscription, true)
  await settle()
  expect((await view())?.cancel_at).toBeNull()
  stripe.faults.clear()
  await pass(DAY + 60)
  await settle()
  expect((await view())?.cancel_at).not.toBeNull()
})

test('a change of what is there no longer, and one while Stripe is away, change nothing', async () => {
  await subscribe()
  await settle()
  const { at, seen } = await ada.call(contract.previewChange, { params: params(), body: { plan_id: 'growth' } })
  await change({ addons: { 3: 1 } })
  await expect(
    ada.call(contract.changeSubscription, { params: params(), body: { plan_id: 'growth', at, seen } }),
  ).rejects.toThrow('Someone else changed this')
  stripe.fail({ on: 'GET /v1/subscriptions', with: 'cutBeforeWrite', times: 50 })
  await expect(change({ plan_id: 'growth' })).rejects.toThrow('Stripe can’t be reached')
  stripe.faults.clear()
  // an answer that is lost after the change was made is asked for again with the same key: nothing is charged twice
  const before = stripe.state.invoices.length
  stripe.fail({ on: 'POST /v1/subscriptions/*', with: 'cutAfterWrite' })
  await change({ plan_id: 'growth' })
  expect(stripe.state.invoices.length).toBe(before + 1)
  expect(await told()).toMatchObject({ plan_id: 'growth', addons: [{ id: 3, quantity: 1 }] })
})

test('the portal shows the card and cancels, which Parley hears of', async () => {
  await expect(ada.call(contract.openPortal, { params: params() })).rejects.toThrow('There is no subscription')
  await subscribe()
  await settle()
  const { url } = await ada.call(contract.openPortal, { params: params() })
  await sendPage(url, { do: 'cancel' })
  expect((await told()).cancels_at).not.toBeNull()
  await sendPage(url, { do: 'card', card: 'fails_later' })
  expect(customerOf()?.card).toBe('fails_later')
})

test('a project that is paid for is not deleted before it is cancelled', async () => {
  await subscribe()
  await settle()
  const { projects } = await ada.call(listProjects)
  const name = projects[0]?.name ?? ''
  await ada.call(createProject, { body: { name: 'Another' } })
  const body = { name }
  await expect(ada.call(deleteProject, { params: params(), body })).rejects.toThrow('Cancel it before you delete')
  await call(contract.cancelSubscription)
  await ada.call(deleteProject, { params: params(), body })
})
