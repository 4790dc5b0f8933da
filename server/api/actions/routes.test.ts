import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AgentAction } from '../../../engine/values/agentActions'
import { addMember, makeChatbot } from '../../../tests/support/collab'
import { type OutsideServer, startOutsideServer } from '../../../tests/support/outsideServer'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { parseNetworks } from '../../outside/addresses'
import { Role } from '../roles'
import * as contract from './contract'

let outside: OutsideServer
let server: TestServer
let ada: Registered
let now = new Date('2026-11-22T10:00:00Z')
beforeAll(async () => {
  outside = await startOutsideServer(({ path }, response) => {
    if (path.startsWith('/large')) return response.end('x'.repeat(100_000))
    response.writeHead(path.startsWith('/fails') ? 503 : 200, { 'content-type': 'application/json' })
    response.end('{"degrees":21}')
  })
  server = await startTestServer({ config: { outboundAllow: parseNetworks('127.0.0.1') }, clock: () => now })
  ada = await server.register()
})
afterAll(async () => {
  outside.close()
  await server.close()
})

const weather = (change: Partial<Extract<AgentAction, { kind: 'http-request' }>> = {}): AgentAction => ({
  kind: 'http-request',
  name: 'Weather',
  description: 'Use it when somebody asks for the weather.',
  frequency: 'always',
  parameters: [{ name: 'city', type: 'text', description: 'Where', required: true, choices: [] }],
  save_to: null,
  config: {
    method: 'POST',
    url: `${outside.url}/weather/{{city}}`,
    headers: [{ name: 'X-City', value: '{{city}}' }],
    body: '{"city":"{{city}}"}',
  },
  enabled: true,
  ...change,
})
const links = (name: string): AgentAction => ({
  kind: 'buttons',
  name,
  description: 'When somebody wants prices.',
  frequency: 'once',
  parameters: [],
  save_to: null,
  config: { text: 'More', buttons: [{ label: 'Prices', url: 'https://example.com/prices' }] },
  enabled: true,
})

async function setUp(owner = ada) {
  const { pgid, cgid } = await makeChatbot(owner)
  const params = { pgid, cgid }
  return { params, path: `/api/projects/${pgid}/chatbots/${cgid}/actions` }
}

test('an action is made, read, changed, switched off, put in order and deleted', async () => {
  const { params } = await setUp()
  const made = await ada.call(contract.createAction, { params, body: weather() })
  const second = await ada.call(contract.createAction, { params, body: links('Prices') })
  const one = { ...params, gid: made.gid }
  expect(await ada.call(contract.readAction, { params: one })).toEqual(made)
  const changed = await ada.call(contract.updateAction, {
    params: one,
    body: { action: weather({ name: 'Weather now', save_to: 'degrees' }), was: made.updated_at },
  })
  expect(changed.action).toMatchObject({ name: 'Weather now', save_to: 'degrees' })
  const off = await ada.call(contract.enableAction, { params: one, body: { enabled: false } })
  expect(off.action.enabled).toBe(false)
  await ada.call(contract.orderActions, { params, body: { gids: [second.gid, made.gid] } })
  const list = await ada.call(contract.listActions, { params })
  expect(list.actions.map(({ action }) => [action.name, action.enabled])).toEqual([
    ['Prices', true],
    ['Weather now', false],
  ])
  expect(list.model.works).toBe('built-in')
  await ada.call(contract.deleteAction, { params: one })
  await expect(ada.call(contract.readAction, { params: one })).rejects.toThrow(': 404 ')
  expect((await ada.call(contract.listActions, { params })).actions).toHaveLength(1)
})

test('who saves over what somebody else saved meanwhile is told, and an order of others is refused', async () => {
  const { params, path } = await setUp()
  const made = await ada.call(contract.createAction, { params, body: weather() })
  const save = () => ada.send('PATCH', `${path}/${made.gid}`, { action: weather(), was: made.updated_at })
  const both = await Promise.all([save(), save()])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  for (const gids of [[], [made.gid, made.gid], ['a'.repeat(16)]])
    expect(await ada.send('POST', `${path}-order`, { gids })).toMatchObject({ status: 409 })
})

