import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { registry } from '../../../blocks/registry'
import { emptyFlow, type Flow } from '../../../engine/flow/schema'
import { plainRichText } from '../../../engine/values/richText'
import { createTestClock } from '../../../tests/support/clock'
import { makeChatbot } from '../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { startCalendly } from '../../../tests/support/vendors/calendly/startCalendly'
import { startConversation } from '../../contracts/chat'
import { readChatbot } from '../../contracts/chatbots'
import { importFlow, publishFlow } from '../../contracts/flows'
import { connectByHand, disconnect, listVendorConnections } from '../../contracts/integrations'
import { parseConfig } from '../../platform/config/config'

/** A Friday: the next free times are on Monday. */
const clock = createTestClock('2026-11-27T17:00:00Z')
const MONDAY = new Date('2026-11-30T09:00:00Z')
const LATER = new Date('2026-11-30T11:00:00Z')
let calendly: Awaited<ReturnType<typeof startCalendly>>
let server: TestServer
let ada: Registered
let connection: string

beforeAll(async () => {
  calendly = await startCalendly({ clock })
  const { vendors } = parseConfig({ CALENDLY_AUTH_URL: calendly.origin, CALENDLY_API_URL: calendly.origin })
  server = await startTestServer({ config: { vendors }, clock })
  server.context.config.publicUrl = server.url
  ada = await server.register()
  connection = await connect()
})
afterAll(async () => {
  await server?.close()
  await calendly?.close()
})
beforeEach(async () => {
  calendly.faults.clear()
  calendly.state.bookings.length = 0
  await server.context.db.deleteFrom('bookings').execute()
  clock.pass(61)
})

/** By a personal token. */
async function connect(): Promise<string> {
  const token = calendly.issuePersonal().accessToken ?? ''
  const body = { vendor: 'calendly', way: 'calendly-token', fields: { token } } as const
  const { gid } = (await ada.call(connectByHand, { params: { pgid: ada.pgid }, body })).connection
  await settle()
  return gid
}

/** Until all that was sent has arrived, and all that follows from it is done. */
async function settle(): Promise<void> {
  await calendly?.webhooks.settle()
  await server.app.modules.consumers.runDue()
  await server.context.jobs.runDue()
  await server.app.modules.consumers.runDue()
}

const block = (id: string, kind: string, data: object) => ({
  ...{ id, kind, version: registry.get(kind).migrations.length },
  data: { ...(registry.get(kind).defaults(() => id) as object), ...data } as Flow['groups'][0]['blocks'][0]['data'],
})
const says = (text: string, variable: string) => ({
  content: [{ type: 'paragraph', children: [{ text }, { text: '', variable: true, variable_id: variable }] }],
})

/** Offers the link, says the time, and then asks what else, which can be answered again and again. */
const flow = (): Flow => ({
  ...emptyFlow(),
  variables: ['time', 'start', 'move', 'cancel', 'state'].map((id) => ({ id, name: id, value: null })),
  groups: [
    {
      ...{ id: 'g', title: 'Book', position: { x: 0, y: 0 } },
      blocks: [
        block('start', 'start', {}),
        block('book', 'calendly-booking', {
          ...{ connection, eventType: { id: eventType().uri, name: 'First call' }, way: 'link' },
          ...{ saveTimeTo: 'time', saveStartTo: 'start', saveRescheduleTo: 'move', saveCancelTo: 'cancel' },
          saveStateTo: 'state',
        }),
        block('done', 'text', says('See you: ', 'time')),
        block('more', 'text-input', { prompt: plainRichText('Anything else?') }),
        block('state', 'text', says('It is ', 'state')),
        block('again', 'go-to', { to: 'group', target: { groupId: 'g', blockId: 'more' } }),
      ],
    },
  ],
  edges: [],
})
const eventType = () => {
  const [type] = calendly.state.eventTypes
  if (!type) throw new Error('There is no event type.')
  return { type, uri: `${calendly.origin}/event_types/${type.uuid}` }
}

/** A visitor to whom the link has been offered. */
async function offered() {
  const place = await makeChatbot(ada)
  await ada.call(importFlow, { params: place, body: { source: JSON.stringify(flow()), mode: 'replace' } })
  await ada.call(publishFlow, { params: place })
  const { slug } = (await ada.call(readChatbot, { params: place })).chatbot
  const guest = await server.guest()
  const started = await guest.call(startConversation, { params: { slug }, body: { client_id: 'start-0001' } })
  const { id } = started.conversation
  const mark = (await server.context.db.selectFrom('bookings').select('gid').executeTakeFirstOrThrow()).gid
  return { id, mark }
}
type Offered = Awaited<ReturnType<typeof offered>>

