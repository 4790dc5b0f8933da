import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Json } from '../../../engine/values/json'
import { createTestClock } from '../../../tests/support/clock'
import { callContext } from '../../../tests/support/effects'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { startCalendly } from '../../../tests/support/vendors/calendly/startCalendly'
import { consent } from '../../../tests/support/vendors/consent'
import {
  beginConnection,
  checkConnection,
  disconnect,
  finishConnection,
  listChoices,
  listVendorConnections,
} from '../../contracts/integrations'
import { parseConfig } from '../../platform/config/config'
import { createIntegrations, type Integrations } from './createIntegrations'

/** A Friday after work: only next week has free times. */
const clock = createTestClock('2026-11-27T17:00:00Z')
const MONDAY = '2026-11-30T09:00:00.000Z'
let calendly: Awaited<ReturnType<typeof startCalendly>>
let server: TestServer
let ada: Registered
let parts: Integrations
let connection: string
let projectId: string
let eventType: string
let calls = 0

beforeAll(async () => {
  calendly = await startCalendly({ clock })
  const { vendors } = parseConfig({
    CALENDLY_CLIENT_ID: calendly.client.id,
    CALENDLY_CLIENT_SECRET: calendly.client.secret,
    CALENDLY_SIGNING_KEY: calendly.state.signingKey,
    CALENDLY_AUTH_URL: calendly.origin,
    CALENDLY_API_URL: calendly.origin,
  })
  server = await startTestServer({ config: { vendors }, clock })
  server.context.config.publicUrl = server.url
  ada = await server.register()
  parts = createIntegrations(server.context, { wait: async (ms) => clock.pass(ms / 1_000) })
  connection = await connect()
  const project = server.context.db.selectFrom('projects').select('id').where('gid', '=', ada.pgid)
  projectId = (await project.executeTakeFirstOrThrow()).id
  eventType = (await eventTypes()).choices[0]?.id ?? ''
})
afterAll(async () => {
  await server.close()
  await calendly.close()
})
beforeEach(() => {
  calendly.faults.clear()
  calendly.state.bookings.length = 0
  clock.pass(61)
})

async function connect(): Promise<string> {
  const body = { vendor: 'calendly', return_to: '' } as const
  const { url } = await ada.call(beginConnection, { params: { pgid: ada.pgid }, body })
  const { searchParams } = await consent(url)
  const [state = '', code = ''] = ['state', 'code'].map((name) => searchParams.get(name) ?? '')
  const answer = await ada.call(finishConnection, { body: { vendor: 'calendly', state, code } })
  expect(answer.problem).toBe(null)
  return answer.connection?.gid ?? ''
}
const eventTypes = () =>
  ada.call(listChoices, {
    params: { pgid: ada.pgid, gid: connection },
    body: { list: 'event-types', within: [], search: '', reload: true },
  })

type Writes = 'real' | 'simulated'
const call = (more: object, key = `call-${++calls}`, writes: Writes = 'real'): Promise<Json> =>
  parts.bookings.answer({ connection, eventType, timeZone: 'Europe/Berlin', language: 'en', ...more } as Json, {
    ...callContext({ project: { id: projectId }, idempotencyKey: key, writes }),
    conversation: null,
  })
const times = (more: object = {}) => call({ action: 'times', from: null, most: 3, ...more })
const booking = { action: 'book', start: MONDAY, name: 'Eve', email: 'eve@b.co', phone: '' }
const book = (more: object = {}, key?: string, writes?: Writes) => call({ ...booking, ...more }, key, writes)
const booked = () => calendly.state.bookings.filter(({ canceled }) => canceled === null)

test('connects, names the account, sees whether it works, and lists what can be booked', async () => {
  const { connections } = await ada.call(listVendorConnections, { params: { pgid: ada.pgid } })
  expect(connections).toMatchObject([{ vendor: 'calendly', account: 'ada@example.com', problem: null }])
  const checked = await ada.call(checkConnection, { params: { pgid: ada.pgid, gid: connection } })
  expect(checked.connection.problem).toBe(null)
  expect((await eventTypes()).choices).toMatchObject([{ label: 'First call (30 min)' }])
  expect(calendly.broken).toEqual([])
})

