import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testEffectsOf } from '../engine/flow/testEffects'
import { type AgentAction, actionKinds, agentActionSchema } from '../engine/values/agentActions'
import type { Json } from '../engine/values/json'
import { endBackgroundWork } from '../tests/support/backgroundWork'
import { makeChatbot } from '../tests/support/collab'
import { callContext } from '../tests/support/effects'
import { type MailServer, startMailServer } from '../tests/support/mailServer'
import { startMcpServer, type TestMcpServer } from '../tests/support/mcpServer'
import { type OutsideServer, startOutsideServer } from '../tests/support/outsideServer'
import { type Registered, startTestServer, type TestServer } from '../tests/support/server'
import { startCalendly } from '../tests/support/vendors/calendly/startCalendly'
import { consent } from '../tests/support/vendors/consent'
import { startGoogle } from '../tests/support/vendors/google/startGoogle'
import { startHubspot } from '../tests/support/vendors/hubspot/startHubspot'
import { startZendesk } from '../tests/support/vendors/zendesk/startZendesk'
import { createAction, testAction } from './contracts/actions'
import { beginConnection, finishConnection } from './contracts/integrations'
import { startPlayground } from './contracts/playground'
import { addToolServer, testTool } from './contracts/tool-servers'
import { parseConfig } from './platform/config/config'
import type { Writes } from './platform/effects/callContext'
import { parseNetworks } from './platform/outbound/addresses'

let outside: OutsideServer
let mails: MailServer
let tools: TestMcpServer
let google: Awaited<ReturnType<typeof startGoogle>>
let hubspot: Awaited<ReturnType<typeof startHubspot>>
let zendesk: Awaited<ReturnType<typeof startZendesk>>
let sheet: { connection: string; id: string }
let crm: string
let desk: string
let calendly: Awaited<ReturnType<typeof startCalendly>>
let booking: { connection: string; eventType: string; start: string }
let server: TestServer
let owner: Registered
beforeAll(async () => {
  ;[mails, tools, google, hubspot, zendesk, calendly] = await Promise.all([
    startMailServer(),
    startMcpServer(),
    startGoogle({ clock: () => new Date() }),
    startHubspot({ clock: () => new Date() }),
    startZendesk({ clock: () => new Date() }),
    startCalendly({ clock: () => new Date() }),
  ])
  tools.offer({ cancel: () => 'Cancelled.', look: () => 'There.' }, ['look'])
  outside = await startOutsideServer((_, response) => response.writeHead(200).end('done'))
  server = await startTestServer({
    config: {
      outboundAllow: parseNetworks('127.0.0.1'),
      smtpUrl: `smtp://127.0.0.1:${mails.port}`,
      vendors: parseConfig({
        GOOGLE_CLIENT_ID: google.client.id,
        GOOGLE_CLIENT_SECRET: google.client.secret,
        GOOGLE_ACCOUNTS_URL: google.origin,
        GOOGLE_TOKEN_URL: google.origin,
        GOOGLE_SHEETS_URL: google.origin,
        GOOGLE_DRIVE_URL: google.origin,
        HUBSPOT_CLIENT_ID: hubspot.client.id,
        HUBSPOT_CLIENT_SECRET: hubspot.client.secret,
        HUBSPOT_APP_URL: hubspot.origin,
        HUBSPOT_API_URL: hubspot.origin,
        ZENDESK_CLIENT_ID: zendesk.client.id,
        ZENDESK_CLIENT_SECRET: zendesk.client.secret,
        ZENDESK_URL: zendesk.origin,
        CALENDLY_CLIENT_ID: calendly.client.id,
        CALENDLY_CLIENT_SECRET: calendly.client.secret,
        CALENDLY_AUTH_URL: calendly.origin,
        CALENDLY_API_URL: calendly.origin,
      }).vendors,
    },
  })
  owner = await server.register()
  const { id } = google.addSpreadsheet({ title: 'Orders', tabs: { New: [['Name']] } })
  sheet = { connection: await connect('google-sheets'), id }
  crm = await connect('hubspot')
  desk = await connect('zendesk', { subdomain: 'acme' })
  const [type] = calendly.state.eventTypes
  if (!type) throw new Error('Calendly has no event type')
  const eventType = `${calendly.origin}/event_types/${type.uuid}`
  booking = { connection: await connect('calendly'), eventType, start: nextTuesday() }
})
afterAll(async () => {
  outside.close()
  const standIns = [google, hubspot, zendesk, calendly]
  await Promise.all([server.close(), mails.close(), tools.close(), ...standIns.map((each) => each.close())])
})

