import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestClock } from '../../../tests/support/clock'
import { makeChatbot } from '../../../tests/support/collab'
import type { Registered, TestServer } from '../../../tests/support/server'
import { sendPage } from '../../../tests/support/vendors/stripe/pages'
import { type SellingServer, startSellingServer } from '../../../tests/support/vendors/stripe/sellingServer'
import { entitlementsOf } from '../../access/entitlements'
import { creditsFor } from '../../access/offers'
import { planOf } from '../../access/plans'
import { dueOf, type Subscription } from '../../sandbox/stripe/state'
import { releaseReservations, reserveCredits, settleCredits, usedMessageCredits } from '../billing/credits'
import { createChanges } from './changeSubscription'
import { createPages } from './checkout'
import { createOverage } from './overage'
import { createRefresh } from './refresh'
import { createStripe } from './stripe/createStripe'
import { GRACE_DAYS } from './subscriptionState'

const clock = createTestClock('2026-11-24T10:00:00Z')
const DAY = 86_400
const RUNS = process.env.FULL ? 60 : 4
let selling: SellingServer
let stripe: SellingServer['stripe']
let server: TestServer

beforeAll(async () => {
  selling = await startSellingServer({ clock })
  stripe = selling.stripe
  server = selling.server
})
afterAll(() => selling.close())

const plan = fc.constantFrom('starter', 'growth', 'business')
const interval = fc.constantFrom('month', 'year')
const act = fc.oneof(
  fc.record({ do: fc.constant('change'), plan_id: plan, interval }),
  fc.record({ do: fc.constant('addon'), id: fc.constantFrom(1, 3, 5), quantity: fc.integer({ min: 0, max: 4 }) }),
  fc.record({ do: fc.constantFrom('subscribe', 'cancel', 'resume', 'keep', 'pay', 'portal') }),
  fc.record({
    ...{ do: fc.constant('refund'), percent: fc.integer({ min: 1, max: 100 }) },
    to: fc.constantFrom('card', 'balance'),
  }),
  fc.record({ do: fc.constant('card'), card: fc.constantFrom('works', 'works', 'fails_later', 'authentication') }),
  fc.record({ do: fc.constant('pass'), days: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ do: fc.constant('answer'), amount: fc.integer({ min: 1, max: 1_500 }) }),
  fc.record({ do: fc.constant('allow'), cents: fc.constantFrom(null, 300, 4_000) }),
  fc.record({ do: fc.constant('report') }),
  fc.record({ do: fc.constant('fault'), with: fc.constantFrom('twice', 'outOfOrder', 'lost') }),
)
type Act = typeof act extends fc.Arbitrary<infer One> ? One : never

/** What a project may do by what Stripe has, worked out from the stand-in's own objects and nothing of the module's. */
function owed(subscription: Subscription | undefined) {
  const free = { plan_id: 'free', addons: {} as Record<string, number> }
  if (!subscription) return free
  const { status, items, latestInvoice } = subscription
  const isInGrace =
    status === 'past_due' &&
    clock().getTime() / 1_000 < failingSince(subscription, latestInvoice?.created ?? 0) + GRACE_DAYS * DAY
  if (status !== 'active' && !isInGrace) return free
  const of = (kind: string) => items.filter(({ price }) => price.metadata.parley_kind === kind)
  const addons = Object.fromEntries(of('addon').map(({ price, quantity }) => [price.metadata.parley_id, quantity]))
  return { plan_id: of('plan')[0]?.price.metadata.parley_id ?? 'free', addons }
}

/** The first of the invoices that have failed in a row. */
function failingSince(subscription: Subscription, last: number): number {
  const mine = stripe.state.invoices.filter(
    (invoice) => invoice.subscription === subscription && invoice.status === 'open',
  )
  return Math.min(last, ...mine.filter(({ reason }) => reason === 'subscription_cycle').map(({ created }) => created))
}

test('whatever is bought, fails, is told twice or not at all: plan, limits and ledger agree with what is paid for', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 14 }), async (acts) => {
      const owner = await server.register()
      const course = await createCourse(owner)
      await course.run({ do: 'subscribe' })
      await course.check()
      for (const one of acts) {
        await course.run(one)
        await course.check()
      }
      stripe.faults.clear()
      expect(stripe.broken).toEqual([])
    }),
    { numRuns: RUNS, seed: 19, endOnFailure: true },
  )
  // sixty of them on a busy machine
}, 900_000)

