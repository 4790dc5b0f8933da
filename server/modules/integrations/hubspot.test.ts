import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Json } from '../../../engine/values/json'
import { createTestClock } from '../../../tests/support/clock'
import { callContext } from '../../../tests/support/effects'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { consent } from '../../../tests/support/vendors/consent'
import { startHubspot } from '../../../tests/support/vendors/hubspot/startHubspot'
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

const clock = createTestClock('2026-11-24T10:00:00Z')
let hubspot: Awaited<ReturnType<typeof startHubspot>>
let server: TestServer
let ada: Registered
let parts: Integrations
let connection: string
let projectId: string
let calls = 0

beforeAll(async () => {
  hubspot = await startHubspot({ clock })
  const { vendors } = parseConfig({
    HUBSPOT_CLIENT_ID: hubspot.client.id,
    HUBSPOT_CLIENT_SECRET: hubspot.client.secret,
    HUBSPOT_APP_URL: hubspot.origin,
    HUBSPOT_API_URL: hubspot.origin,
  })
  server = await startTestServer({ config: { vendors }, clock })
  ada = await server.register()
  parts = createIntegrations(server.context, { wait: async (ms) => clock.pass(ms / 1_000) })
  connection = await connect()
  const project = server.context.db.selectFrom('projects').select('id').where('gid', '=', ada.pgid)
  projectId = (await project.executeTakeFirstOrThrow()).id
})
afterAll(async () => {
  await server.close()
  await hubspot.close()
})
beforeEach(() => {
  hubspot.faults.clear()
  hubspot.state.searchDelay = 0
  hubspot.calls.length = 0
  clock.pass(61)
})

async function connect(): Promise<string> {
  const body = { vendor: 'hubspot', return_to: '' } as const
  const { url } = await ada.call(beginConnection, { params: { pgid: ada.pgid }, body })
  const { searchParams } = await consent(url)
  const [state, code] = ['state', 'code'].map((name) => searchParams.get(name) ?? '')
  const answer = await ada.call(finishConnection, {
    body: { vendor: 'hubspot', state: state ?? '', code: code ?? '' },
  })
  expect(answer.problem).toBe(null)
  return answer.connection?.gid ?? ''
}

const field = (name: string, value: string) => ({ name, value })
const call = (more: object, key = `call-${++calls}`, writes: 'real' | 'simulated' = 'real'): Promise<Json> =>
  parts.crm.answer(
    { connection, action: 'create', object: 'contact', find: null, fields: [], links: [], show: [], ...more } as Json,
    callContext({ project: { id: projectId }, idempotencyKey: key, writes }),
  )
const byEmail = (value: string) => ({ find: { by: 'email', value } })
const contacts = () => hubspot.all('contacts')
const tickets = () => hubspot.all('tickets')
const stage = () => hubspot.state.pipelines[0]?.stages[0]?.id ?? ''
const ticket = (subject: string) => ({
  object: 'ticket',
  fields: [field('subject', subject), field('hs_pipeline_stage', stage())],
})

test('connects with the scopes that it needs, names the account, and sees whether it works', async () => {
  const { connections } = await ada.call(listVendorConnections, { params: { pgid: ada.pgid } })
  expect(connections).toMatchObject([{ vendor: 'hubspot', account: 'ada@example.com (4711000)', problem: null }])
  const checked = await ada.call(checkConnection, { params: { pgid: ada.pgid, gid: connection } })
  expect(checked.connection.problem).toBe(null)
  expect(hubspot.broken).toEqual([])
})

test('creates, updates and finds contacts by email, and links a ticket to one and to a company', async () => {
  const made = (await call({
    fields: [field('email', 'ada@b.co'), field('firstname', 'Ada'), field('phone', '')],
  })) as {
    id: string
  }
  expect(made).toMatchObject({ ok: true, url: `${hubspot.origin}/contacts/4711000/record/0-1/${made.id}` })
  expect(contacts().at(-1)?.properties).toEqual({ email: 'ada@b.co', firstname: 'Ada' })
  expect(
    await call({ action: 'update', ...byEmail('ada@b.co'), fields: [field('firstname', ''), field('city', 'Bonn')] }),
  ).toMatchObject({ ok: true, id: made.id })
  expect(await call({ action: 'search', ...byEmail('ADA@b.co'), show: ['city', 'firstname'] })).toMatchObject({
    id: made.id,
    fields: { city: 'Bonn', firstname: null },
  })
  const company = hubspot.add('companies', { name: 'Acme', domain: 'acme.example' })
  const links = [
    { object: 'contact', id: made.id },
    { object: 'company', id: company.id },
  ]
  expect(await call({ ...ticket('Help'), links, show: ['subject', 'hs_pipeline'] })).toMatchObject({
    ok: true,
    fields: { subject: 'Help', hs_pipeline: hubspot.state.pipelines[0]?.id },
  })
  const id = tickets().at(-1)?.id
  const linked = hubspot.state.associations.filter(({ from }) => from === id).map(({ to }) => to)
  expect(linked).toEqual(expect.arrayContaining([made.id, company.id]))
  expect(
    await call({ action: 'search', object: 'company', find: { by: 'domain', value: 'acme.example' } }),
  ).toMatchObject({
    id: company.id,
  })
  expect(hubspot.broken).toEqual([])
})