const book = (mark: string, start = MONDAY) =>
  calendly.bookings.book({
    ...{ eventType: eventType().type, start },
    invitee: { name: 'Eve', email: 'eve@b.co', timezone: 'Etc/UTC', tracking: { utm_content: mark } },
  })

async function said({ id }: Offered): Promise<string[]> {
  await settle()
  const read = server.context.db
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
    .select('words')
    .where('conversations.gid', '=', id)
    .orderBy('seq')
  return (await read.execute()).map(({ words }) => words ?? '')
}
async function variables({ id }: Offered): Promise<Record<string, unknown>> {
  await settle()
  const row = await server.context.db
    .selectFrom('runs')
    .innerJoin('conversations', 'conversations.run_id', 'runs.id')
    .select('session')
    .where('conversations.gid', '=', id)
    .executeTakeFirstOrThrow()
  return row.session.variables
}
async function activity({ id }: Offered) {
  await settle()
  const rows = await server.context.db
    .selectFrom('conversation_activity')
    .innerJoin('conversations', 'conversations.id', 'conversation_activity.conversation_id')
    .select(['kind', 'detail'])
    .where('conversations.gid', '=', id)
    .orderBy('conversation_activity.id')
    .execute()
  return rows.map(({ kind, detail }) => [kind, detail])
}

const OFFER = 'Please choose a time on our booking page.'
const BOOKED = ['See you: Mon, Nov 30, 9:00 AM', 'Anything else?']
const at = (time: Date) => time.toISOString()

test('a connection is told of its own bookings, with a key of its own', async () => {
  expect(calendly.state.subscriptions).toMatchObject([
    { url: `${server.url}/api/calendly/${connection}`, scope: 'user', state: 'active' },
  ])
  expect(calendly.state.subscriptions[0]?.signingKey).toHaveLength(43)
  const { connections } = await ada.call(listVendorConnections, { params: { pgid: ada.pgid } })
  expect(connections).toMatchObject([{ notice: null }])
})

test('a conversation that waits for a booking goes on once it is made, and the inbox shows it', async () => {
  const talk = await offered()
  expect(await said(talk)).toEqual([OFFER])
  book(talk.mark)
  expect(await said(talk)).toEqual([OFFER, ...BOOKED])
  expect(await variables(talk)).toMatchObject({
    ...{ time: 'Mon, Nov 30, 9:00 AM', start: at(MONDAY), state: 'booked' },
    ...{ move: expect.stringContaining('/reschedulings/'), cancel: expect.stringContaining('/cancellations/') },
  })
  expect(await activity(talk)).toEqual([['booked', at(MONDAY)]])
  expect(calendly.broken).toEqual([])
})

test.each(['twice', 'late'] as const)('a webhook that comes %s goes on with the conversation once', async (fault) => {
  const talk = await offered()
  calendly.fail({ on: 'webhook invitee.created', with: fault, seconds: 60 })
  book(talk.mark)
  if (fault === 'late') {
    expect(await said(talk)).toEqual([OFFER])
    clock.pass(60)
  }
  await expect.poll(() => said(talk)).toEqual([OFFER, ...BOOKED])
  expect(await activity(talk)).toHaveLength(1)
})

test('a move is told as one, whichever of its two webhooks comes first, and a cancellation too', async () => {
  for (const order of ['inOrder', 'outOfOrder'] as const) {
    const talk = await offered()
    const first = book(talk.mark)
    expect(await said(talk)).toEqual([OFFER, ...BOOKED])
    if (order === 'outOfOrder') calendly.fail({ on: 'webhook invitee.canceled', with: order })
    const next = calendly.bookings.reschedule(first, LATER)
    expect(await variables(talk)).toMatchObject({
      ...{ time: 'Mon, Nov 30, 11:00 AM', start: at(LATER), state: 'rescheduled' },
      cancel: expect.stringContaining(next.invitee.uuid),
    })
    calendly.bookings.cancel(next, 'invitee', 'Ill')
    expect(await variables(talk)).toMatchObject({ time: 'Mon, Nov 30, 11:00 AM', state: 'canceled' })
    expect(await activity(talk)).toEqual([
      ['booked', at(MONDAY)],
      ['booking_moved', at(LATER)],
      ['booking_canceled', at(LATER)],
    ])
    // what happens outside is no message of the flow
    expect(await said(talk)).toEqual([OFFER, ...BOOKED])
    await server.context.db.deleteFrom('bookings').execute()
  }
})