test('what Calendly tells of bookings is believed by the key of the installation’s app', async () => {
  await server.app.modules.consumers.runDue()
  await server.context.jobs.runDue()
  expect(await book()).toMatchObject({ ok: true })
  calendly.fail({ on: 'webhook *', with: 'wrongSignature' })
  expect(await book({ start: '2026-11-30T09:30:00.000Z' })).toMatchObject({ ok: true })
  await calendly.webhooks.settle()
  expect(calendly.webhooks.deliveries.map(({ status }) => status)).toEqual([200, 401])
})

test('without that key nothing is subscribed to, and who runs the installation is told which one', async () => {
  const { vendors } = server.context.config
  const config = {
    ...server.context.config,
    vendors: { ...vendors, calendly: { ...vendors.calendly, signingKey: null } },
  }
  const { hooks } = createIntegrations({ ...server.context, config })
  const row = await server.context.db
    .selectFrom('connections')
    .selectAll()
    .where('gid', '=', connection)
    .executeTakeFirstOrThrow()
  await hooks.keep(row)
  expect(await hooks.problemOf(row)).toContain('CALENDLY_SIGNING_KEY')
  expect(await offer()).toMatchObject({ note: expect.stringContaining('CALENDLY_SIGNING_KEY') })
  await parts.hooks.keep(row)
  expect(await offer()).not.toHaveProperty('note')
  expect(calendly.broken).toEqual([])
})

test('a list that can’t be asked for is the one that was last seen', async () => {
  calendly.fail({ on: 'GET *event_types', with: 'html', times: 10 })
  expect(await eventTypes()).toMatchObject({ choices: [{ id: eventType }], problem: expect.any(String) })
})

test('what is no answer of Calendly’s is said to be so: in a form’s list and in calls', async () => {
  // longer than any address that is taken
  const odd = calendly.addEventType({ name: 'Odd', uuid: 'x'.repeat(600) })
  const unreadable = expect.stringContaining('can’t be read')
  expect(await eventTypes()).toMatchObject({ choices: [{ id: eventType }], problem: unreadable })
  calendly.state.eventTypes.splice(calendly.state.eventTypes.indexOf(odd), 1)
  calendly.fail({ on: 'GET *available_times', with: 'halfJson', times: 10 })
  expect(await times()).toMatchObject({ ok: false, error: unreadable })
  calendly.fail({ on: 'POST *scheduling_links', with: 'html', times: 10 })
  expect(await offer()).toMatchObject({ ok: false, error: unreadable })
})

test('offers the times of the next free day in the visitor’s time zone, then later ones, then those of another day', async () => {
  const first = (await times()) as { more: string; nextDay: string }
  expect(first).toMatchObject({
    ok: true,
    times: [{ start: MONDAY, label: 'Mon, Nov 30, 10:00 AM' }, {}, { start: '2026-11-30T10:00:00.000Z' }],
    more: '2026-11-30T10:30:00.000Z',
    nextDay: '2026-12-01T09:00:00.000Z',
  })
  expect(await times({ from: first.more })).toMatchObject({ times: [{ start: first.more }, {}, {}] })
  expect(await times({ from: first.nextDay, language: 'de' })).toMatchObject({
    times: [{ start: first.nextDay, label: expect.stringContaining('Di') }, {}, {}],
  })
  expect(await times({ timeZone: 'Nowhere/Else' })).toMatchObject({
    ok: false,
    error: expect.stringContaining('“Nowhere/Else” is no time zone'),
  })
  expect(calendly.broken).toEqual([])
})

test('without free times within four weeks there are none', async () => {
  calendly.state.eventTypes.push({
    uuid: 'LONG',
    name: 'Long',
    slug: 'long',
    minutes: 600,
    active: true,
    questions: [],
  })
  expect(await times({ eventType: eventType.replace(/[^/]+$/, 'LONG') })).toEqual({ ok: false, error: 'not-found' })
})

