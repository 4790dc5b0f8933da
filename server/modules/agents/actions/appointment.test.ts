import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AgentAction, agentActionSchema } from '../../../../engine/values/agentActions'
import { createTestClock } from '../../../../tests/support/clock'
import { insertSources } from '../../../../tests/support/knowledgeBase'
import { type ModelServer, startModelServer } from '../../../../tests/support/modelServer'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { startCalendly } from '../../../../tests/support/vendors/calendly/startCalendly'
import { consent } from '../../../../tests/support/vendors/consent'
import { createAction, testAction } from '../../../contracts/actions'
import type { ChatAnswer } from '../../../contracts/answers'
import { createChatbot } from '../../../contracts/chatbots'
import { beginConnection, disconnect, finishConnection, listConnectionUses } from '../../../contracts/integrations'
import { parseConfig } from '../../../platform/config/config'
import type { Writes } from '../../../platform/effects/callContext'

/** A Friday after work: only next week has free times. */
const clock = createTestClock('2026-11-27T17:00:00Z')
const MONDAY = '2026-11-30T09:00:00.000Z'
let calendly: Awaited<ReturnType<typeof startCalendly>>
let models: ModelServer
let server: TestServer
let owner: Registered
let connection: string

beforeAll(async () => {
  ;[calendly, models] = await Promise.all([startCalendly({ clock }), startModelServer()])
  const { vendors } = parseConfig({
    CALENDLY_CLIENT_ID: calendly.client.id,
    CALENDLY_CLIENT_SECRET: calendly.client.secret,
    CALENDLY_SIGNING_KEY: calendly.state.signingKey,
    CALENDLY_AUTH_URL: calendly.origin,
    CALENDLY_API_URL: calendly.origin,
  })
  server = await startTestServer({ config: { vendors, ai: models.settings }, clock })
  owner = await server.register()
  const body = { vendor: 'calendly', return_to: '' } as const
  const { url } = await owner.call(beginConnection, { params: { pgid: owner.pgid }, body })
  const { searchParams } = await consent(url)
  const [state = '', code = ''] = ['state', 'code'].map((name) => searchParams.get(name) ?? '')
  const answer = await owner.call(finishConnection, { body: { vendor: 'calendly', state, code } })
  connection = answer.connection?.gid ?? ''
})
afterAll(async () => {
  await server.close()
  await Promise.all([calendly.close(), models.close()])
})
beforeEach(() => {
  calendly.faults.clear()
  calendly.state.bookings.length = 0
  clock.pass(61)
})

const appointment = (config: object = {}): AgentAction =>
  agentActionSchema.parse({
    kind: 'appointment',
    name: 'First call',
    description: 'When the visitor wants to talk.',
    frequency: 'always',
    parameters: [],
    save_to: null,
    enabled: true,
    config: {
      connection,
      event_type: { id: `${calendly.origin}/event_types/${calendly.state.eventTypes[0]?.uuid}`, name: 'First call' },
      time_zone: 'Europe/Berlin',
      ...{ link_label: 'Book', reschedule_label: 'Move', cancel_label: 'Cancel' },
      ...config,
    },
  })

/** A chatbot with the action; `ask` has its model use it once in an answer of its own. */
async function chatbotWith(body: AgentAction) {
  const { chatbot } = await owner.call(createChatbot, { params: { pgid: owner.pgid }, body: { name: 'Shop' } })
  const params = { pgid: owner.pgid, cgid: chatbot.gid }
  const { id: chatbotId, project_id: projectId } = await server.context.db
    .updateTable('chatbots')
    .set({ ai_model_id: 2 })
    .where('gid', '=', chatbot.gid)
    .returning(['id', 'project_id'])
    .executeTakeFirstOrThrow()
  const place = { projectId, chatbotId }
  await insertSources(server.context.db, place, [])
  await owner.call(createAction, { params, body })
  let asked = 0
  /** @param inputs what the model gives, call after call, within one answer */
  async function ask(inputs: object[], { writes = 'real', talk = 'talk' }: { writes?: Writes; talk?: string } = {}) {
    models.answers(...inputs.map((input) => ({ tool: { name: 'First_call', input } })), 'There you are.')
    const key = `answer.${chatbot.gid}.${++asked}`
    const actions = { talk: `${chatbot.gid}.${talk}`, writes }
    let answer: ChatAnswer | undefined
    const given = { place, question: 'May I talk to you?', before: [], key, visitor: null, actions }
    for await (const part of server.parts.answering.answer(given)) if (part.type === 'answer') answer = part.answer
    const calls = (answer?.debug.steps ?? []).flatMap(({ call }) => call ?? [])
    return { parts: answer?.parts, steps: answer?.debug.steps ?? [], told: calls.map(({ answer: one }) => one) }
  }
  return { params, ask }
}
const eve = { start: MONDAY, name: 'Eve', email: 'eve@b.co' }
const booked = () => calendly.state.bookings.filter(({ canceled }) => canceled === null)