test('what is wrong is said at its field, and each cap is where it should be', async () => {
  const { params, path } = await setUp()
  const fieldsOf = async (action: object) =>
    ((await ada.send('POST', path, action)).body as { data: { fields?: Record<string, string> } }).data.fields
  expect(await fieldsOf({ ...weather(), name: ' ', description: 'x'.repeat(501) })).toEqual({
    name: 'Enter a value',
    description: 'Must not exceed 500 characters',
  })
  expect(await fieldsOf({ ...weather(), name: 'x'.repeat(65) })).toEqual({ name: 'Must not exceed 64 characters' })
  const config = (change: object) => ({ ...weather(), config: { ...weather().config, ...change } })
  expect(await fieldsOf(config({ url: 'ftp://example.com' }))).toEqual({
    'config.url': 'Enter a valid URL (must start with https:// or http://)',
  })
  expect(await fieldsOf(config({ url: 'https://{{host}}/x' }))).toEqual({
    'config.url': 'The server’s name must be written out: a {{placeholder}} may stand behind it',
  })
  expect(await fieldsOf(config({ body: '{"a":}' }))).toHaveProperty(['config.body'])
  expect(await fieldsOf(config({ body: `"${'x'.repeat(4_999)}"` }))).toEqual({
    'config.body': 'Must not exceed 5000 characters',
  })
  const twice = [...weather().parameters, ...weather().parameters]
  expect(await fieldsOf({ ...weather(), parameters: twice })).toEqual({
    'parameters.1.name': 'There is another parameter of this name',
  })
  expect(
    await fieldsOf({ ...links('x'), config: { text: '', buttons: [{ label: 'x'.repeat(51), url: '' }] } }),
  ).toEqual({ 'config.buttons.0.label': 'Must not exceed 50 characters', 'config.buttons.0.url': 'Enter a value' })
  const booking = { ...links('Book'), kind: 'booking', config: { label: 'Book', name: '', email: 'no', phone: '' } }
  expect(
    await fieldsOf({ ...booking, config: { ...booking.config, url: 'https://calendly.com.evil.example/x' } }),
  ).toEqual({
    'config.url': 'Enter a valid booking link (such as https://calendly.com/your-name/30min)',
    'config.email': 'Enter a valid email address',
  })
  const lead = { title: '', submit_label: 'Send', thanks: '', fields: [{ field: 'name', required: true, prefill: '' }] }
  expect(await fieldsOf({ ...links('Lead'), kind: 'lead-form', config: lead })).toEqual({
    'config.fields': 'Require the email or the phone number: a contact is found again by one of them',
  })
  await ada.call(contract.createAction, { params, body: weather({ name: 'x'.repeat(64) }) })
  expect(await fieldsOf(weather({ name: 'X'.repeat(64) }))).toEqual({ name: 'There is another action of this name' })
})