test('a cancellation that comes before its booking leaves it cancelled', async () => {
  const talk = await offered()
  calendly.fail({ on: 'webhook invitee.created', with: 'outOfOrder' })
  calendly.bookings.cancel(book(talk.mark), 'host', '')
  expect(await activity(talk)).toEqual([['booking_canceled', at(MONDAY)]])
  expect(await said(talk)).toEqual([OFFER])
  expect(await variables(talk)).toMatchObject({ state: 'canceled', time: null })
})

test('a booking by an agent’s link, which carries the conversation, shows in the inbox with what becomes of it', async () => {
  const talk = await offered()
  calendly.fail({ on: 'webhook invitee.created', with: 'twice' })
  const first = book(talk.id)
  expect(await activity(talk)).toEqual([['booked', at(MONDAY)]])
  const next = calendly.bookings.reschedule(first, LATER)
  expect(await activity(talk)).toHaveLength(2)
  calendly.bookings.cancel(next, 'host', '')
  expect(await activity(talk)).toEqual([
    ['booked', at(MONDAY)],
    ['booking_moved', at(LATER)],
    ['booking_canceled', at(LATER)],
  ])
  // it is not the booking that the flow waits for
  expect(await said(talk)).toEqual([OFFER])
})

test('bookings of others are passed over, and so is what can’t be read', async () => {
  const talk = await offered()
  book('somebodyelses000')
  book('', LATER)
  expect(await send({ event: 'invitee.created', payload: 'none' })).toBe(200)
  expect(await send('<html>')).toBe(400)
  expect(await said(talk)).toEqual([OFFER])
})

/** Sends a webhook, signed by default as it should be. */
async function send(body: unknown, more: { key?: string; age?: number; header?: string } = {}): Promise<number> {
  const raw = typeof body === 'string' ? body : JSON.stringify(body)
  const t = Math.floor(clock().getTime() / 1_000) - (more.age ?? 0)
  const key = more.key ?? calendly.state.subscriptions[0]?.signingKey ?? ''
  const v1 = createHmac('sha256', key).update(`${t}.${raw}`).digest('hex')
  const headers = {
    'content-type': 'application/json',
    'calendly-webhook-signature': more.header ?? `t=${t},v1=${v1}`,
  }
  return (await fetch(`${server.url}/api/calendly/${connection}`, { method: 'POST', headers, body: raw })).status
}

test('a webhook without the right signature, or one of another time, changes nothing', async () => {
  const talk = await offered()
  calendly.fail({ on: 'webhook invitee.created', with: 'wrongSignature' })
  book(talk.mark)
  expect(await said(talk)).toEqual([OFFER])
  const { raw = '' } = calendly.webhooks.deliveries.at(-1) ?? {}
  expect(calendly.webhooks.deliveries.at(-1)?.status).toBe(401)
  for (const age of [181, -181, 86_400]) expect(await send(raw, { age }), `${age} s old`).toBe(401)
  for (const header of ['', 't=1', 'v1=00', 't=1,v1=', 't=1,v1=zz', `t=${'9'.repeat(400)},v1=00`])
    expect(await send(raw, { header }), header).toBe(401)
  expect(
    await send(`${raw} `, { header: calendly.webhooks.deliveries.at(-1)?.headers['calendly-webhook-signature'] }),
  ).toBe(401)
  expect(await said(talk)).toEqual([OFFER])
  expect(await send(raw, { age: 179 })).toBe(200)
  expect(await said(talk)).toEqual([OFFER, ...BOOKED])
})

test('a subscription that Calendly ended is made anew', async () => {
  const before = calendly.state.subscriptions[0]
  if (before) before.state = 'disabled'
  await reconnect()
  expect(calendly.state.subscriptions).toMatchObject([{ state: 'active' }])
  const talk = await offered()
  book(talk.mark)
  expect(await said(talk)).toEqual([OFFER, ...BOOKED])
})

const reconnect = async () => expect(await connect()).toBe(connection)

test('what keeps Calendly from telling is said where accounts are connected, and mended later', async () => {
  calendly.state.subscriptions.length = 0
  calendly.fail({ on: 'POST *webhook_subscriptions', with: 'forbidden', times: 1 })
  await reconnect()
  const notice = async () =>
    (await ada.call(listVendorConnections, { params: { pgid: ada.pgid } })).connections[0]?.notice
  expect(await notice()).toContain('may not do this')
  await reconnect()
  expect(await notice()).toBe(null)
})

// last: it takes the connection
test('disconnecting ends the subscription', async () => {
  await ada.call(disconnect, { params: { pgid: ada.pgid, gid: connection }, body: { confirmed: true } })
  expect(calendly.state.subscriptions).toEqual([])
  expect(await send({})).toBe(401)
  expect(calendly.broken).toEqual([])
})