/** The project's connection to a vendor. */
async function connect(vendor: 'google-sheets' | 'hubspot' | 'zendesk' | 'calendly', fields = {}): Promise<string> {
  const body = { vendor, return_to: '', fields }
  const { url } = await owner.call(beginConnection, { params: { pgid: owner.pgid }, body })
  const { searchParams } = await consent(url)
  const [state = '', code = ''] = ['state', 'code'].map((name) => searchParams.get(name) ?? '')
  const { connection } = await owner.call(finishConnection, { body: { vendor, state, code } })
  return connection?.gid ?? ''
}
/** A working hour of next week. */
function nextTuesday(): string {
  const day = new Date()
  day.setUTCDate(day.getUTCDate() + 7 - ((day.getUTCDay() + 5) % 7))
  return `${day.toISOString().slice(0, 10)}T10:00:00.000Z`
}
const sheetRows = () => google.rowsOf(sheet.id, 'New').length

/** A writing request of every effect; null: its handler is declared read-only. */
const requests = (): Record<string, Json> => ({
  http: {
    method: 'POST',
    url: `${outside.url}/orders`,
    query: [],
    headers: [],
    auth: null,
    body: null,
    timeoutMs: 5_000,
    followRedirects: true,
  },
  mail: {
    fromName: '',
    to: ['ada@example.com'],
    cc: [],
    bcc: [],
    replyTo: [],
    subject: 'Hello',
    body: [{ type: 'paragraph', children: [{ text: 'Hi' }] }],
  },
  contacts: {
    action: 'create',
    key: { field: 'email', value: 'ada@example.com' },
    fields: {},
    custom: {},
    onDuplicate: 'new',
  },
  'hand-off': { team: '', note: '', email: 'ada@example.com' },
  sheets: {
    action: 'add',
    connection: sheet.connection,
    spreadsheet: { id: sheet.id, name: 'Orders' },
    tab: { id: 0, title: 'New' },
    cells: [{ column: 'Name', value: 'Ada' }],
    match: null,
    which: 'first',
    limit: 1,
  },
  bookings: {
    action: 'book',
    ...booking,
    timeZone: '',
    language: 'en',
    name: 'Ada',
    email: 'ada@example.com',
    phone: '',
  },
  // it writes through the chatbot's actions: see below
  'ai.answer': null,
  'ai.extract': null,
  // what it notes is of a person at WhatsApp: server/modules/whatsapp/optIn.test.ts
  whatsapp: null,
  crm: {
    connection: crm,
    action: 'create',
    object: 'company',
    find: null,
    fields: [{ name: 'name', value: 'Acme' }],
    links: [],
    show: [],
  },
  ticket: {
    connection: desk,
    action: 'create',
    ticket: '',
    subject: 'Help',
    comment: { body: 'It rattles', public: true },
    requester: { name: 'Ada', email: '' },
    priority: null,
    type: null,
    status: null,
    tags: [],
    fields: [],
  },
})