test('books, and answers with the links to reschedule and to cancel; the same call again books nothing', async () => {
  const answer = await book({ phone: '+49 30 123' }, 'same')
  expect(answer).toEqual({
    ok: true,
    booking: {
      start: MONDAY,
      label: 'Mon, Nov 30, 10:00 AM',
      cancelUrl: expect.stringContaining('/cancellations/'),
      rescheduleUrl: expect.stringContaining('/reschedulings/'),
    },
  })
  expect(await book({ phone: '+49 30 123' }, 'same')).toEqual(answer)
  expect(booked()).toMatchObject([{ invitee: { name: 'Eve', email: 'eve@b.co', timezone: 'Europe/Berlin' } }])
  expect(calendly.broken).toEqual([])
})

test.each(['cutAfterWrite', 'serverErrorAfterWrite', 'halfJson', 'cutBeforeWrite'] as const)(
  'books once when the answer is lost: %s',
  async (fault) => {
    calendly.fail({ on: 'POST *invitees', with: fault })
    expect(await book()).toMatchObject({ ok: true, booking: { start: MONDAY } })
    expect(booked()).toHaveLength(1)
  },
)

test('books once when the booking can be looked for only after it was tried again', async () => {
  calendly.fail({ on: 'POST *invitees', with: 'cutAfterWrite' })
  calendly.fail({ on: 'GET *scheduled_events', with: 'serverError', times: 3 })
  const key = 'crashed'
  await book({}, key)
  expect(await book({}, key)).toMatchObject({ ok: true })
  expect(booked()).toHaveLength(1)
})

test.each([
  ['in so many seconds', () => 40],
  ['at a time', () => Math.ceil(clock().getTime() / 1_000) + 40],
])('waits as long as Calendly says by X-RateLimit-Reset: %s', async (_, reset) => {
  calendly.fail({ on: 'POST /invitees', with: 'tooMany', retryAfter: reset() })
  const from = clock().getTime()
  expect(await book()).toMatchObject({ ok: true })
  const waited = clock().getTime() - from
  expect(waited >= 40_000 && waited <= 41_000, String(waited)).toBe(true)
})

test('a time that somebody else took is told apart from a failure, and is offered no more', async () => {
  expect(await book({ email: 'first@b.co' })).toMatchObject({ ok: true })
  expect(await book()).toEqual({ ok: false, error: 'taken' })
  expect(booked()).toMatchObject([{ invitee: { email: 'first@b.co' } }])
  expect(await times({ from: MONDAY })).toMatchObject({ times: [{ start: '2026-11-30T09:30:00.000Z' }, {}, {}] })
})

test('a preview books nothing and says what it would book', async () => {
  expect(await book({}, undefined, 'simulated')).toMatchObject({
    ok: true,
    testEffects: [{ type: 'record', of: 'booking', carriedOut: false, fields: { start: MONDAY, email: 'eve@b.co' } }],
  })
  expect(booked()).toEqual([])
})

test('refuses who can’t be written to, before anything is asked of Calendly', async () => {
  expect(await book({ email: 'nobody' })).toMatchObject({ ok: false, error: expect.stringContaining('valid email') })
  expect(await book({ name: ' ' })).toMatchObject({
    ok: false,
    error: expect.stringContaining('Enter the name of who books'),
  })
  expect(await book({ phone: '1'.repeat(36) })).toMatchObject({ ok: false })
  expect(booked()).toEqual([])
})

test.each([
  ['html', 'can’t be read'],
  ['forbidden', 'may not do this'],
] as const)('says what is wrong at %s', async (fault, text) => {
  calendly.fail({ on: 'GET *available_times', with: fault, times: 10 })
  expect(await times()).toMatchObject({ ok: false, error: expect.stringContaining(text) })
})

const offer = (more: object = {}, key?: string, writes?: Writes) =>
  call({ action: 'link', name: 'Eve', email: 'eve@b.co', day: null, ...more }, key, writes)
