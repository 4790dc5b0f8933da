import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CalendlyStandIn } from '../../../../server/sandbox/calendly/calendly'
import { createTestClock, type TestClock } from '../../clock'
import { type OutsideServer, startOutsideServer } from '../../outsideServer'
import { authorizeUrl } from '../authorize'
import { consent } from '../consent'
import { hasContracts } from '../contract'
import { createVendorCaller, sendForm } from '../vendorCaller'
import { calendlyContract, startCalendly } from './startCalendly'

let clock: TestClock
let calendly: CalendlyStandIn
let token: string
let product: OutsideServer
/** what the product answers to webhooks */
let answers: number

beforeEach(async () => {
  // a Thursday
  clock = createTestClock('2026-01-01T08:00:00Z')
  answers = 200
  product = await startOutsideServer((_request, response) => response.writeHead(answers).end())
  calendly = await startCalendly({ clock })
  token = calendly.issue().accessToken ?? ''
})
afterEach(async () => {
  const { broken } = calendly
  await calendly.close()
  product.close()
  expect(broken).toEqual([])
})

const call = createVendorCaller(
  () => calendly,
  () => token,
)
const at = (path: string) => `${calendly.origin}${path}`
const organization = () => at('/organizations/ORG0000000000001')
const eventType = () => at(`/event_types/${calendly.state.eventTypes[0]?.uuid}`)
const invitee = { name: 'Ben', email: 'ben@example.com', timezone: 'Europe/Berlin' }
const book = (start_time: string, more: object = {}) =>
  call('POST', '/invitees', { body: { event_type: eventType(), start_time, invitee, ...more } })
const subscribe = (events: string[], more: object = {}) => {
  const body = { url: `${product.url}/hook`, events, organization: organization(), scope: 'organization', ...more }
  return call('POST', '/webhook_subscriptions', { body })
}
const told = () => product.received.map(({ body }) => JSON.parse(body))

test('a person allows an application, which tells who it is by HTTP Basic; a refresh token is used once', async () => {
  const { id: client_id, secret } = calendly.client
  const redirect_uri = 'http://localhost:9/oauth/calendly/callback'
  const asked = { client_id, redirect_uri, scope: 'users:read webhooks:write', state: 'a-state' }
  const { url, verifier } = authorizeUrl(at('/oauth/authorize'), asked)
  expect(await (await fetch(url)).text()).toContain('This is not Calendly.')
  const code = (await consent(url)).searchParams.get('code') ?? ''
  const basic = { authorization: `Basic ${Buffer.from(`${client_id}:${secret}`).toString('base64')}` }
  const exchange = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier }
  const given = (await sendForm(at('/oauth/token'), exchange, basic)).body
  expect(given).toMatchObject({ expires_in: 7_200, organization: organization(), owner: at('/users/ADA0000000000001') })
  const refresh = (refresh_token: string) =>
    sendForm(at('/oauth/token'), { grant_type: 'refresh_token', refresh_token }, basic)
  const next = (await refresh(given.refresh_token)).body
  expect(await refresh(given.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  token = next.access_token
  expect((await call('GET', '/users/me')).body.resource).toMatchObject({
    email: 'ada@example.com',
    timezone: 'Etc/UTC',
  })
  expect((await call('GET', '/event_types', { query: { user: given.owner } })).body.title).toBe('Permission Denied')
  await sendForm(at('/oauth/revoke'), { token: next.refresh_token, client_id, client_secret: secret })
  expect((await call('GET', '/users/me')).body.title).toBe('Unauthenticated')
})

test('kinds of events and their free times are told, without what is booked', async () => {
  calendly.addEventType({ name: 'Old', active: false })
  const user = at('/users/ADA0000000000001')
  const listed = await call('GET', '/event_types', { query: { user, active: 'true' } })
  expect(listed.body.collection.map(({ name }: { name: string }) => name)).toEqual(['First call'])
  expect((await call('GET', new URL(eventType()).pathname)).body.resource.duration).toBe(30)
  const times = async (start_time: string, end_time: string) =>
    (await call('GET', '/event_type_available_times', { query: { event_type: eventType(), start_time, end_time } }))
      .body
  const day = await times('2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z')
  expect(day.collection).toHaveLength(16)
  await book('2026-01-02T09:00:00Z')
  const left = await times('2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z')
  expect(left.collection[0].start_time).toBe('2026-01-02T09:30:00.000Z')
  expect((await times('2026-01-03T00:00:00Z', '2026-01-05T00:00:00Z')).collection).toEqual([])
  expect((await times('2025-12-31T00:00:00Z', '2026-01-03T00:00:00Z')).details[0].parameter).toBe('start_time')
  expect((await times('2026-01-02T00:00:00Z', '2026-01-10T00:00:00Z')).details[0].parameter).toBe('end_time')
})

test('a booking is made, read and cancelled; a time that is taken is refused', async () => {
  const made = await book('2026-01-02T10:00:00Z', { tracking: { utm_content: 'conversation-1' } })
  expect(made).toMatchObject({
    status: 201,
    body: { resource: { status: 'active', tracking: { utm_content: 'conversation-1' } } },
  })
  const { uri, event } = made.body.resource
  expect((await book('2026-01-02T10:00:00Z')).body.details[0].message).toBe('is not available')
  expect((await call('GET', new URL(uri).pathname)).body.resource.email).toBe('ben@example.com')
  const path = new URL(event).pathname
  expect((await call('GET', path)).body.resource.end_time).toBe('2026-01-02T10:30:00.000Z')
  const query = { organization: organization(), invitee_email: 'BEN@example.com', status: 'active' }
  expect((await call('GET', '/scheduled_events', { query })).body.pagination.count).toBe(1)
  expect((await call('GET', `${path}/invitees`, { query: { count: '100' } })).body.collection).toHaveLength(1)
  expect((await call('POST', `${path}/cancellation`, { body: { reason: 'Ill' } })).body.resource.reason).toBe('Ill')
  expect((await call('POST', `${path}/cancellation`, { body: {} })).status).toBe(403)
  expect((await call('GET', path)).body.resource.status).toBe('canceled')
  expect((await call('GET', '/scheduled_events/none')).body.title).toBe('Resource Not Found')
})

test('a link is good for one booking, in which what the application put in comes back', async () => {
  const body = { max_event_count: 1, owner: eventType(), owner_type: 'EventType' }
  const { booking_url } = (await call('POST', '/scheduling_links', { body })).body.resource
  const url = `${booking_url}?name=Ben&email=ben@example.com&utm_content=conversation-1`
  const shown = await (await fetch(url)).text()
  expect(shown).toContain('value="ben@example.com"')
  const start = /<option value="([^"]+)"/.exec(shown)?.[1] ?? ''
  const send = (form: Record<string, string>) => fetch(url, { method: 'POST', body: new URLSearchParams(form) })
  const wrong = await send({ start, name: 'Ben', email: 'ben' })
  expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('“ben” is no email address')])
  expect(await (await send({ start, name: 'Ben', email: 'ben@example.com' })).text()).toContain('You are booked')
  expect(calendly.state.bookings[0]?.invitee.tracking.utm_content).toBe('conversation-1')
  expect((await fetch(url)).status).toBe(404)
})

