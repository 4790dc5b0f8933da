import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Json } from '../../../engine/values/json'
import { createTestClock } from '../../../tests/support/clock'
import { callContext } from '../../../tests/support/effects'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { startZendesk } from '../../../tests/support/vendors/zendesk/startZendesk'
import { connectByHand, listChoices, listVendorConnections, tryTicket } from '../../contracts/integrations'
import { parseConfig } from '../../platform/config/config'
import { createIntegrations, type Integrations } from './createIntegrations'
import { explain } from './zendesk/explain'
import { seen } from './zendesk/places'

const clock = createTestClock('2026-11-24T10:00:00Z')
let zendesk: Awaited<ReturnType<typeof startZendesk>>
let server: TestServer
let ada: Registered
let parts: Integrations
let connection: string
let projectId: string
let calls = 0

beforeAll(async () => {
  zendesk = await startZendesk({ clock })
  const { vendors } = parseConfig({ ZENDESK_URL: zendesk.origin })
  server = await startTestServer({ config: { vendors }, clock })
  ada = await server.register()
  parts = createIntegrations(server.context, { wait: async (ms) => clock.pass(ms / 1_000) })
  connection = await connect()
  const project = server.context.db.selectFrom('projects').select('id').where('gid', '=', ada.pgid)
  projectId = (await project.executeTakeFirstOrThrow()).id
})
afterAll(async () => {
  await server?.close()
  await zendesk?.close()
})
beforeEach(() => {
  zendesk.faults.clear()
  zendesk.calls.length = 0
  clock.pass(61)
})

async function connect(): Promise<string> {
  const fields = { subdomain: 'acme', clientId: zendesk.client.id, clientSecret: zendesk.client.secret }
  const body = { vendor: 'zendesk', way: 'zendesk-client', fields } as const
  return (await ada.call(connectByHand, { params: { pgid: ada.pgid }, body })).connection.gid
}

const empty = () => ({
  connection,
  action: 'create' as const,
  ticket: '',
  subject: '',
  comment: { body: 'It rattles', public: true },
  requester: { name: '', email: '' },
  priority: null,
  type: null,
  status: null,
  tags: [],
  fields: [],
})
const call = (more: object, key = `call-${++calls}`, writes: 'real' | 'simulated' = 'real'): Promise<Json> =>
  parts.ticket.answer(
    { ...empty(), ...more } as Json,
    callContext({ project: { id: projectId }, idempotencyKey: key, writes }),
  )
const made = async (more: object = {}) => (await call(more)) as { ok: boolean; id: string; url: string }
const last = () => zendesk.tickets().at(-1)
const comment = (body: string, isPublic = true) => ({ comment: { body, public: isPublic } })
const bodies = () => last()?.comments.map(({ body }) => body)

test('creates a ticket with all that a block can say, and answers its id, link and status', async () => {
  const field = zendesk.addField({ title: 'Urgent?', type: 'checkbox' })
  const answer = await call({
    subject: 'Order 7',
    requester: { name: '', email: 'eve@example.com' },
    ...comment('Only for us', false),
    priority: 'high',
    type: 'incident',
    status: 'open',
    tags: ['chatbot'],
    fields: [{ field: String(field.id), type: 'checkbox', value: 'yes' }],
  })
  expect(answer).toEqual({
    ok: true,
    id: String(last()?.id),
    url: `${zendesk.origin}/agent/tickets/${last()?.id}`,
    status: 'open',
  })
  expect(last()).toMatchObject({
    subject: 'Order 7',
    priority: 'high',
    type: 'incident',
    tags: ['chatbot'],
    customFields: [{ id: field.id, value: true }],
    comments: [{ body: 'Only for us', public: false }],
  })
  expect(zendesk.state.users.find(({ id }) => id === last()?.requesterId)?.email).toBe('eve@example.com')
})

test('comments, changes, and keeps the tags that the team gave', async () => {
  const { id } = await made({ tags: ['team'] })
  expect(
    await call({ action: 'update', ticket: id, ...comment('More'), tags: ['bot'], status: 'solved' }),
  ).toMatchObject({
    ok: true,
    status: 'solved',
  })
  expect(bodies()).toEqual(['It rattles', 'More'])
  expect(last()?.tags).toEqual(['team', 'bot'])
  expect(await call({ action: 'get', ticket: id })).toMatchObject({ ok: true, id, status: 'solved' })
})