test('an agent lists free times in the zone that is wanted, asks, and books when the visitor has answered', async () => {
  const { ask } = await chatbotWith(appointment())
  const [listed] = (await ask([{}])).told
  expect(listed).toMatchObject({ time_zone: 'Europe/Berlin', times: expect.any(Array) })
  expect(listed).toHaveProperty('times.0', { start: MONDAY, label: 'Mon, Nov 30, 10:00 AM' })
  const [abroad] = (await ask([{ from: '2026-12-01', time_zone: 'America/New_York' }])).told
  expect(abroad).toHaveProperty('times.0', { start: '2026-12-01T09:00:00.000Z', label: 'Tue, Dec 1, 4:00 AM' })
  // however often within one answer: nobody has agreed to anything yet
  const { told } = await ask([eve, eve])
  expect(told).toMatchObject([{ booked: false, time: 'Mon, Nov 30, 10:00 AM' }, { booked: false }])
  expect(booked()).toEqual([])
  // what was asked about is booked, not another time or for somebody else
  expect((await ask([{ ...eve, email: 'mallory@b.co' }])).told).toMatchObject([{ booked: false }])
  const agreed = await ask([eve])
  expect(agreed.told).toMatchObject([{ booked: true, time: 'Mon, Nov 30, 10:00 AM' }])
  expect(agreed.parts).toMatchObject([
    { type: 'buttons', buttons: [{ label: 'Move', url: expect.stringContaining('http') }, { label: 'Cancel' }] },
  ])
  expect(booked()).toMatchObject([{ invitee: { email: 'eve@b.co' } }])
  expect(calendly.broken).toEqual([])
})

test('it is booked once, whichever answers say so again; in another conversation the visitor is asked anew', async () => {
  const { ask } = await chatbotWith(appointment())
  await ask([eve])
  await Promise.all([ask([eve, eve]), ask([eve])])
  expect((await ask([eve])).told).toMatchObject([{ booked: true, note: expect.stringContaining('not booked twice') }])
  expect(booked()).toHaveLength(1)
  expect((await ask([eve], { talk: 'another' })).told).toMatchObject([{ ok: false }])
})

test('an answer that got lost makes no second booking', async () => {
  const { ask } = await chatbotWith(appointment())
  await ask([eve])
  calendly.fail({ on: 'POST /invitees', with: 'cutAfterWrite' })
  expect((await ask([eve])).told).toMatchObject([{ booked: true }])
  expect(calendly.faults.left).toEqual([])
  await ask([eve])
  expect(booked()).toHaveLength(1)
})

test('times that are made up or taken are refused with what to do, and so is what is missing', async () => {
  const { ask } = await chatbotWith(appointment())
  const { told } = await ask([
    { ...eve, start: '2026-11-30T03:17:00Z' },
    { ...eve, start: 'Monday' },
    { start: MONDAY },
    { time_zone: 'Mars' },
  ])
  expect(told).toMatchObject([
    { ok: false, error: expect.stringContaining('no longer free') },
    { ok: false, error: expect.stringContaining('start') },
    { ok: false, error: expect.stringContaining('name and email') },
    { ok: false, error: expect.stringContaining('time zone') },
  ])
  await ask([eve])
  calendly.state.bookings.push({ ...(await somebodyElse(ask)) })
  expect((await ask([eve])).told).toMatchObject([{ ok: false, error: expect.stringContaining('no longer free') }])
})
/** Somebody else takes the time. */
async function somebodyElse(ask: Awaited<ReturnType<typeof chatbotWith>>['ask']) {
  const frank = { ...eve, email: 'frank@b.co' }
  await ask([frank], { talk: 'frank' })
  await ask([frank], { talk: 'frank' })
  const [one] = calendly.state.bookings.splice(0)
  if (!one) throw new Error('Frank has no booking')
  return one
}

test('once a conversation: after the booking it is offered no more, but listing and asking use nothing up', async () => {
  const { ask } = await chatbotWith({ ...appointment(), frequency: 'once' })
  await ask([{}, {}])
  await ask([eve])
  await ask([eve])
  expect(booked()).toHaveLength(1)
  models.answers('Bye.')
  expect((await ask([{}])).told).toEqual([])
})

test('what the account can book on Calendly’s page alone is shown as a button', async () => {
  const [type] = calendly.state.eventTypes
  if (!type) throw new Error('no event type')
  const { ask } = await chatbotWith(appointment())
  type.questions.push({ name: 'Which product?', required: true } as (typeof type.questions)[number])
  try {
    const { parts, told } = await ask([{ name: 'Eve', email: 'eve@b.co' }])
    expect(parts).toMatchObject([{ type: 'booking', label: 'Book', url: expect.stringContaining('email=eve') }])
    expect(told).toMatchObject([{ booked: false, shown: expect.stringContaining('button') }])
  } finally {
    type.questions.pop()
  }
})

test('a test books nothing, and says what it would have booked; the editor tries it without asking anybody', async () => {
  const action = appointment()
  const { params, ask } = await chatbotWith(action)
  await ask([eve], { writes: 'simulated' })
  const { told, steps } = await ask([eve], { writes: 'simulated' })
  expect(told).toMatchObject([{ booked: true }])
  expect(steps.flatMap(({ effect }) => effect ?? [])).toMatchObject([
    { type: 'record', of: 'booking', carriedOut: false },
  ])
  const run = (carry_out: boolean) => owner.call(testAction, { params, body: { action, arguments: eve, carry_out } })
  expect(await run(false)).toMatchObject({ ok: true, result: { booked: true } })
  expect(booked()).toEqual([])
  expect(await run(true)).toMatchObject({ ok: true, result: { booked: true } })
  expect(booked()).toHaveLength(1)
})

test('an account that is gone is told to the editor, and to visitors as little as possible', async () => {
  const { ask } = await chatbotWith(appointment({ connection: 'a'.repeat(16) }))
  const { told, steps } = await ask([{}])
  expect(told).toEqual([{ ok: false, error: 'Appointments can’t be booked at the moment. Say so.' }])
  expect(steps.map(({ detail }) => detail).join(' ')).toContain('Choose')
  const { uses } = await owner.call(listConnectionUses, { params: { pgid: owner.pgid } })
  expect(uses[connection]?.[0]?.actions).toEqual(['First call'])
  const params = { pgid: owner.pgid, gid: connection }
  await expect(owner.call(disconnect, { params, body: { confirmed: false } })).rejects.toThrow(/First call/)
})