test('a person moves and cancels a booking on its pages; a move is told as two events', async () => {
  await subscribe(['invitee.created', 'invitee.canceled'])
  const { cancel_url, reschedule_url, uri } = (await book('2026-01-02T10:00:00Z')).body.resource
  const send = (url: string, form: Record<string, string>) =>
    fetch(url, { method: 'POST', body: new URLSearchParams(form) })
  expect(await (await fetch(reschedule_url)).text()).toContain('Move the booking')
  expect((await send(reschedule_url, { start: '2026-01-03T10:00:00Z' })).status).toBe(400)
  await send(reschedule_url, { start: '2026-01-02T11:00:00.000Z' })
  expect(await (await fetch(cancel_url)).text()).toContain('The booking is cancelled')
  await calendly.webhooks.settle()
  expect(told().map(({ event, payload }) => [event, payload.rescheduled, payload.old_invitee])).toEqual([
    ['invitee.created', false, null],
    ['invitee.canceled', true, null],
    ['invitee.created', false, uri],
  ])
  const { payload } = told()[2]
  expect(await (await fetch(payload.cancel_url)).text()).toContain('Cancel the booking?')
  await send(payload.cancel_url, { reason: 'No time' })
  await calendly.webhooks.settle()
  expect(told()[3].payload.cancellation).toMatchObject({ canceler_type: 'invitee', reason: 'No time' })
})

test('webhooks are signed with the application’s key, or with that of a personal token', async () => {
  const made = await subscribe(['invitee.created'], { signing_key: 'mine' })
  expect(made).toMatchObject({ status: 201, body: { resource: { state: 'active' } } })
  expect((await subscribe(['invitee.created'])).body.title).toBe('Already Exists')
  expect((await subscribe(['invitee.created'], { url: 'https://elsewhere.example/' })).body.details[0].parameter).toBe(
    'url',
  )
  token = calendly.issuePersonal().accessToken ?? ''
  const own = { url: `${product.url}/own`, signing_key: 'mine', scope: 'user', user: at('/users/ADA0000000000001') }
  const { uri } = (await subscribe(['invitee.created'], own)).body.resource
  await book('2026-01-02T10:00:00Z')
  await calendly.webhooks.settle()
  for (const { path, headers, body } of product.received) {
    const [t, v1] = /^t=(\d+),v1=([0-9a-f]+)$/.exec(String(headers['calendly-webhook-signature']))?.slice(1) ?? []
    const key = path === '/own' ? 'mine' : calendly.state.signingKey
    expect(v1).toBe(createHmac('sha256', key).update(`${t}.${body}`).digest('hex'))
  }
  expect(product.received).toHaveLength(2)
  const query = { organization: organization(), scope: 'organization' }
  expect((await call('GET', '/webhook_subscriptions', { query })).body.collection).toHaveLength(2)
  expect((await call('DELETE', new URL(uri).pathname)).status).toBe(204)
  expect((await call('GET', new URL(uri).pathname)).status).toBe(404)
})