test('creates or updates: one contact for one address, even if somebody is faster', async () => {
  const upsert = (name: string) =>
    call({ action: 'upsert', ...byEmail('eve@b.co'), fields: [field('firstname', name)] }) as Promise<{ id: string }>
  const { id } = await upsert('Eve')
  expect((await upsert('Eva')).id).toBe(id)
  expect(contacts().filter(({ properties }) => properties.email === 'eve@b.co')).toMatchObject([
    { properties: { firstname: 'Eva' } },
  ])
  const [one, two] = (await Promise.all([
    call({ action: 'upsert', ...byEmail('two@b.co') }),
    call({ action: 'upsert', ...byEmail('two@b.co') }),
  ])) as { id: string }[]
  expect(one?.id).toBe(two?.id)
  expect(await call({ fields: [field('email', 'eve@b.co')] })).toMatchObject({
    ok: false,
    error: expect.stringContaining('exists already'),
  })
})

test('what is not there is not found; an empty value finds nobody', async () => {
  for (const find of [
    { by: 'email', value: 'nobody@b.co' },
    { by: 'email', value: ' ' },
    { by: 'id', value: '999999' },
    { by: 'city', value: 'Nowhere' },
  ]) {
    expect(await call({ action: 'search', find })).toEqual({ ok: false, error: 'not-found' })
    expect(await call({ action: 'update', find, fields: [field('city', 'x')] })).toEqual({
      ok: false,
      error: 'not-found',
    })
  }
})

test.each([
  ['the connection breaks after the write', 'cutAfterWrite'],
  ['it fails after the write', 'serverErrorAfterWrite'],
  ['half an answer comes', 'halfJson'],
  ['the connection breaks before the write', 'cutBeforeWrite'],
] as const)('creates one ticket and one contact when %s, though search finds them later', async (_, fault) => {
  hubspot.state.searchDelay = 10
  const before = [tickets().length, contacts().length]
  hubspot.fail({ on: 'POST *tickets', with: fault })
  expect(await call(ticket(`Lost ${fault}`))).toMatchObject({ ok: true, id: expect.stringMatching(/^\d+$/) })
  hubspot.fail({ on: 'POST *contacts', with: fault })
  expect(await call({ fields: [field('email', `${fault.toLowerCase()}@b.co`)] })).toMatchObject({ ok: true })
  expect([tickets().length, contacts().length]).toEqual(before.map((count) => count + 1))
})

test('creates one ticket when the server crashed between the write and its record', async () => {
  const first = (await call(ticket('Crashed'), 'crash')) as { id: string }
  const { db } = server.context
  await db.updateTable('vendor_writes').set({ done: false, answer: '""' }).where('key', '=', 'crash').execute()
  const count = tickets().length
  expect(await call(ticket('Crashed'), 'crash')).toMatchObject({ ok: true, id: first.id })
  expect(tickets()).toHaveLength(count)
})

test('a change whose answer got lost is made again', async () => {
  await call({ fields: [field('email', 'lost@b.co')] })
  hubspot.fail({ on: 'PATCH *', with: 'cutAfterWrite' })
  const fields = [field('city', 'Oslo')]
  expect(await call({ action: 'update', ...byEmail('lost@b.co'), fields })).toMatchObject({ ok: true })
  expect(contacts().at(-1)?.properties.city).toBe('Oslo')
})