/** One project's history, with the commands that routes call, so that no session ends while time goes by. */
async function createCourse(owner: Registered) {
  const { context } = server
  const row = await context.db
    .selectFrom('projects')
    .select(['id', 'gid', 'name'])
    .where('gid', '=', owner.pgid)
    .executeTakeFirstOrThrow()
  const db = context.db.forProject(row.id)
  const source = createStripe(context.config)
  const refresh = createRefresh(context, source)
  const overage = createOverage(context, source, refresh)
  const changes = createChanges(source, refresh, overage)
  const pages = createPages(context, source, refresh)
  let cap: number | null = null
  const payer = { db, project: row, user: { email: owner.user.email } }
  const customer = () => selling.customerOf(owner)
  const mine = () => stripe.state.subscriptions.filter((one) => one.customer === customer())
  const current = () => mine().find(({ status }) => status !== 'canceled') ?? mine().at(-1)
  const { cgid } = await makeChatbot(owner)
  const { id: chatbotId } = await db
    .selectFrom('chatbots')
    .select('id')
    .where('gid', '=', cgid)
    .executeTakeFirstOrThrow()
  let answers = 0
  let spent = 0

  async function change(body: Parameters<typeof changes.preview>[1]) {
    const { at, seen, due } = await changes.preview(row.id, body, Math.floor(clock().getTime() / 1_000))
    const before = stripe.state.invoices.length
    await changes.change(row.id, body, { at, seen })
    const [invoice] = stripe.state.invoices.slice(before)
    const total = invoice?.lines.reduce((sum, { amount }) => sum + amount, 0) ?? 0
    // what was shown is what is charged
    if (invoice) expect(Math.max(0, total + invoice.balanceBefore)).toBe(due)
    else expect(due).toBe(0)
  }

  const carryOut: Record<string, (one: Act & Record<string, unknown>) => Promise<unknown>> = {
    subscribe: async () =>
      sendPage(await pages.checkout(payer, { plan_id: 'starter', interval: 'month', addons: {} }), { card: 'works' }),
    change: ({ plan_id, interval: period }) => change({ plan_id: plan_id as string, interval: period as 'month' }),
    addon: ({ id, quantity }) => change({ addons: { [String(id)]: Number(quantity) } }),
    cancel: () => changes.cancel(row.id, true),
    resume: () => changes.cancel(row.id, false),
    keep: () => changes.keep(row.id),
    portal: async () => sendPage(await pages.portal(payer), { do: 'cancel' }),
    async pay() {
      const open = stripe.state.invoices.filter((one) => one.customer === customer() && one.status === 'open')
      for (const invoice of open) stripe.subscriptions.pay(invoice, true)
    },
    // by who runs the account at Stripe: money goes back, and what is paid for stays
    async refund({ percent, to }) {
      const paid = stripe.state.invoices.filter((one) => one.customer === customer() && one.status === 'paid')
      const invoice = paid.at(-1)
      const left = invoice ? dueOf(invoice) - invoice.refunded : 0
      if (invoice) stripe.subscriptions.refund(invoice, Math.ceil((left * Number(percent)) / 100), to as 'card')
    },
    async card({ card }) {
      const found = customer()
      if (found) found.card = card as 'works'
    },
    async pass({ days }) {
      clock.pass(Number(days) * DAY)
      stripe.pass(0)
    },
    async answer({ amount }) {
      const answer = { projectId: row.id, key: `answer-${++answers}`, amount: Number(amount), at: clock() }
      const taken = await reserveCredits(db, { ...answer, chatbotId, visitor: 'grace' })
      if (!taken.ok) return
      await settleCredits(db, answer)
      spent += answer.amount
    },
    async allow({ cents }) {
      await overage.allow({ db, project: row } as never, cents as number | null)
      cap = cents as number | null
    },
    report: () => overage.report(),
    async fault(one) {
      stripe.fail({ on: 'webhook *', with: one.with as 'twice' })
    },
  }

  return {
    async run(one: Act | { do: 'subscribe' }) {
      // what is not possible is refused, and changes nothing
      await carryOut[one.do]?.(one as never).catch((error: { code?: string }) => {
        if (!REFUSALS.has(error.code ?? '')) throw error
      })
    },
    async check() {
      await stripe.webhooks.settle()
      // the daily look finds what was lost
      await refresh(row.id)
      await context.jobs.runDue()
      await releaseReservations(context.db, clock())
      const project = await db.selectFrom('projects').select(['plan_id', 'addons']).executeTakeFirstOrThrow()
      const right = owed(current())
      expect(project).toEqual(right)
      const { limits } = entitlementsOf(project)
      expect(limits.ai_message_credits).toBe(
        planOf(right.plan_id).limits.ai_message_credits + 1_000 * (right.addons[1] ?? 0),
      )
      const uses = await db.selectFrom('credit_uses').select('amount').execute()
      expect(uses.reduce((sum, { amount }) => sum + Number(amount), 0)).toBe(spent)
      const months = await db.selectFrom('credit_months').selectAll().execute()
      expect(months.reduce((sum, { used }) => sum + Number(used), 0)).toBe(spent)
      // what is beyond the plan is allowed, paid, reported once, and charged at most once
      const now = current()
      const isCounted = now?.items.some(({ price }) => price.meter !== null) ?? false
      const isMonthly = now?.items[0]?.price.interval === 'month'
      const { overage_credits } = await db.selectFrom('projects').select('overage_credits').executeTakeFirstOrThrow()
      const allowed = cap !== null && isCounted && isMonthly && now?.status === 'active'
      expect(overage_credits).toBe(allowed ? creditsFor(cap ?? 0) : 0)
      const reported = months.reduce((sum, each) => sum + each.overage_reported, 0)
      const events = stripe.state.meterEvents.filter((event) => event.customer === customer())
      expect(events.reduce((sum, { value }) => sum + value, 0)).toBe(reported)
      for (const each of months) expect(each.overage_reported).toBeLessThanOrEqual(Number(each.overage))
      const charged = stripe.state.invoices
        .filter((one) => one.customer === customer())
        .flatMap(({ lines }) => lines.filter(({ price }) => price.meter !== null))
      const billed = events.filter(({ isBilled }) => isBilled)
      expect(charged.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(
        billed.reduce((sum, { value }) => sum + value, 0),
      )
      const { month } = await usedMessageCredits(db, row.id, clock())
      expect(month).toBeLessThanOrEqual(spent)
    },
  }
}

const REFUSALS = new Set([
  ...['no_subscription', 'subscribed_already', 'subscription_ends', 'change_planned', 'conflict', 'card_refused'],
])