/** The whole database by table, except for the test's own records, and for what consumers of earlier events keep up. */
async function contents(): Promise<Record<string, string>> {
  const { db } = server.context
  await endBackgroundWork(server)
  const tables = await sql<{
    name: string
  }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(db)
  const counts = ['insight_pending', 'conversation_facts', 'insight_rows', 'asked_questions', 'flow_results']
  const days = [
    'insight_days',
    'insight_courses',
    'insight_changes',
    'insight_rolled',
    'insight_visitors',
    'insight_names',
    'insight_credits',
    'asked_wordings',
  ]
  const agents = [...days, 'agent_acts', 'agent_facts', 'agent_rows', 'agent_days', 'agent_hours']
  const own = new Set([...agents, 'agent_action_uses', 'jobs', 'event_consumers', ...counts])
  const of = async (name: string) => {
    const { rows } = await sql<{ sum: string | null }>`
      select md5(string_agg(t::text, '' order by t::text)) as sum from ${sql.table(name)} t`.execute(db)
    return [name, `${rows[0]?.sum}`] as const
  }
  return Object.fromEntries(
    await Promise.all(tables.rows.filter(({ name }) => !own.has(name)).map(({ name }) => of(name))),
  )
}
const landed = async () => ({
  requests: outside.received.length,
  mails: mails.mails.length,
  tools: tools.calls.length,
  sheetRows: sheetRows(),
  companies: hubspot.all('companies').length,
  tickets: zendesk.tickets().length,
  rows: await contents(),
})

async function placeOf(cgid: string) {
  return server.context.db
    .selectFrom('chatbots')
    .select(['id', 'project_id'])
    .where('gid', '=', cgid)
    .executeTakeFirstOrThrow()
}

/** The context of a conversation's calls. */
async function calledBy(gid: string) {
  const row = await server.context.db
    .selectFrom('conversations')
    .innerJoin('runs', 'runs.id', 'conversations.run_id')
    .select(['conversations.id', 'conversations.project_id', 'chatbot_id', 'run_id', 'flow_version_id'])
    .where('gid', '=', gid)
    .executeTakeFirstOrThrow()
  return {
    project: { id: row.project_id },
    chatbot: { id: row.chatbot_id },
    conversation: { id: row.id, gid, visitor: null },
    run: { id: `${row.run_id}`, versionId: row.flow_version_id, variables: {} },
  }
}

test('no effect changes anything in a test that is told nothing else, and each says what it would have changed', async () => {
  const begun = await owner.call(startPlayground, {
    params: await makeChatbot(owner),
    body: { client_id: 'start-0001' },
  })
  const gid = begun.conversation.id
  const place = await calledBy(gid)
  const handlers = server.context.effects
  // a new effect must be added here in addition to its declaration
  expect([...handlers.keys()].sort()).toEqual(Object.keys(requests()).sort())
  let calls = 0
  const run = (writes: Writes) =>
    Promise.all(
      Object.entries(requests()).flatMap(([name, request]) => {
        const handler = handlers.get(name)
        if (!handler || request === null) return []
        const called = { ...place, idempotencyKey: `${gid}.${++calls}`, environment: 'editor', writes } as const
        return handler.answer(request, callContext(called)).then((result) => [name, result] as const)
      }),
    )
  const before = await landed()
  for (const [name, result] of await run('simulated')) {
    expect([name, result]).toMatchObject([name, { ok: true }])
    expect([name, testEffectsOf(result)]).toMatchObject([name, [{ carriedOut: false }]])
  }
  expect(await landed()).toEqual(before)

  // the same requests do change something with permission
  for (const [name, result] of await run('marked'))
    expect([name, testEffectsOf(result)]).toMatchObject([name, [{ carriedOut: true }]])
  const after = await landed()
  expect([after.requests - before.requests, after.mails - before.mails]).toEqual([1, 2])
  expect([after.sheetRows - before.sheetRows, after.companies - before.companies]).toEqual([1, 1])
  expect(after.rows.contacts).not.toBe(before.rows.contacts)
  // and a visitor's are not marked
  for (const [name, result] of await run('real')) expect([name, testEffectsOf(result)]).toEqual([name, []])
  expect(outside.received.map(({ headers }) => headers['x-parley-test'])).toEqual(['1', undefined])
})