const find = (event: string) => call({ action: 'find', event })
type Offered = { link: { url: string; event: string } }

test('a link for one booking carries who books, the day and a mark; the same call again has the same link', async () => {
  calendly.state.links.clear()
  const { link } = (await offer({ day: MONDAY }, 'link')) as Offered
  expect(Object.fromEntries(new URL(link.url).searchParams)).toEqual({
    ...{ name: 'Eve', email: 'eve@b.co', month: '2026-11', date: '2026-11-30' },
    ...{ utm_source: 'parley', utm_content: link.event },
  })
  expect(await offer({ day: MONDAY }, 'link')).toMatchObject({ link })
  expect(calendly.state.links.size).toBe(1)
  expect(calendly.broken).toEqual([])
})

test('who has booked by a link is found by its mark, and nobody else is', async () => {
  const { link } = (await offer()) as Offered
  expect(await find(link.event)).toEqual({ ok: false, error: 'not-found' })
  const [type] = calendly.state.eventTypes
  if (!type) throw new Error('There is no event type.')
  const invitee = { name: 'Eve', email: 'another@b.co', timezone: 'Etc/UTC' }
  calendly.bookings.book({ eventType: type, start: new Date('2026-11-30T09:30:00Z'), invitee })
  expect(await find(link.event)).toEqual({ ok: false, error: 'not-found' })
  const tracking = { utm_content: link.event }
  calendly.bookings.book({ eventType: type, start: new Date(MONDAY), invitee: { ...invitee, tracking } })
  expect(await find(link.event)).toMatchObject({ ok: true, booking: { start: MONDAY, label: 'Mon, Nov 30, 10:00 AM' } })
  expect(await find('b123456789012345')).toEqual({ ok: false, error: 'not-found' })
  expect(calendly.broken).toEqual([])
})

test('what only Calendly’s own page books is said to be so, before a time is chosen where that is known', async () => {
  const asks = calendly.addEventType({ name: 'Asks', questions: [{ name: 'Topic', required: true }] })
  const own = { eventType: eventType.replace(/[^/]+$/, asks.uuid) }
  expect(await times(own)).toEqual({ ok: false, error: 'link' })
  expect(await book(own)).toEqual({ ok: false, error: 'link' })
  calendly.state.plan = 'free'
  expect(await book()).toEqual({ ok: false, error: 'link' })
  calendly.state.plan = 'paid'
  expect(booked()).toEqual([])
  expect(calendly.broken).toEqual([])
})

test('a preview leads to the page that anybody may open, and makes no link', async () => {
  const links = calendly.state.links.size
  const { link } = (await offer({}, undefined, 'simulated')) as Offered
  expect(link.url).toBe(`${calendly.origin}/ada/first-call`)
  expect(await call({ action: 'find', event: link.event }, undefined, 'simulated')).toMatchObject({
    ok: true,
    testEffects: [{ carriedOut: false, of: 'booking' }],
  })
  expect(calendly.state.links.size).toBe(links)
})

test('an event type that was deleted is named', async () => {
  const error = expect.stringContaining('The event type was not found')
  const gone = { eventType: eventType.replace(/[^/]+$/, 'GONE') }
  expect(await times(gone)).toMatchObject({ ok: false, error })
  expect(await book(gone)).toMatchObject({ ok: false, error })
  expect(await offer(gone)).toMatchObject({ ok: false, error })
})

test('renews a token once it ends, and says so when it was revoked; what was disconnected is gone', async () => {
  clock.pass(7_300)
  expect(await times()).toMatchObject({ ok: true })
  for (const grant of calendly.state.grants.all) calendly.state.grants.revoke(grant)
  expect(await times()).toMatchObject({ ok: false, error: expect.stringContaining('Connect it again') })
  await ada.call(disconnect, { params: { pgid: ada.pgid, gid: connection }, body: { confirmed: true } })
  expect(await times()).toMatchObject({ ok: false, error: expect.stringContaining('no longer exists') })
  expect(calendly.broken).toEqual([])
})
