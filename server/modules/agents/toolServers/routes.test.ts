import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AgentAction } from '../../../../engine/values/agentActions'
import { makeChatbot } from '../../../../tests/support/collab'
import { startMcpServer, type TestMcpServer } from '../../../../tests/support/mcpServer'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { createAction, listActions } from '../../../contracts/actions'
import { duplicateChatbot } from '../../../contracts/chatbots'
import * as contract from '../../../contracts/tool-servers'
import type { Writes } from '../../../platform/effects/callContext'
import { parseNetworks } from '../../../platform/outbound/addresses'
import { keyOfFolder } from '../../../platform/secrets/keys'
import { renewSeals } from '../../secrets/renewSeals'
import { createToolServers } from './toolServers'

let shop: TestMcpServer
let guarded: TestMcpServer
let server: TestServer
let ada: Registered
beforeAll(async () => {
  ;[shop, guarded] = await Promise.all([startMcpServer(), startMcpServer('right')])
  server = await startTestServer({ config: { outboundAllow: parseNetworks('127.0.0.1') } })
  ada = await server.register()
  shop.offer({ track: ({ order }) => `Order ${order} is on its way.`, cancel: () => 'Cancelled.' })
  guarded.offer({ stock: () => 'x'.repeat(100_000) })
})
afterAll(() => Promise.all([shop.close(), guarded.close(), server.close()]))

async function setUp() {
  const { pgid, cgid } = await makeChatbot(ada)
  const { id, project_id } = await server.context.db
    .selectFrom('chatbots')
    .select(['id', 'project_id'])
    .where('gid', '=', cgid)
    .executeTakeFirstOrThrow()
  const params = { pgid, cgid }
  const add = (body: object) =>
    ada.send('POST', `/api/projects/${pgid}/chatbots/${cgid}/tool-servers`, { name: 'Shop', url: shop.url, ...body })
  const tools = (writes: Writes = 'real') =>
    server.parts.actions.toolsFor({
      place: { projectId: project_id, chatbotId: id },
      key: `answer-${Math.random()}`,
      talk: null,
      writes,
    })
  return { params, add, tools }
}
const fieldsOf = ({ body }: Awaited<ReturnType<Registered['send']>>) =>
  (body.data as { fields?: Record<string, string> }).fields

test('its tools are the model’s once it is added, but for those that are switched off', async () => {
  const { params, add, tools } = await setUp()
  expect(await tools()).toBeNull()
  const { server: added } = (await add({})).body.data as { server: contract.ToolServer }
  expect(added.tools.map(({ name, enabled }) => [name, enabled])).toEqual([
    ['track', true],
    ['cancel', true],
  ])
  const one = { ...params, gid: added.gid }
  await ada.call(contract.changeToolServer, { params: one, body: { off: ['cancel'] } })
  const given = await tools()
  expect(Object.keys(given?.tools ?? {})).toEqual(['Shop_track'])
  const call = given?.tools.Shop_track?.execute as (input: unknown, options: object) => Promise<unknown>
  expect(await call({ order: '17' }, {})).toBe('Order 17 is on its way.')
  expect(shop.calls.at(-1)).toEqual({ tool: 'track', input: { order: '17' } })
  expect(given?.steps).toMatchObject([{ name: 'Shop: track', ok: true, detail: 'Order 17 is on its way.' }])
  // invalid arguments do not reach it
  const calls = shop.calls.length
  expect(await call({ order: 17 }, {})).toEqual({ ok: false, error: 'order: Must be of the type string' })
  expect(shop.calls.length).toBe(calls)
  await ada.call(contract.changeToolServer, { params: one, body: { enabled: false } })
  expect(await tools()).toBeNull()
})

test('a tool is tried for real, and what it says too long is cut', async () => {
  const { params, add } = await setUp()
  const { server: added } = (await add({ url: guarded.url, token: 'right' })).body.data as {
    server: contract.ToolServer
  }
  expect(added.token_preview).toBe('…ight')
  const tried = await ada.call(contract.testTool, {
    params: { ...params, gid: added.gid },
    body: { tool: 'stock', arguments: { order: '1' }, carry_out: true },
  })
  expect(tried.ok).toBe(true)
  expect(JSON.stringify(tried.result).length).toBeLessThan(20_100)
  const wrong = await ada.call(contract.testTool, {
    params: { ...params, gid: added.gid },
    body: { tool: 'stock', arguments: { order: 5 }, carry_out: true },
  })
  expect(wrong.ok).toBe(false)
  expect(await server.context.db.selectFrom('tool_servers').select('sealed_token').execute()).not.toContainEqual({
    sealed_token: 'right',
  })
})