test('webhooks come twice, late, out of order, with a wrong signature or never, as the script says', async () => {
  await subscribe(['invitee.created'])
  const next = async (time: string) => {
    await book(`2026-01-02T${time}:00Z`)
    await calendly.webhooks.settle()
    return told().map(({ payload }) => payload.scheduled_event.start_time.slice(11, 16))
  }
  calendly.fail({ on: 'webhook invitee.created', with: 'twice' })
  expect(await next('09:00')).toEqual(['09:00', '09:00'])
  calendly.fail({ on: 'webhook *', with: 'lost' })
  expect(await next('09:30')).toHaveLength(2)
  calendly.fail({ on: 'webhook *', with: 'outOfOrder' })
  expect(await next('10:00')).toHaveLength(2)
  expect(await next('10:30')).toEqual(['09:00', '09:00', '10:30', '10:00'])
  calendly.fail({ on: 'webhook *', with: 'late', seconds: 3_600 })
  expect(await next('11:00')).toHaveLength(4)
  expect(await next('11:30')).toHaveLength(5)
  clock.pass(3_600)
  await expect.poll(told).toHaveLength(6)
  calendly.fail({ on: 'webhook *', with: 'wrongSignature' })
  await next('12:00')
  const last = product.received.at(-1)
  const [t, v1] = /^t=(\d+),v1=([0-9a-f]+)$/.exec(String(last?.headers['calendly-webhook-signature']))?.slice(1) ?? []
  expect(v1).not.toBe(createHmac('sha256', calendly.state.signingKey).update(`${t}.${last?.body}`).digest('hex'))
})

test('a subscription that fails for a day is switched off', async () => {
  const { uri } = (await subscribe(['invitee.created'])).body.resource
  const state = async () => (await call('GET', new URL(uri).pathname)).body.resource
  answers = 500
  await book('2026-01-05T10:00:00Z')
  await calendly.webhooks.settle()
  expect(await state()).toMatchObject({ state: 'active', retry_started_at: '2026-01-01T08:00:00.000Z' })
  clock.pass(86_400)
  token = calendly.issue().accessToken ?? ''
  await book('2026-01-05T11:00:00Z')
  await calendly.webhooks.settle()
  expect((await state()).state).toBe('disabled')
})

test('a required question is asked, and bookings are limited as the vendor limits them', async () => {
  await calendly.close()
  calendly = await startCalendly({ clock, limited: true })
  token = calendly.issue().accessToken ?? ''
  calendly.state.eventTypes[0]?.questions.push({ name: 'Topic', required: true })
  expect((await book('2026-01-02T09:00:00Z')).body.details[0].parameter).toBe('questions_and_answers')
  const questions_and_answers = [{ question: 'Topic', answer: 'Prices', position: 0 }]
  for (let hour = 9; hour < 17; hour += 1)
    await book(`2026-01-02T${String(hour).padStart(2, '0')}:00:00Z`, { questions_and_answers })
  expect((await book('2026-01-02T09:30:00Z', { questions_and_answers })).status).toBe(201)
  const refused = await book('2026-01-02T10:30:00Z', { questions_and_answers })
  expect([refused.status, refused.headers.get('x-ratelimit-reset')]).toEqual([429, '60'])
})

test.skipIf(!hasContracts)('every call of the contract is one of the stand-in’s', () => {
  const missing = calendlyContract()?.endpoints.filter((endpoint) => !calendly.endpoints.includes(endpoint))
  expect(missing).toEqual([])
})

test.skipIf(!hasContracts)(
  'a link for two bookings, and an answer and a webhook of a wrong type are found',
  async () => {
    const body = { max_event_count: 2, owner: eventType(), owner_type: 'EventType' }
    expect((await call('POST', '/scheduling_links', { body })).body.contractBroken).toContain('body/max_event_count')
    await subscribe(['invitee.created'])
    Object.assign(calendly.state.eventTypes[0] ?? {}, { minutes: 30, name: 7 })
    await book('2026-01-02T10:00:00Z')
    expect((await call('GET', new URL(eventType()).pathname)).body.contractBroken).toContain('by the answer of GET')
    await calendly.webhooks.settle()
    expect(product.received).toEqual([])
    expect(calendly.broken.splice(0)).toEqual([
      expect.stringContaining('by the request of POST /scheduling_links'),
      expect.stringContaining('by the webhook invitee.created'),
      expect.stringContaining('by the answer of GET'),
    ])
  },
)