test('what is not there is not found, and an id of another kind is said to be one', async () => {
  for (const action of ['get', 'update'])
    for (const body of ['', 'Hello'])
      expect(await call({ action, ticket: '999999', ...comment(body) })).toEqual({ ok: false, error: 'not-found' })
  const before = zendesk.calls.length
  for (const ticket of ['abc', '', '1/../2', '9'.repeat(19)])
    expect(await call({ action: 'get', ticket })).toMatchObject({ error: expect.stringContaining('digits only') })
  expect(zendesk.calls).toHaveLength(before)
})

const lost = [
  'cutBeforeWrite',
  'cutAfterWrite',
  'serverErrorAfterWrite',
  'serverError',
  'halfJson',
  'html',
  'tooMany',
  'unauthorized',
] as const

test.each(lost)('creates one ticket in spite of %s', async (fault) => {
  const before = zendesk.tickets().length
  zendesk.fail({ on: 'POST *tickets', with: fault })
  expect(await call({ subject: fault })).toMatchObject({ ok: true, id: expect.stringMatching(/^\d+$/) })
  expect(zendesk.tickets()).toHaveLength(before + 1)
})

test.each(lost)('adds one comment in spite of %s', async (fault) => {
  const { id } = await made()
  zendesk.fail({ on: 'PUT *', with: fault })
  expect(await call({ action: 'update', ticket: id, ...comment(`Again: ${fault}`) })).toMatchObject({ ok: true, id })
  expect(bodies()).toEqual(['It rattles', `Again: ${fault}`])
})

test('a crash between the write and its record makes no second ticket and no second comment', async () => {
  const { db } = server.context
  const forget = (key: string, answer: string) =>
    db.updateTable('vendor_writes').set({ done: false, answer }).where('key', '=', key).execute()
  const first = (await call({ subject: 'Crashed' }, 'crash')) as { id: string }
  await forget('crash', '""')
  const count = zendesk.tickets().length
  expect(await call({ subject: 'Crashed' }, 'crash')).toMatchObject({ ok: true, id: first.id })
  expect(zendesk.tickets()).toHaveLength(count)
  const update = { action: 'update', ticket: first.id, ...comment('Once') }
  await call(update, 'crash-2')
  await forget('crash-2', '{"status":"new"}')
  expect(await call(update, 'crash-2')).toMatchObject({ ok: true })
  expect(bodies()).toEqual(['It rattles', 'Once'])
})

test('says what Zendesk refuses, in its words: a closed ticket, a field that is gone, a pending ticket without an agent', async () => {
  const { id } = await made()
  const ticket = last()
  if (ticket) zendesk.state.tickets.set(ticket.id, { ...ticket, status: 'closed' })
  const refused = (text: string) => ({ ok: false, error: expect.stringContaining(text) })
  expect(await call({ action: 'update', ticket: id, ...comment('x') })).toEqual(refused('closed'))
  expect(await call({ fields: [{ field: '77', type: 'text', value: 'x' }] })).toEqual(refused('77'))
  expect(await call({ status: 'pending' })).toEqual(refused('Assignee'))
  expect(await call(comment(' '))).toEqual(refused('description is empty'))
  expect(await call({ requester: { name: '', email: 'nobody' } })).toEqual(refused('“nobody”'))
  expect(await call({ subject: 'x'.repeat(256) })).toEqual(refused('255'))
})

test('sets fifty of the account’s fields at once; one more is refused before anything is sent', async () => {
  const added = Array.from({ length: 51 }, (_, at) => zendesk.addField({ title: `Answer ${at}`, type: 'text' }))
  const fields = added.map(({ id }) => ({ field: String(id), type: 'text', value: `said ${id}` }))
  await made({ fields: fields.slice(0, 50) })
  expect(last()?.customFields).toHaveLength(50)
  const sent = zendesk.calls.length
  expect(await call({ fields })).toMatchObject({ ok: false, error: expect.stringContaining('At most 50') })
  expect(zendesk.calls).toHaveLength(sent)
})

test('waits as long as Zendesk says when it is busy', async () => {
  zendesk.fail({ on: 'POST *tickets', with: 'tooMany', retryAfter: 17 })
  const before = clock().getTime()
  expect(await call({})).toMatchObject({ ok: true })
  expect(clock().getTime() - before).toBeGreaterThanOrEqual(17_000)
})

test('lists the account’s fields with what they take, and shows them while Zendesk fails', async () => {
  const options = [{ name: 'Road bike', value: 'road' }]
  const field = zendesk.addField({ title: 'Bike', type: 'tagger', options })
  const ask = (reload: boolean) =>
    ada.call(listChoices, {
      params: { pgid: ada.pgid, gid: connection },
      body: { list: 'fields', within: [], search: '', reload },
    })
  const bike = { id: `${field.id}:tagger`, label: 'Bike', detail: 'road (Road bike)' }
  const { choices } = await ask(true)
  expect(choices).toContainEqual(bike)
  expect(choices.map(({ label }) => label)).not.toContain('Subject')
  zendesk.fail({ on: 'GET *ticket_fields', with: 'forbidden', times: 10 })
  expect(await ask(true)).toMatchObject({ choices: expect.arrayContaining([bike]), problem: expect.any(String) })
})

