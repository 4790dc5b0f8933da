import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Json } from '../../../engine/values/json'
import { createTestClock } from '../../../tests/support/clock'
import { callContext } from '../../../tests/support/effects'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { consent } from '../../../tests/support/vendors/consent'
import { startSalesforce } from '../../../tests/support/vendors/salesforce/startSalesforce'
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
import { instanceHost } from './salesforce/host'

const clock = createTestClock('2026-11-24T10:00:00Z')
let salesforce: Awaited<ReturnType<typeof startSalesforce>>
let server: TestServer
let ada: Registered
let parts: Integrations
let connection: string
let projectId: string
let calls = 0

beforeAll(async () => {
  salesforce = await startSalesforce({ clock, rotates: true })
  const { vendors } = parseConfig({
    SALESFORCE_CLIENT_ID: salesforce.client.id,
    SALESFORCE_CLIENT_SECRET: salesforce.client.secret,
    SALESFORCE_LOGIN_URL: salesforce.origin,
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
  await salesforce.close()
})
beforeEach(() => {
  salesforce.faults.clear()
  salesforce.calls.length = 0
  clock.pass(61)
})

async function connect(): Promise<string> {
  const body = { vendor: 'salesforce', return_to: '' } as const
  const { url } = await ada.call(beginConnection, { params: { pgid: ada.pgid }, body })
  const { searchParams } = await consent(url)
  const [state = '', code = ''] = ['state', 'code'].map((name) => searchParams.get(name) ?? '')
  const answer = await ada.call(finishConnection, { body: { vendor: 'salesforce', state, code } })
  expect(answer.problem).toBe(null)
  return answer.connection?.gid ?? ''
}

const field = (name: string, value: string) => ({ name, value })
const request = {
  ...{ vendor: 'salesforce', action: 'create', object: 'contact', find: null, fields: [], links: [], show: [] },
}
const call = (more: object, key = `call-${++calls}`, writes: 'real' | 'simulated' = 'real'): Promise<Json> =>
  parts.crm.answer(
    { ...request, connection, ...more } as Json,
    callContext({ project: { id: projectId }, idempotencyKey: key, writes }),
  )
const contact = (name: string, ...more: ReturnType<typeof field>[]) => ({ fields: [field('LastName', name), ...more] })
const ticket = (subject: string) => ({ object: 'ticket', fields: [field('Subject', subject)] })
const byEmail = (value: string) => ({ find: { by: 'Email', value } })
const byKey = (value: string) => ({ find: { by: 'External_Id__c', value } })
const saying = (text: string) => ({ ok: false, error: expect.stringContaining(text) })
const named = (sobject: string, name: string) =>
  salesforce.all(sobject).filter(({ values }) => [values.LastName, values.Subject, values.Name].includes(name))
const writesSent = () => salesforce.calls.filter(({ method }) => method === 'POST' || method === 'PATCH')

const check = () => ada.call(checkConnection, { params: { pgid: ada.pgid, gid: connection } })

test('connects, names the person and the organisation, and renews a session that has ended', async () => {
  const { connections } = await ada.call(listVendorConnections, { params: { pgid: ada.pgid } })
  expect(connections).toMatchObject([{ vendor: 'salesforce', account: 'ada@example.com (127.0.0.1)', problem: null }])
  clock.pass(7_200)
  expect((await check()).connection.problem).toBe(null)
  // the new refresh token was kept: the old one is dead
  clock.pass(7_200)
  expect((await check()).connection.problem).toBe(null)
  expect(salesforce.broken).toEqual([])
})

test('sends a token to Salesforce’s own hosts and to the configured one, and nowhere else', () => {
  const hostOf = (instance_url: unknown, login = 'https://login.salesforce.com') =>
    instanceHost({ instance_url } as never, login)
  for (const host of ['https://acme.my.salesforce.com', 'https://acme--test.sandbox.my.salesforce.com'])
    expect(hostOf(`${host}/`)).toBe(host)
  expect(hostOf('http://127.0.0.1:4000', 'http://127.0.0.1:4000/')).toBe('http://127.0.0.1:4000')
  for (const foreign of [
    'https://salesforce.com.evil.example',
    'https://evilsalesforce.com',
    'http://acme.my.salesforce.com',
    'https://acme.my.salesforce.com:8443',
    'https://ada:x@acme.my.salesforce.com',
    'http://127.0.0.1:4000',
    'nothing',
    7,
  ])
    expect(() => hostOf(foreign), String(foreign)).toThrow()
})

test('creates, updates and finds records, and links them to others by ids of 15 and 18 signs', async () => {
  const company = (await call({ object: 'company', fields: [field('Name', 'Acme')] })) as { id: string }
  const ada = (await call({
    ...contact('Lovelace', field('Email', 'ada@b.co'), field('Phone', '')),
    links: [{ object: 'company', id: company.id.slice(0, 15) }],
  })) as { id: string }
  expect(ada).toMatchObject({ ok: true, url: `${salesforce.origin}/${ada.id}` })
  expect(named('Contact', 'Lovelace')[0]?.values).toEqual({
    LastName: 'Lovelace',
    Email: 'ada@b.co',
    AccountId: company.id,
  })
  const links = [
    { object: 'contact', id: ada.id },
    { object: 'company', id: company.id },
  ]
  expect(await call({ ...ticket('Help'), links, show: ['subject', 'Status', 'ContactId'] })).toMatchObject({
    ok: true,
    fields: { subject: 'Help', Status: 'New', ContactId: ada.id },
  })
  const change = { action: 'update', ...byEmail('ADA@b.co'), fields: [field('Title', 'Countess'), field('Email', '')] }
  expect(await call(change)).toMatchObject({ ok: true, id: ada.id })
  const byId = { action: 'search', find: { by: 'id', value: ada.id.slice(0, 15) } }
  expect(await call({ ...byId, show: ['Title', 'Email', 'CreatedDate'] })).toMatchObject({
    id: ada.id,
    fields: { Title: 'Countess', Email: null, CreatedDate: expect.any(String) },
  })
  expect(salesforce.broken).toEqual([])
})

test('creates or updates: one record for one value, even if several come at once', async () => {
  const upsert = (find: object, title: string) =>
    call({ ...contact('Twice', field('Title', title)), action: 'upsert', ...find }) as Promise<{ id: string }>
  for (const find of [byEmail('eve@b.co'), byKey('customer/7 é')]) {
    const [one, two] = await Promise.all([upsert(find, 'a'), upsert(find, 'b')])
    expect(one?.id).toBe(two?.id)
    expect((await upsert(find, 'c')).id).toBe(one?.id)
  }
  expect(named('Contact', 'Twice').map(({ values }) => [values.Title, values.Email ?? values.External_Id__c])).toEqual([
    ['c', 'eve@b.co'],
    ['c', 'customer/7 é'],
  ])
  salesforce.add('Contact', { LastName: 'Other', External_Id__c: 'customer/7 é' })
  expect(await call({ ...contact('Twice'), action: 'upsert', ...byKey('customer/7 é') })).toMatchObject(
    saying('Several records match: External Id “customer/7 é”'),
  )
  salesforce.state.duplicateRule = true
  expect(await call(contact('Eve', field('Email', 'eve@b.co')))).toMatchObject(saying('exists already'))
  salesforce.state.duplicateRule = false
  expect(salesforce.broken).toEqual([])
})

test('what is not there is not found; an empty value finds nobody, and a visitor’s text is never read as SOQL', async () => {
  for (const find of [
    { by: 'Email', value: 'nobody@b.co' },
    { by: 'Email', value: ' ' },
    { by: 'id', value: '0035e0000000zzzAAA' },
    { by: 'LastName', value: "x' OR LastName != 'x" },
    { by: 'LastName', value: "\\' OR LastName != '" },
    { by: 'LastName', value: 'x'.repeat(300) },
  ]) {
    expect(await call({ action: 'search', find })).toEqual({ ok: false, error: 'not-found' })
    expect(await call({ action: 'update', find, fields: [field('Title', 'x')] })).toEqual({
      ok: false,
      error: 'not-found',
    })
  }
  const odd = `O'Hara "\\\n%_`
  await call(contact(odd))
  expect(await call({ action: 'search', find: { by: 'LastName', value: odd } })).toMatchObject({ ok: true })
  expect(salesforce.broken).toEqual([])
})

const FAULTS = [
  ['the connection breaks after the write', 'cutAfterWrite', {}],
  ['it fails after the write', 'serverErrorAfterWrite', {}],
  ['half an answer comes', 'halfJson', {}],
  ['the connection breaks before the write', 'cutBeforeWrite', {}],
  ['it fails before the write', 'serverError', {}],
  ['a page comes in place of an answer', 'html', {}],
  ['it is busy and says until when', 'tooMany', { retryAfter: 30 }],
  ['somebody else changes the record', 'conflict', {}],
  ['the session has ended', 'unauthorized', {}],
] as const

test.each(FAULTS)('writes once when %s', async (_, fault, more) => {
  const name = `Fault ${fault}`
  const fail = (on: string) => salesforce.fail({ on, with: fault, ...more })
  fail('POST *sobjects/Case')
  expect(await call(ticket(name))).toMatchObject({ ok: true, id: expect.stringMatching(/^500/) })
  fail('POST *sobjects/Contact')
  const upsert = { ...contact(name), action: 'upsert' }
  expect(await call({ ...upsert, ...byEmail(`${fault.toLowerCase()}@b.co`) })).toMatchObject({ ok: true })
  fail('PATCH *sobjects/Contact/External_Id__c/*')
  const put = (await call({ ...upsert, ...byKey(fault) })) as { ok: boolean; error?: string }
  // a page in the name of an answer says nothing of the write, and the block leaves by Failure
  if (!put.ok) expect(put.error).toContain('can’t be read')
  expect([named('Case', name).length, named('Contact', name).length]).toEqual([1, fault === 'html' ? 1 : 2])
  expect(salesforce.broken).toEqual([])
})

test('creates one case when the server crashed between the write and its record, and tells others’ apart', async () => {
  const first = (await call(ticket('Crashed'), 'crash-1')) as { id: string }
  const second = (await call(ticket('Crashed'), 'crash-2')) as { id: string }
  expect(second.id).not.toBe(first.id)
  const { db } = server.context
  const crash = (key: string) =>
    db.updateTable('vendor_writes').set({ done: false, answer: '""' }).where('key', '=', key).execute()
  await crash('crash-2')
  expect(await call(ticket('Crashed'), 'crash-2')).toMatchObject({ ok: true, id: second.id })
  // before anything was sent
  await db.updateTable('vendor_writes').set({ done: false, answer: null }).where('key', '=', 'crash-1').execute()
  salesforce.state.records.delete(first.id)
  expect(await call(ticket('Crashed'), 'crash-1')).toMatchObject({ ok: true })
  expect(named('Case', 'Crashed')).toHaveLength(2)
  // long texts can't be searched for, and are compared
  const long = { object: 'ticket', fields: [field('Description', `One\n\n${'long '.repeat(100)}`)] }
  const described = (await call(long, 'crash-3')) as { id: string }
  await call({ object: 'ticket', fields: [field('Description', 'another')] })
  await crash('crash-3')
  expect(await call(long, 'crash-3')).toMatchObject({ ok: true, id: described.id })
})

test('a change whose answer got lost is made again', async () => {
  await call(contact('Lost', field('Email', 'lost@b.co')))
  salesforce.fail({ on: 'PATCH *', with: 'cutAfterWrite' })
  const fields = [field('Title', 'Found')]
  expect(await call({ action: 'update', ...byEmail('lost@b.co'), fields })).toMatchObject({ ok: true })
  expect(named('Contact', 'Lost')[0]?.values.Title).toBe('Found')
})

test('says what is wrong with a value before it is sent, and which field is missing or gone', async () => {
  const problem = async (more: object) => ((await call(more)) as { error: string }).error
  const withPriority = (value: string) => ({ ...ticket('x'), fields: [field('Priority', value)] })
  expect(await problem(withPriority('Urgent'))).toContain('“Priority” takes High, Medium, Low, not “Urgent”')
  expect(await problem(ticket('x'.repeat(300)))).toContain('holds 255 characters at most, and the value has 300')
  salesforce.addField('Case', { name: 'Angry__c', label: 'Angry', type: 'boolean' })
  salesforce.addField('Case', { name: 'Amount__c', label: 'Amount', type: 'double' })
  clock.pass(601)
  const typed = (...fields: object[]) => ({ object: 'ticket', fields: [field('Subject', 'Typed'), ...fields] })
  expect(await problem(typed(field('Amount__c', 'much')))).toContain('takes a number such as 1234.5, not “much”')
  expect(await problem(typed(field('Angry__c', 'maybe')))).toContain('takes true or false')
  const right = typed(field('Amount__c', '12.5'), field('Angry__c', 'yes'))
  expect(await call(right)).toMatchObject({ ok: true })
  expect(named('Case', 'Typed')[0]?.values).toMatchObject({ Amount__c: 12.5, Angry__c: true })
  expect(await call({ ...right, action: 'search', find: { by: 'Amount__c', value: '12.5' } })).toMatchObject({
    ok: true,
  })
  expect(writesSent()).toHaveLength(1)

  expect(await problem({ ...ticket('x'), links: [{ object: 'contact', id: '5005e0000000001AAA' }] })).toContain(
    'begins with 003',
  )
  expect(await problem({ action: 'update', find: { by: 'id', value: '1234' }, ...contact('x') })).toContain('“1234”')
  expect(await problem({ object: 'company', fields: [field('Phone', '1')] })).toContain('asks for more fields: Name')
  expect(await problem(contact('x', field('Email', 'nobody')))).toContain('invalid email address')
})

test('sets fifty fields at once and reads them again; one more is refused before anything is sent', async () => {
  const contactObject = salesforce.state.objects.find(({ name }) => name === 'Contact')
  const known = contactObject?.fields ?? []
  const fifty = Array.from({ length: 49 }, (_, at) => `Answer_${at}__c`)
  for (const name of fifty) salesforce.addField('Contact', { name, label: name })
  clock.pass(601)
  const all = contact('Fifty', ...fifty.map((name) => field(name, `said ${name}`)))
  const made = (await call(all)) as { id: string }
  expect(named('Contact', 'Fifty')).toMatchObject([
    { values: { Answer_0__c: 'said Answer_0__c', Answer_48__c: 'said Answer_48__c' } },
  ])
  const found = await call({ action: 'search', find: { by: 'id', value: made.id }, show: fifty })
  expect(found).toMatchObject({ ok: true, fields: { Answer_48__c: 'said Answer_48__c' } })
  const sent = salesforce.calls.length
  const many = { fields: [...all.fields, field('Email', 'a@b.co')] }
  expect(await call(many)).toMatchObject(saying('At most 50'))
  expect(salesforce.calls).toHaveLength(sent)
  if (contactObject) contactObject.fields = known
  clock.pass(601)
})

test('a field that was renamed, or has become required, fails by name and changes nothing', async () => {
  const { objects } = salesforce.state
  const known = objects.find(({ name }) => name === 'Contact')?.fields ?? []
  salesforce.addField('Contact', { name: 'Size__c', label: 'Size' })
  clock.pass(601)
  const sized = contact('Sized', field('Size__c', 'L'))
  expect(await call(sized)).toMatchObject({ ok: true })
  const contactObject = objects.find(({ name }) => name === 'Contact')
  if (contactObject) contactObject.fields = known
  // the description that is kept still has it: Salesforce says so
  expect(await call(sized)).toMatchObject(saying('A field does not exist any more'))
  clock.pass(601)
  expect(await call(sized)).toMatchObject(saying('“Size__c” of Contact. Choose it again'))
  salesforce.addField('Contact', { name: 'Vat__c', label: 'VAT', required: true })
  expect(await call(contact('Sized'))).toMatchObject(saying('asks for more fields: Vat__c'))
  if (contactObject) contactObject.fields = known
  expect(named('Contact', 'Sized')).toHaveLength(1)
})

test('stops before the organisation’s calls of a day are used up, and fails at once when they are', async () => {
  const used = async () => {
    salesforce.calls.length = 0
    await call({ action: 'search', ...byEmail('ada@b.co') })
    return salesforce.calls.length
  }
  salesforce.state.dailyCalls = 1
  expect(await call({ action: 'search', ...byEmail('ada@b.co') })).toMatchObject(saying('24 hours are used up'))
  // the next call does not even ask
  expect(await used()).toBe(0)
  clock.pass(301)
  salesforce.state.dailyCalls = 15_000
  expect(await used()).toBeGreaterThan(0)
  expect(await used()).toBeGreaterThan(0)
})

test('lists fields with their types and values, says which are required, and shows what was last seen', async () => {
  const list = (object: string, reload = false) =>
    ada.call(listChoices, {
      params: { pgid: ada.pgid, gid: connection },
      body: { list: 'properties', within: [object], search: '', reload },
    })
  const { choices } = await list('contact')
  expect(choices).toEqual(
    expect.arrayContaining([
      { id: 'LastName', label: 'Last Name', detail: 'text, 80 characters at most', required: true },
      { id: 'Email', label: 'Email', detail: 'an email address' },
    ]),
  )
  expect((await list('ticket')).choices).toEqual(
    expect.arrayContaining([
      { id: 'Priority', label: 'Priority', detail: 'High, Medium, Low' },
      { id: 'CaseNumber', label: 'Case Number', detail: 'read only' },
    ]),
  )
  salesforce.fail({ on: 'GET *', with: 'forbidden', times: 9 })
  expect(await list('contact', true)).toMatchObject({ choices, problem: expect.stringContaining('may not do this') })
})

test('a test creates and changes nothing, and says which of both it would do', async () => {
  salesforce.calls.length = 0
  const upsert = (email: string) =>
    call({ action: 'upsert', ...byEmail(email), ...contact('x') }, undefined, 'simulated')
  expect(await upsert('new@b.co')).toMatchObject({
    ok: true,
    testEffects: [{ vendor: 'Salesforce', action: 'create', of: 'contact' }],
  })
  expect(await upsert('eve@b.co')).toMatchObject({ ok: true, testEffects: [{ action: 'update', carriedOut: false }] })
  expect(writesSent()).toEqual([])
})

test('a refresh that is answered twice leaves one that works, or says that it must be connected again', async () => {
  clock.pass(7_200)
  salesforce.fail({ on: 'POST *token', with: 'refreshTwice' })
  const answer = (await call(ticket('Refreshed'))) as { ok: boolean; error?: string }
  expect(named('Case', 'Refreshed')).toHaveLength(answer.ok ? 1 : 0)
  if (!answer.ok) expect(answer.error).toContain('Connect it again')
  expect(await connect()).toBe(connection)
})

// last: they take the connection
test('a token revoked in the middle of a conversation fails by the remedy; disconnecting revokes the new one', async () => {
  salesforce.fail({ on: 'POST *sobjects/Case', with: 'tokenRevoked' })
  expect(await call(ticket('Revoked'))).toMatchObject(saying('Connect it again'))
  expect(await call(ticket('Revoked'))).toMatchObject(saying('Connect it again'))
  expect(named('Case', 'Revoked')).toHaveLength(0)
  const { connections } = await ada.call(listVendorConnections, { params: { pgid: ada.pgid } })
  expect(connections).toMatchObject([{ problem: { code: 'reconnect' } }])
  expect(await connect()).toBe(connection)
  expect(await call(ticket('Revoked'))).toMatchObject({ ok: true })
  const params = { pgid: ada.pgid, gid: connection }
  expect(await ada.call(disconnect, { params, body: { confirmed: true } })).toEqual({ revoked: true })
  expect(salesforce.state.grants.all.at(-1)?.revoked).toBe(true)
  expect(salesforce.broken).toEqual([])
})