test('what can’t be asked is refused at its field, with the remedy', async () => {
  const { add } = await setUp()
  expect(fieldsOf(await add({ url: 'ftp://x' }))).toEqual({
    url: 'Enter a valid URL (must start with https:// or http://)',
  })
  expect(fieldsOf(await add({ url: guarded.url }))).toEqual({ token: 'This server wants a token. Enter it.' })
  expect(fieldsOf(await add({ url: guarded.url, token: 'wrong' }))).toEqual({
    token: 'This server does not take the token. Check it.',
  })
  expect(fieldsOf(await add({ url: `${server.url}/nothing` }))?.url).toContain('does not speak MCP')
  expect(fieldsOf(await add({ url: 'http://10.0.0.1/mcp' }))?.url).toContain('OUTBOUND_ALLOW')
  await add({})
  expect(fieldsOf(await add({}))).toEqual({ url: 'This chatbot uses that server already' })
})

test('a copy of the chatbot has its actions and its servers, whose tokens work there', async () => {
  const { params, add } = await setUp()
  await add({ url: guarded.url, token: 'right' })
  const links: AgentAction = {
    kind: 'buttons',
    name: 'Prices',
    description: 'When somebody wants prices.',
    frequency: 'once',
    parameters: [],
    save_to: null,
    config: { text: 'More', buttons: [{ label: 'Prices', url: 'https://example.com/prices' }] },
    enabled: true,
  }
  await ada.call(createAction, { params, body: links })
  const { chatbot } = await ada.call(duplicateChatbot, { params })
  const copy = { ...params, cgid: chatbot.gid }
  expect((await ada.call(listActions, { params: copy })).actions.map(({ action }) => action)).toEqual([links])
  const [server] = (await ada.call(contract.listToolServers, { params: copy })).servers
  const tried = await ada.call(contract.testTool, {
    params: { ...copy, gid: server?.gid ?? '' },
    body: { tool: 'stock', arguments: { order: '1' }, carry_out: true },
  })
  expect(tried.ok).toBe(true)
})

test('what it offers is asked again; when it is gone its tools stay and the reason is said', async () => {
  const gone = await startMcpServer()
  gone.offer({ first: () => 'one' })
  const { params, add } = await setUp()
  const { server: added } = (await add({ url: gone.url })).body.data as { server: contract.ToolServer }
  const one = { params: { ...params, gid: added.gid } }
  gone.offer({ second: () => 'two' })
  expect((await ada.call(contract.refreshToolServer, one)).server.tools.map(({ name }) => name)).toEqual(['second'])
  await gone.close()
  const after = (await ada.call(contract.refreshToolServer, one)).server
  expect(after.tools.map(({ name }) => name)).toEqual(['second'])
  expect(after.problem).toContain('refused the connection')
  await ada.call(contract.deleteToolServer, one)
  expect((await ada.call(contract.listToolServers, { params })).servers).toEqual([])
})

test('a new key of the installation seals tokens anew', async () => {
  const { add } = await setUp()
  const { server: added } = (await add({ url: guarded.url, token: 'right' })).body.data as {
    server: contract.ToolServer
  }
  const { db, config } = server.context
  const secretKeys = [{ id: 'new', bytes: randomBytes(32) }, keyOfFolder(config.dataDir)]
  await renewSeals({ db, config: { ...config, secretKeys } })
  const row = await db.selectFrom('tool_servers').selectAll().where('gid', '=', added.gid).executeTakeFirstOrThrow()
  expect(row.sealed_token).toMatch(/^v1\.new\./)
  const alone = createToolServers({ db, config: { ...config, secretKeys: secretKeys.slice(0, 1) } })
  expect(alone.accessTo(row)?.token).toBe('right')
})