test('a test run does it for real, with what was filled in escaped for its place', async () => {
  const { params } = await setUp()
  const test = (action: AgentAction, given: contract.ActionRun['result']) =>
    ada.call(contract.testAction, { params, body: { action, arguments: given as Record<string, string> } })
  const run = await test(weather(), { city: 'a/b?"\r\nX-Evil: 1' })
  expect(run).toMatchObject({ ok: true, result: { ok: true, status: 200, body: { degrees: 21 } }, parts: [] })
  expect(run.steps).toMatchObject([{ name: 'Weather', ok: true }])
  expect(outside.received.at(-1)).toMatchObject({
    method: 'POST',
    path: '/weather/a%2Fb%3F%22%0D%0AX-Evil%3A%201',
    headers: { 'x-city': 'a/b?" X-Evil: 1' },
    body: '{"city":"a/b?\\"\\r\\nX-Evil: 1"}',
  })
  const calls = outside.received.length
  expect(await test(weather(), {})).toMatchObject({ ok: false, result: { error: 'city: Enter a value' } })
  expect(await test(weather(), { city: '..' })).toMatchObject({ ok: false })
  expect(await test(weather(), { city: 'x', other: 1 })).toMatchObject({
    result: { error: 'other: There is no such argument' },
  })
  expect(outside.received.length).toBe(calls)
  const at = (url: string) => weather({ config: { method: 'GET', url, headers: [], body: '' } })
  expect(await test(at('http://169.254.169.254/latest'), { city: 'x' })).toMatchObject({ ok: false })
  expect(await test(at(`${outside.url}/fails`), { city: 'x' })).toMatchObject({ ok: false, result: { status: 503 } })
  const large = await test(at(`${outside.url}/large`), { city: 'x' })
  expect(Buffer.byteLength(JSON.stringify(large.result))).toBeLessThanOrEqual(20_000)
  expect(JSON.stringify(large.result)).toContain('longer than 20 KB')
  expect(await test(links('Prices'), {})).toMatchObject({
    ok: true,
    parts: [{ type: 'buttons', text: 'More', buttons: [{ label: 'Prices', url: 'https://example.com/prices' }] }],
  })
})

test('who may not edit sees and tries nothing, and another project’s action is not there', async () => {
  const { params, path } = await setUp()
  const made = await ada.call(contract.createAction, { params, body: weather() })
  const viewer = await server.register()
  await addMember(server, ada.pgid, viewer, [Role.VIEWER])
  expect(await viewer.send('GET', path)).toMatchObject({ status: 403 })
  expect(await viewer.send('POST', `${path}-test`, { action: weather(), arguments: {} })).toMatchObject({ status: 403 })
  const bob = await server.register()
  const theirs = await setUp(bob)
  for (const [method, rest, body] of [
    ['GET', '', undefined],
    ['PATCH', '', { action: weather(), was: made.updated_at }],
    ['POST', '/enabled', { enabled: false }],
    ['DELETE', '', undefined],
  ] as const)
    expect(await bob.send(method, `${theirs.path}/${made.gid}${rest}`, body)).toMatchObject({ status: 404 })
  expect(await bob.send('GET', path)).toMatchObject({ status: 404 })
  expect((await ada.call(contract.readAction, { params: { ...params, gid: made.gid } })).action.enabled).toBe(true)
})

test('a plan without actions refuses them with the sentence of its upgrade', async () => {
  const eve = await server.register()
  const { params, path } = await setUp(eve)
  const made = await eve.call(contract.createAction, { params, body: links('Prices') })
  await server.context.db.updateTable('projects').set({ plan_id: 'free' }).where('gid', '=', eve.pgid).execute()
  const refused = {
    status: 403,
    body: {
      code: 'plan_limit',
      data: 'This feature is not available on your current plan. You must upgrade to enable it.',
    },
  }
  expect(await eve.send('POST', path, links('More'))).toMatchObject(refused)
  expect(await eve.send('POST', `${path}-test`, { action: links('More'), arguments: {} })).toMatchObject(refused)
  expect(await eve.send('POST', `${path}/${made.gid}/enabled`, { enabled: true })).toMatchObject(refused)
  // what is there can be looked at, switched off and deleted
  expect((await eve.call(contract.listActions, { params })).plan).toEqual({ actions: false, lead_form: false })
  await eve.call(contract.enableAction, { params: { ...params, gid: made.gid }, body: { enabled: false } })
  await eve.call(contract.deleteAction, { params: { ...params, gid: made.gid } })
})

test('a person makes at most 30 test runs a minute', async () => {
  now = new Date(now.getTime() + 60_000)
  const { path } = await setUp()
  const run = () => ada.send('POST', `${path}-test`, { action: links('x'), arguments: {} })
  for (let n = 0; n < 30; n++) expect((await run()).status).toBe(200)
  expect((await run()).status).toBe(429)
})