const configs: { [Kind in AgentAction['kind']]: () => object } = {
  buttons: () => ({ text: 'See', buttons: [{ label: 'Prices', url: 'https://example.com/p' }] }),
  booking: () => ({ url: 'https://calendly.com/ada/30min', label: 'Book', name: '', email: '', phone: '' }),
  appointment: () => ({
    connection: booking.connection,
    event_type: { id: booking.eventType, name: 'First call' },
    time_zone: 'UTC',
    ...{ link_label: 'Book', reschedule_label: 'Reschedule', cancel_label: 'Cancel' },
  }),
  'lead-form': () => ({
    title: 'You',
    submit_label: 'Send',
    thanks: '',
    fields: [{ field: 'email', required: true, prefill: '' }],
  }),
  'http-request': () => ({ method: 'POST', url: `${outside.url}/action`, headers: [], body: '{}' }),
  'send-email': () => ({ from_name: '', to: ['shop@example.org'], reply_to: '', subject: 'Order', message: 'Hi' }),
  'hand-off': () => ({ team: '', note: '', message: 'Wait' }),
}
const actionOf = (kind: AgentAction['kind']): AgentAction =>
  agentActionSchema.parse({
    kind,
    name: kind,
    description: 'When it fits.',
    frequency: 'always',
    parameters: [],
    save_to: null,
    enabled: true,
    config: configs[kind](),
  })

test('no action and no tool of a server changes anything in a test, but for tools that say that they change nothing', async () => {
  const { pgid, cgid } = await makeChatbot(owner)
  const params = { pgid, cgid }
  for (const kind of actionKinds) await owner.call(createAction, { params, body: actionOf(kind) })
  const { server: added } = await owner.call(addToolServer, { params, body: { name: 'Shop', url: tools.url } })
  const place = await placeOf(cgid)
  const run = async (writes: Writes) => {
    const given = await server.parts.actions.toolsFor({
      place: { projectId: place.project_id, chatbotId: place.id },
      key: `${writes}.${Math.random()}`,
      talk: null,
      writes,
    })
    const execute = Object.entries(given?.tools ?? {}).map(([name, { execute: use }]) => [name, use] as const)
    const steps: unknown[] = []
    // one answer takes five calls: each tool gets a separate answer
    for (const [name] of execute) {
      const fresh = await server.parts.actions.toolsFor({
        place: { projectId: place.project_id, chatbotId: place.id },
        key: `${writes}.${name}.${Math.random()}`,
        talk: null,
        writes,
      })
      const use = fresh?.tools[name]?.execute as (input: object, options: object) => Promise<unknown>
      await use(name.startsWith('Shop') ? { order: '1' } : {}, {})
      steps.push(...(fresh?.steps ?? []))
    }
    return steps as { name: string; ok: boolean; effect?: { type: string; carriedOut: boolean } }[]
  }
  const before = await landed()
  const steps = await run('simulated')
  expect(steps.map(({ name }) => name).sort()).toEqual([...actionKinds, 'Shop: cancel', 'Shop: look'].sort())
  expect(steps.every(({ ok }) => ok)).toBe(true)
  expect(steps.flatMap(({ effect }) => (effect ? [[effect.type, effect.carriedOut]] : [])).sort()).toEqual([
    ['http', false],
    ['mail', false],
    ['tool', false],
  ])
  expect(tools.calls.splice(0)).toEqual([{ tool: 'look', input: { order: '1' } }])
  expect(await landed()).toEqual(before)

  // the same beside the forms
  for (const kind of actionKinds)
    expect(await owner.call(testAction, { params, body: { action: actionOf(kind), arguments: {} } })).toMatchObject({
      ok: true,
    })
  const one = { ...params, gid: added.gid }
  const tried = (tool: string, carry_out?: boolean) =>
    owner.call(testTool, { params: one, body: { tool, arguments: { order: '2' }, ...(carry_out && { carry_out }) } })
  expect(await tried('cancel')).toMatchObject({ ok: true, effect: { type: 'tool', carriedOut: false } })
  expect(await landed()).toEqual(before)
  expect(await tried('cancel', true)).toMatchObject({ ok: true, result: 'Cancelled.' })
  expect(tools.calls.splice(0)).toEqual([{ tool: 'cancel', input: { order: '2' } }])

  await run('marked')
  const after = await landed()
  expect([after.requests - before.requests, after.mails - before.mails, tools.calls.length]).toEqual([1, 1, 2])
  expect(mails.mails.at(-1)?.subject).toBe('[Test] Order')
})
