import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestClock } from '../../../tests/support/clock'
import { inviteMember } from '../../../tests/support/people'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { hasShared, readShared } from '../../../tests/support/shared'
import { sendPage } from '../../../tests/support/vendors/stripe/pages'
import { type SellingServer, startSellingServer } from '../../../tests/support/vendors/stripe/sellingServer'
import { Role } from '../../access/roles'
import * as contract from '../../contracts/subscription'
import { createJobs } from '../../platform/jobs/createJobs'
import { createRefresh } from './refresh'
import { createStripe } from './stripe/createStripe'
import { stateOf } from './stripe/readState'
import { entitledBy } from './subscriptionState'
import { readsSubscription, receiveEvent } from './webhooks'

const clock = createTestClock('2026-11-24T10:00:00Z')
let selling: SellingServer
let stripe: SellingServer['stripe']
let server: TestServer
let ada: Registered
let ben: Registered

beforeAll(async () => {
  selling = await startSellingServer({ clock, webhooks: false })
  stripe = selling.stripe
  server = selling.server
  ada = await server.register()
  ben = await server.register()
  for (const person of [ada, ben]) {
    const { url } = await person.call(contract.startCheckout, {
      ...{ params: { pgid: person.pgid }, body: { plan_id: 'business', interval: 'month' } },
    })
    await sendPage(url, { card: 'works' })
    await person.call(contract.refreshSubscription, { params: { pgid: person.pgid } })
  }
})
afterAll(() => selling.close())

let events = 0
const bodyFor = (customer: string) =>
  JSON.stringify({ id: `evt_${++events}`, type: 'customer.subscription.updated', data: { object: { customer } } })
/** What a header for a body would be, by Stripe's own library. */
const signed = (payload: string, secret = stripe.webhookSecret, ago = 0) =>
  Stripe.webhooks.generateTestHeaderString({
    ...{ payload, secret, timestamp: Math.floor(clock().getTime() / 1_000) - ago },
  })
async function tell(payload: string, header: string | undefined): Promise<number> {
  const headers = { 'content-type': 'application/json', ...(header !== undefined && { 'stripe-signature': header }) }
  return (await fetch(`${server.url}/api/billing/stripe`, { method: 'POST', headers, body: payload })).status
}
const customerOf = (person: Registered) => selling.customerOf(person)?.id ?? ''
const kept = () => server.context.db.selectFrom('stripe_events').select(['id', 'project_id']).orderBy('id').execute()

test('only what Stripe has signed in the last five minutes is kept, and each event once', async () => {
  const payload = bodyFor(customerOf(ada))
  expect(await tell(payload, undefined)).toBe(401)
  expect(await tell(payload, signed(payload, 'whsec_another'))).toBe(401)
  expect(await tell(`${payload} `, signed(payload))).toBe(401)
  expect(await tell(payload, signed(payload, stripe.webhookSecret, 301))).toBe(401)
  expect(await tell(payload, signed(payload).replace('v1=', 'v0='))).toBe(401)
  expect(await kept()).toEqual([])
  expect(await tell(payload, signed(payload, stripe.webhookSecret, 299))).toBe(200)
  // while one secret replaces another there is a signature by each
  const other = signed(payload, 'whsec_another').split(',')[1]
  expect(await tell(payload, `${signed(payload)},${other}`)).toBe(200)
  expect(await tell(payload, `${signed(payload).replace('v1=', `${other},v1=`)},v0=old`)).toBe(200)
  expect(await kept()).toHaveLength(1)
  expect(await tell('{"id":', signed('{"id":'))).toBe(400)
  expect(await tell('{}', signed('{}'))).toBe(422)
})

test('an event is of the project whose customer it names, and of no other; one of nobody’s is not kept', async () => {
  const before = (await kept()).length
  const payload = bodyFor(customerOf(ben))
  expect(await tell(payload, signed(payload))).toBe(200)
  const nobodys = bodyFor('cus_of_another_application')
  expect(await tell(nobodys, signed(nobodys))).toBe(200)
  const rows = await kept()
  expect(rows).toHaveLength(before + 1)
  const of = await server.context.db.selectFrom('projects').select('id').where('gid', '=', ben.pgid).executeTakeFirst()
  expect(rows.at(-1)?.project_id).toBe(of?.id)
})

test('of two readings at once, the one that was answered first does not undo the other', async () => {
  const { context } = server
  const client = await createStripe(context.config)()
  const { id } = await context.db
    .selectFrom('projects')
    .select('id')
    .where('gid', '=', ben.pgid)
    .executeTakeFirstOrThrow()
  const mine = stripe.state.subscriptions.find(({ customer }) => customer === selling.customerOf(ben))
  if (!mine) throw new Error('nothing was bought')
  let times = 0
  const late = {
    subscriptions: {
      async list(...asked: Parameters<typeof client.subscriptions.list>) {
        const answer = await client.subscriptions.list(...asked)
        // between its answer and what becomes of it, something happens, and another reads it
        if (++times === 1) {
          stripe.subscriptions.cancelAtEnd(mine, true)
          await createRefresh(context, async () => client)(id)
        }
        return answer
      },
    },
  }
  await createRefresh(context, async () => late as never)(id)
  const { subscription } = await ben.call(contract.readSubscription, { params: { pgid: ben.pgid } })
  expect(subscription?.cancel_at).not.toBeNull()
  expect(times).toBe(2)
  await ben.call(contract.resumeSubscription, { params: { pgid: ben.pgid } })
})