test('a ticket goes to the group, the brand and the form that were chosen from the account’s', async () => {
  zendesk.state.groups.push({ id: 52, name: 'Billing', deleted: false }, { id: 53, name: 'Old', deleted: true })
  zendesk.state.brands.push({ id: 62, name: 'Bikes', active: true }, { id: 63, name: 'Closed', active: false })
  zendesk.state.forms.push({ id: 72, name: 'Repair', active: true, fieldIds: [11] })
  const listed = async (list: 'groups' | 'brands' | 'ticket-forms') => {
    const params = { pgid: ada.pgid, gid: connection }
    const { choices } = await ada.call(listChoices, { params, body: { list, within: [], search: '', reload: true } })
    return choices.map(({ id, label }) => `${id} ${label}`)
  }
  expect(await listed('groups')).toEqual(['52 Billing', '51 Support'])
  expect(await listed('brands')).toEqual(['61 Acme', '62 Bikes'])
  expect(await listed('ticket-forms')).toEqual(['71 Default form', '72 Repair'])
  const { id } = await made({ group: '52', brand: '62', form: '72' })
  expect(last()).toMatchObject({ groupId: 52, brandId: 62, formId: 72 })
  await call({ action: 'update', ticket: id, group: '51' })
  expect(last()).toMatchObject({ groupId: 51, brandId: 62, formId: 72 })
  expect(await call({ group: '53' })).toMatchObject({ ok: false, error: expect.stringContaining('Group') })
  expect(await call({ group: '1/../2' })).toMatchObject({ ok: false, error: expect.stringContaining('1/../2') })
})

test('an account that may not see groups says so in their list alone, and works on', async () => {
  const { db } = server.context
  zendesk.fail({ on: 'GET *groups', with: 'forbidden' })
  const body = { list: 'groups' as const, within: [], search: '', reload: true }
  expect(await ada.call(listChoices, { params: { pgid: ada.pgid, gid: connection }, body })).toMatchObject({
    choices: expect.arrayContaining([expect.objectContaining({ id: '52' })]),
    problem: expect.stringContaining('to see groups'),
  })
  expect(await db.selectFrom('connections').select('problem').execute()).toEqual([{ problem: null }])
  const missing = { error: 'Forbidden', description: 'You are missing the following required scopes: read' }
  expect(explain(403, missing, seen.groups).code).toBe('forbidden')
  expect(explain(403, missing, 'Zendesk').code).toBe('scope')
  expect(await call({})).toMatchObject({ ok: true })
})

test('a test creates and changes nothing, and shows what it would do', async () => {
  const { id } = await made()
  const count = zendesk.tickets().length
  expect(await call({ subject: 'S' }, undefined, 'simulated')).toMatchObject({
    ok: true,
    testEffects: [{ action: 'create', of: 'ticket', carriedOut: false, fields: { Subject: 'S' } }],
  })
  expect(await call({ action: 'update', ticket: id }, undefined, 'simulated')).toMatchObject({
    testEffects: [{ action: 'update' }],
  })
  expect(await call({ action: 'get', ticket: '1' }, undefined, 'simulated')).toEqual({ ok: false, error: 'not-found' })
  expect(zendesk.tickets()).toHaveLength(count)
  expect(bodies()).toEqual(['It rattles'])
})

test('an editor tries it once, for real', async () => {
  const answer = await ada.call(tryTicket, { params: { pgid: ada.pgid }, body: empty() })
  expect(answer).toMatchObject({ ok: true, error: null, id: String(last()?.id), status: 'new' })
})

// last: it takes the connection
test('a client that is taken away breaks the connection, and the editor is told what to do', async () => {
  for (const grant of zendesk.state.grants.all) zendesk.state.grants.revoke(grant)
  zendesk.client.secret = 'another'
  for (let n = 0; n < 2; n++)
    expect(await call({})).toEqual({
      ok: false,
      error: 'Zendesk no longer lets Parley in. Connect it again under Integrations.',
    })
  const { connections } = await ada.call(listVendorConnections, { params: { pgid: ada.pgid } })
  expect(connections).toMatchObject([{ problem: { code: 'reconnect' } }])
  expect(zendesk.broken).toEqual([])
})