test('sets fifty properties at once and reads them again; one more is refused before anything is sent', async () => {
  const names = Array.from({ length: 51 }, (_, at) => `answer_${at}`)
  for (const name of names) hubspot.addProperty('contacts', { name, label: `Answer ${name}` })
  const [, ...fifty] = names
  const fields = [field('email', 'fifty@b.co'), ...fifty.slice(1).map((name) => field(name, `said ${name}`))]
  expect(fields).toHaveLength(50)
  expect(await call({ fields })).toMatchObject({ ok: true })
  expect(Object.keys(contacts().at(-1)?.properties ?? {})).toHaveLength(50)
  const found = await call({ action: 'search', ...byEmail('fifty@b.co'), show: fifty })
  expect(found).toMatchObject({ ok: true, fields: { answer_2: 'said answer_2', answer_50: 'said answer_50' } })
  const sent = hubspot.calls.length
  const many = { fields: [...fields, field('answer_0', 'one too many')] }
  expect(await call(many)).toMatchObject({ ok: false, error: expect.stringContaining('At most 50') })
  expect(hubspot.calls).toHaveLength(sent)
  expect(hubspot.broken).toEqual([])
})

test('says in the vendor’s words what is wrong with a property, and which one is missing', async () => {
  expect(await call({ fields: [field('nonsense', 'x')] })).toMatchObject({ error: expect.stringContaining('nonsense') })
  hubspot.addProperty('contacts', { name: 'vat', label: 'VAT', required: true })
  expect(await call({ fields: [field('email', 'vat@b.co')] })).toMatchObject({ error: expect.stringContaining('vat') })
  hubspot.addProperty('contacts', { name: 'vat', label: 'VAT' })
})

test('many searches at once take as long as their limit asks for', async () => {
  hubspot.add('contacts', { email: 'city@b.co', city: 'Rome' })
  const before = clock().getTime()
  const asked = Array.from({ length: 30 }, () => call({ action: 'search', find: { by: 'city', value: 'Rome' } }))
  expect((await Promise.all(asked)).every((answer) => (answer as { ok: boolean }).ok)).toBe(true)
  // four a second
  expect(clock().getTime() - before).toBeGreaterThanOrEqual(7_000)
})

test('lists properties with the values that they take, and stages and owners by their names', async () => {
  const list = async (object: string) =>
    (
      await ada.call(listChoices, {
        params: { pgid: ada.pgid, gid: connection },
        body: { list: 'properties', within: [object], search: '', reload: false },
      })
    ).choices
  expect(await list('contact')).toEqual(
    expect.arrayContaining([
      { id: 'email', label: 'Email' },
      {
        id: 'lifecyclestage',
        label: 'Lifecycle stage',
        detail: 'subscriber (Subscriber), lead (Lead), customer (Customer)',
      },
      { id: 'hubspot_owner_id', label: 'Contact owner', detail: '501 (Ada Example)' },
    ]),
  )
  const stages = (await list('ticket')).find(({ id }) => id === 'hs_pipeline_stage')
  expect(stages?.detail).toContain(stage())
})

test('a test creates and changes nothing, and says which of both it would do', async () => {
  const count = contacts().length
  const upsert = (email: string) => call({ action: 'upsert', ...byEmail(email), fields: [] }, undefined, 'simulated')
  expect(await upsert('new@b.co')).toMatchObject({ ok: true, testEffects: [{ action: 'create', of: 'contact' }] })
  expect(await upsert('ada@b.co')).toMatchObject({ ok: true, testEffects: [{ action: 'update', carriedOut: false }] })
  expect(contacts()).toHaveLength(count)
})

test('a real account’s token is not renewed at a stand-in that took the vendor’s place meanwhile', async () => {
  const { vendors } = server.context.config
  hubspot.fail({ on: 'GET *', with: 'unauthorized' })
  const isAsked = () => hubspot.callsOf('GET *').length > 0
  Object.defineProperty(vendors, 'sandbox', { configurable: true, get: () => (isAsked() ? hubspot.origin : null) })
  try {
    const answer = await call({ action: 'search', ...byEmail('ada@b.co') })
    expect(answer).toMatchObject({ ok: false, error: expect.stringContaining('not set up for HubSpot') })
    expect(hubspot.callsOf('POST *token')).toEqual([])
  } finally {
    Object.defineProperty(vendors, 'sandbox', { configurable: true, writable: true, value: null })
  }
})

// last: it takes the connection
test('a refresh that is refused marks the connection; disconnecting revokes it', async () => {
  hubspot.state.grants.all.at(-1) && hubspot.state.grants.revoke(hubspot.state.grants.all.at(-1) as never)
  expect(await call({ action: 'search', ...byEmail('ada@b.co') })).toMatchObject({
    error: expect.stringContaining('Connect it again'),
  })
  expect(await connect()).toBe(connection)
  const params = { pgid: ada.pgid, gid: connection }
  expect(await ada.call(disconnect, { params, body: { confirmed: true } })).toEqual({ revoked: true })
  expect(hubspot.state.grants.all.every(({ revoked }) => revoked)).toBe(true)
  expect(hubspot.broken).toEqual([])
})
