import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AgentAction } from '../../../../engine/values/agentActions'
import { addMember, makeChatbot } from '../../../../tests/support/collab'
import { type OutsideServer, startOutsideServer } from '../../../../tests/support/outsideServer'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { Role } from '../../../access/roles'
import * as contract from '../../../contracts/actions'
import { duplicateChatbot } from '../../../contracts/chatbots'
import { parseNetworks } from '../../../platform/outbound/addresses'
import { keyOfFolder } from '../../../platform/secrets/keys'
import { renewSeals } from '../../secrets/renewSeals'
import { createHeaderSecrets, sealPlainHeaders } from './headerSecrets'

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
  for (const gids of [[made.gid, made.gid], ['a'.repeat(16)]])
    expect(await ada.send('POST', `${path}-order`, { gids })).toMatchObject({ status: 409 })
})

test('an order that names nothing is refused at its field, also where there is nothing to order', async () => {
  const { path } = await setUp()
  expect(await ada.send('POST', `${path}-order`, { gids: [] })).toMatchObject({
    status: 422,
    body: { success: false, code: 'invalid', data: { fields: { gids: 'Name at least one action' } } },
  })
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
    'config.url': 'Write out the host name. A {{placeholder}} can only follow it',
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

test('a test run that may does it for real, marked as a test, with what was filled in escaped for its place', async () => {
  const { params } = await setUp()
  const test = (action: AgentAction, given: contract.ActionRun['result']) =>
    ada.call(contract.testAction, {
      params,
      body: { action, arguments: given as Record<string, string>, carry_out: true },
    })
  const run = await test(weather(), { city: 'a/b?"\r\nX-Evil: 1' })
  expect(run).toMatchObject({ ok: true, result: { ok: true, status: 200, body: { degrees: 21 } }, parts: [] })
  expect(run.steps).toMatchObject([{ name: 'Weather', ok: true }])
  expect(outside.received.at(-1)).toMatchObject({
    method: 'POST',
    path: '/weather/a%2Fb%3F%22%0D%0AX-Evil%3A%201',
    headers: { 'x-city': 'a/b?" X-Evil: 1', 'x-parley-test': '1' },
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

const TOKEN = 'Bearer a-very-secret-token-4321'
const guardedWeather = (headers: object[], url = `${outside.url}/weather/{{city}}`) =>
  weather({ config: { method: 'GET', url, body: '', headers: headers as { name: string; value: string }[] } })
const rowOf = (gid: string) =>
  server.context.db.selectFrom('agent_actions').selectAll().where('gid', '=', gid).executeTakeFirstOrThrow()

test('what headers say is sealed, shown by its last characters, kept where it stays, and sent', async () => {
  const { params } = await setUp()
  const body = guardedWeather([
    { name: 'Authorization', value: TOKEN },
    { name: 'X-City', value: '{{city}}' },
    { name: 'X-Short', value: 'hunter2' },
  ])
  const made = await ada.call(contract.createAction, { params, body })
  const shown = [
    { name: 'Authorization', value: '', kept: '…4321' },
    { name: 'X-City', value: '{{city}}' },
    { name: 'X-Short', value: '', kept: '…' },
  ]
  const one = { ...params, gid: made.gid }
  expect(made.action).toMatchObject({ config: { headers: shown } })
  expect(await ada.call(contract.readAction, { params: one })).toEqual(made)
  expect((await ada.call(contract.listActions, { params })).actions).toEqual([made])
  expect(JSON.stringify(await rowOf(made.gid))).not.toMatch(/secret-token|hunter2/)

  // as the form returns it: with a new value for one of them
  const [authorization, city] = shown
  const changed = guardedWeather([
    { ...authorization, name: 'authorization' },
    city ?? {},
    { name: 'X-Short', value: 'new one' },
  ])
  const test = (action: AgentAction, gid?: string) =>
    ada.call(contract.testAction, {
      params,
      body: { action, arguments: { city: 'Rome' }, carry_out: true, ...(gid && { gid }) },
    })
  expect(await test(changed, made.gid)).toMatchObject({ ok: true })
  expect(outside.received.at(-1)?.headers).toMatchObject({
    authorization: TOKEN,
    'x-city': 'Rome',
    'x-short': 'new one',
  })
  await ada.call(contract.updateAction, { params: one, body: { action: changed, was: made.updated_at } })

  // a copy has them too, under its own id
  const { chatbot } = await ada.call(duplicateChatbot, { params: params })
  for (const cgid of [params.cgid, chatbot.gid]) {
    const { id: chatbotId, project_id: projectId } = await server.context.db
      .selectFrom('chatbots')
      .select(['id', 'project_id'])
      .where('gid', '=', cgid)
      .executeTakeFirstOrThrow()
    const wanted = { place: { projectId, chatbotId }, key: `headers-${cgid}`, talk: null, writes: 'real' as const }
    const tools = await server.parts.actions.toolsFor(wanted)
    const use = tools?.tools.Weather?.execute as (input: object, options: object) => Promise<unknown>
    const before = outside.received.length
    expect(await use({ city: 'Oslo' }, {})).toMatchObject({ ok: true })
    expect(outside.received.length).toBe(before + 1)
    expect(outside.received.at(-1)?.headers).toMatchObject({
      authorization: TOKEN,
      'x-city': 'Oslo',
      'x-short': 'new one',
    })
    expect(JSON.stringify(tools?.steps)).not.toContain('secret-token')
  }
})

test('a kept value goes to no other server, under no other name, and into no other action', async () => {
  const { params, path } = await setUp()
  const kept = { name: 'Authorization', value: '', kept: '…4321' }
  const made = await ada.call(contract.createAction, {
    params,
    body: guardedWeather([{ name: 'Authorization', value: TOKEN }]),
  })
  const other = await ada.call(contract.createAction, { params, body: { ...guardedWeather([]), name: 'Other' } })
  const thief = await startOutsideServer((_, response) => response.end('{}'))
  const calls = outside.received.length
  const problem = async (action: AgentAction, gid?: string) => {
    const sent = [
      await ada.send('POST', `${path}-test`, { action, arguments: { city: 'x' }, ...(gid && { gid }) }),
      gid
        ? await ada.send('PATCH', `${path}/${gid}`, { action, was: made.updated_at })
        : await ada.send('POST', path, action),
    ]
    const said = sent.map(({ body }) => Object.values((body.data as { fields?: Record<string, string> }).fields ?? {}))
    expect(said[0]).toEqual(said[1])
    return said[0]
  }
  const none = 'Enter this value again: none is kept for a header of this name'
  expect(await problem({ ...guardedWeather([kept]), name: 'New' })).toEqual([none])
  expect(await problem(guardedWeather([kept]), other.gid)).toEqual([none])
  expect(await problem(guardedWeather([{ ...kept, name: 'X-Other' }]), made.gid)).toEqual([none])
  expect(await problem(guardedWeather([kept], `${thief.url}/{{city}}`), made.gid)).toEqual([
    'Enter this value again: it would be sent to another server than the one it was entered for',
  ])
  await server.context.db
    .updateTable('agent_actions')
    .set({ sealed_headers: 'v1.gone.a.b.c' })
    .where('gid', '=', made.gid)
    .execute()
  expect(await problem(guardedWeather([kept]), made.gid)).toEqual(['Enter this value again: it can no longer be read'])
  expect([thief.received, outside.received.length]).toEqual([[], calls])
  thief.close()
})

test('what was stored before headers were sealed is sealed, and a new key of the installation seals it anew', async () => {
  const { params } = await setUp()
  const made = await ada.call(contract.createAction, { params, body: guardedWeather([]) })
  const { db, config } = server.context
  await db
    .updateTable('agent_actions')
    .set({ config: JSON.stringify(guardedWeather([{ name: 'Authorization', value: TOKEN }]).config) })
    .where('gid', '=', made.gid)
    .execute()
  await sealPlainHeaders(server.context)
  const { sealed_headers } = await rowOf(made.gid)
  expect(JSON.stringify(await rowOf(made.gid))).not.toContain('secret-token')
  const secretKeys = [{ id: 'new', bytes: randomBytes(32) }, keyOfFolder(config.dataDir)]
  await renewSeals({ db, config: { ...config, secretKeys } })
  const renewed = await rowOf(made.gid)
  expect([sealed_headers?.startsWith('v1.new.'), renewed.sealed_headers?.startsWith('v1.new.')]).toEqual([false, true])
  const opened = createHeaderSecrets({ ...config, secretKeys: secretKeys.slice(0, 1) }).opened(renewed)
  expect(opened).toMatchObject({ config: { headers: [{ name: 'Authorization', value: TOKEN }] } })
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
  // existing ones can be viewed, switched off and deleted
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