const plain = [
  contract.refreshSubscription,
  contract.openPortal,
  contract.keepSubscription,
  contract.cancelSubscription,
  contract.resumeSubscription,
]
const withBody = [
  [contract.startCheckout, { plan_id: 'growth', interval: 'month' }],
  [contract.previewChange, { plan_id: 'growth' }],
  [contract.changeSubscription, { plan_id: 'growth', at: 0, seen: '' }],
] as const

test('who looks after billing may pay; editors, analysts and viewers see and change nothing', async () => {
  for (const role of [Role.EDITOR, Role.ANALYST, Role.VIEWER]) {
    const member = await inviteMember(server, ada, role)
    const send = async (method: string, path: string, body?: object) =>
      (await member.send(method, path.replace(':pgid', ada.pgid), body)).status
    for (const { path } of plain) expect(await send('POST', path, {}), `${role} ${path}`).toBe(403)
    for (const [{ path }, body] of withBody) expect(await send('POST', path, body), `${role} ${path}`).toBe(403)
    for (const { path } of [contract.readSubscription, contract.listInvoices])
      expect(await send('GET', path), `${role} ${path}`).toBe(403)
  }
  const payer = await inviteMember(server, ada, Role.BILLING)
  const { subscription } = await payer.call(contract.cancelSubscription, { params: { pgid: ada.pgid } })
  expect(subscription?.cancel_at).not.toBeNull()
  await payer.call(contract.resumeSubscription, { params: { pgid: ada.pgid } })
})

test('a member of another project finds nothing, and changes nothing of it', async () => {
  const before = stripe.calls.length
  for (const { path } of plain)
    expect((await ben.send('POST', path.replace(':pgid', ada.pgid), {})).status, path).toBe(404)
  for (const [{ path }, body] of withBody)
    expect((await ben.send('POST', path.replace(':pgid', ada.pgid), body)).status, path).toBe(404)
  expect(stripe.calls.length).toBe(before)
  const { invoices } = await ben.call(contract.listInvoices, { params: { pgid: ben.pgid } })
  expect(invoices).toHaveLength(1)
})

test('who looks at invoices again and again is refused at last, and may still cancel and resume', async () => {
  const params = { pgid: ben.pgid }
  // other tests looked in the same minute, and this one begins another
  clock.pass(61)
  const looks = () => ben.call(contract.listInvoices, { params })
  for (let times = 0; times < 60; times++) await looks()
  await expect(looks()).rejects.toThrow('too many requests')
  await expect(ben.call(contract.previewChange, { params, body: { plan_id: 'growth' } })).rejects.toThrow('too many')
  await ben.call(contract.cancelSubscription, { params })
  await ben.call(contract.resumeSubscription, { params })
})

test('without a key nobody is sold anything, and nothing is believed', async () => {
  const closed = await startTestServer({ config: { billing: true } })
  try {
    const owner = await closed.register()
    const params = { pgid: owner.pgid }
    expect(await owner.call(contract.readSubscription, { params })).toMatchObject({ sells: false, subscription: null })
    await expect(
      owner.call(contract.startCheckout, { params, body: { plan_id: 'growth', interval: 'month' } }),
    ).rejects.toThrow('Nobody can pay here')
    const payload = bodyFor('cus_1')
    const headers = { 'content-type': 'application/json', 'stripe-signature': signed(payload, '') }
    const { status } = await fetch(`${closed.url}/api/billing/stripe`, { method: 'POST', headers, body: payload })
    expect(status).toBe(401)
  } finally {
    await closed.close()
  }
})

test.skipIf(!hasShared('contracts'))(
  'Stripe’s own examples of a subscription are read, and give nothing that is not ours',
  () => {
    const { resources } = JSON.parse(readShared('contracts/stripe/fixtures.json'))
    const subscription = resources.subscription as Stripe.Subscription
    const statuses = [
      'active',
      'trialing',
      'past_due',
      'canceled',
      'unpaid',
      'paused',
      'incomplete',
      'new_to_us',
    ] as const
    for (const status of statuses) {
      const state = stateOf({ ...subscription, status: status as 'active' })
      expect(state).toMatchObject({
        status,
        plan_id: 'free',
        addons: {},
        cents: 2_000,
        currency: 'usd',
        scheduled: null,
      })
      expect(entitledBy(state, new Date())).toEqual({ plan_id: 'free', addons: {} })
    }
    const schedule = { ...resources.subscription_schedule, status: 'active' }
    const invoice = { ...resources.invoice, status: 'open' }
    const expanded = { ...subscription, status: 'past_due' as const, schedule, latest_invoice: invoice }
    expect(stateOf(expanded)).toMatchObject({ scheduled: null, failing_since: '2009-02-13T23:31:30.000Z' })
  },
)

test('an event that comes while another is worked on is worked on after it, not beside it', async () => {
  const { context } = server
  await context.jobs.runDue()
  // the server's own process would take the job now and then: it takes none any more, so this is the last test
  await context.jobs.close()
  const event = () => JSON.parse(bodyFor(customerOf(ada)))
  let atOnce = 0
  let times = 0
  const aProcess = () => {
    const jobs = createJobs(context)
    const reads = readsSubscription(
      context,
      async () => {
        // beside each other both would mail
        expect(++atOnce).toBe(1)
        if (++times === 1) {
          await receiveEvent(context, event())
          expect(await aProcess().runDue()).toBe(0)
        }
        atOnce--
        return null
      },
      async () => undefined,
    )
    jobs.handle(reads)
    return jobs
  }
  await receiveEvent(context, event())
  expect(await aProcess().runDue()).toBe(2)
  const waiting = await context.db.selectFrom('stripe_events').select('id').where('handled_at', 'is', null).execute()
  expect(waiting).toEqual([])
})
