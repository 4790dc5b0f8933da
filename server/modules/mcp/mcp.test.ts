import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPeer, synced } from '../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { createApiKey, deleteApiKey, listApiKeys } from '../../contracts/api-keys'
import { createChatbot } from '../../contracts/chatbots'
import { listVersions } from '../../contracts/versions'

/** Parley as an MCP server, called by the protocol's own client over HTTP. */
let server: TestServer
let owner: Registered
let chatbot: { gid: string; fid: string; slug: string }
let secret: string
const clients: Client[] = []

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.register()
  ;({ chatbot } = await owner.call(createChatbot, {
    params: { pgid: owner.pgid },
    body: { name: 'Bot', template: 'lead-qualification' },
  }))
  ;({ secret } = await keyOf(owner))
})
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()))
  await server.close()
})

const keyOf = (person: Registered, name = 'Agent') =>
  person.call(createApiKey, { params: { pgid: person.pgid }, body: { name } })

async function connect(key = secret): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', server.url), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }) as Parameters<Client['connect']>[0],
  )
  clients.push(client)
  return client
}
async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, isError } = await client.callTool({ name, arguments: args })
  const text = (content as { text: string }[])[0]?.text ?? ''
  return { isError: isError ?? false, value: /^[[{]/.test(text) ? JSON.parse(text) : text }
}

test('says what it can do, and which of it changes something', async () => {
  const { tools } = await (await connect()).listTools()
  expect(Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]))).toMatchObject({
    list_chatbots: true,
    read_flow: true,
    describe_block_kind: true,
    write_flow: false,
    check_flows: true,
    test_draft: true,
    run_tests: true,
    publish: false,
  })
})

test('has each operation of the REST API as a tool, but for files and secrets', async () => {
  const { paths } = (await (await fetch(`${server.url}/api/v1/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string }>>
  }
  const names = (await (await connect()).listTools()).tools.map(({ name }) => name)
  const operations = Object.values(paths).flatMap((each) => Object.values(each).map(({ operationId }) => operationId))
  const named = operations.map((id) => id.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
  expect(named.filter((name) => !names.includes(name))).toEqual([
    'create_webhook',
    'rotate_webhook_secret',
    'download_export',
  ])
  expect(new Set(names).size).toBe(names.length)
})

test('an assistant works with contacts and knowledge as a program does, by the rights of the key', async () => {
  const client = await connect()
  const body = { fields: { name: 'Grace Hopper', email: 'grace@example.com' }, tags: ['VIP'] }
  const { value: made } = await call(client, 'create_contact', body)
  expect(made).toMatchObject({ gid: expect.any(String), tags: ['VIP'] })
  const { value: found } = await call(client, 'list_contacts', { search: 'grace@example.com' })
  expect(found).toMatchObject({ data: [{ gid: made.gid }], next_cursor: null })
  await call(client, 'update_contact', { contact: made.gid, tags: [] })
  expect((await call(client, 'read_contact', { contact: made.gid })).value).toMatchObject({ contact: { tags: [] } })

  const at = { chatbot: chatbot.gid }
  const faq = { question: 'When are you open?', phrasings: [], answer: 'From nine to five.' }
  const { value: source } = await call(client, 'add_faq', { ...at, ...faq })
  await expect
    .poll(async () => {
      await server.context.jobs.runDue()
      return (await call(client, 'search_knowledge', { ...at, question: faq.question })).value.answer
    })
    .toContain('nine to five')
  expect(await call(client, 'delete_source', { ...at, source: source.gid })).toMatchObject({ value: { done: true } })

  const refused = await call(client, 'create_contact', { fields: { email: 'x' } })
  expect(refused).toMatchObject({ isError: true, value: { fields: { 'fields.email': expect.any(String) } } })
  const { secret: foreign } = await keyOf(await server.register())
  const stranger = await connect(foreign)
  expect(await call(stranger, 'read_contact', { contact: made.gid })).toMatchObject({ isError: true })
  expect((await call(stranger, 'list_contacts')).value.data).toEqual([])
  const { secret: reading } = await owner.call(createApiKey, {
    params: { pgid: owner.pgid },
    body: { name: 'Reader', scope: 'read' },
  })
  const reader = await connect(reading)
  expect(await call(reader, 'create_contact', body)).toMatchObject({ isError: true })
  expect(await call(reader, 'read_usage')).toMatchObject({ isError: false })
})

test('a key that may read alone reads, and is refused what changes something', async () => {
  const { secret: reading } = await owner.call(createApiKey, {
    params: { pgid: owner.pgid },
    body: { name: 'Reader', scope: 'read' },
  })
  const client = await connect(reading)
  expect(await call(client, 'list_chatbots')).toMatchObject({ isError: false, value: [{ gid: chatbot.gid }] })
  const refused = await call(client, 'publish', { chatbot: chatbot.gid })
  expect(refused.isError).toBe(true)
  expect(JSON.stringify(refused.value)).toContain('may only read')
})

test('an agent reads a flow, changes it while an editor has it open, tests it and publishes it', async () => {
  const client = await connect()
  const { value: bots } = await call(client, 'list_chatbots')
  expect(bots).toMatchObject([{ gid: chatbot.gid, name: 'Bot' }])
  const editor = openPeer(server, owner, chatbot.fid)
  await synced(editor)

  const { value: before } = await call(client, 'read_flow', { chatbot: chatbot.gid })
  const { value: kind } = await call(client, 'describe_block_kind', { kind: 'text' })
  expect(kind).toMatchObject({ kind: 'text', ports: [{ id: 'next' }], schema: { type: 'object' } })
  const content = structuredClone(before.flow)
  content.groups[0].title = 'Welcomed by an agent'
  const { value: written, isError } = await call(client, 'write_flow', {
    chatbot: chatbot.gid,
    mark: before.mark,
    content,
  })
  expect(isError).toBe(false)
  expect(written).toMatchObject({ kept_as_version: expect.any(Number), check: { error_count: 0 } })
  await editor.sees((document) =>
    [...document.projection().groups.values()].some(({ title }) => title === 'Welcomed by an agent'),
  )
  const { versions } = await owner.call(listVersions, { params: { pgid: owner.pgid, cgid: chatbot.gid } })
  expect(versions[0]).toMatchObject({ name: 'Before a change by an API key', kept: true })

  // a client with an outdated read does not overwrite it
  const late = await call(client, 'write_flow', { chatbot: chatbot.gid, mark: before.mark, content: before.flow })
  expect(late).toMatchObject({ isError: true, value: { error: expect.stringContaining('Read it again') } })

  const { value: talk } = await call(client, 'test_draft', { chatbot: chatbot.gid, replies: [] })
  expect(talk).toMatchObject({ ended: false, asked: expect.anything(), unused_replies: 0 })
  expect(talk.said.length).toBeGreaterThan(0)
  expect((await call(client, 'run_tests', { chatbot: chatbot.gid })).value.results.length).toBeGreaterThan(0)
  const { value: published } = await call(client, 'publish', { chatbot: chatbot.gid, notes: 'By an agent' })
  expect(published).toMatchObject({
    version: { notes: 'By an agent' },
    url: expect.stringContaining(`/c/${chatbot.slug}`),
  })
  editor.leave()
})

test('what is wrong is said in words, and changes nothing', async () => {
  const client = await connect()
  const { value: now } = await call(client, 'read_flow', { chatbot: chatbot.gid })
  const broken = { ...now.flow, groups: [{ id: 'a b', title: 'x' }] }
  expect(await call(client, 'write_flow', { chatbot: chatbot.gid, mark: now.mark, content: broken })).toMatchObject({
    isError: true,
  })
  expect(await call(client, 'describe_block_kind', { kind: 'teleport' })).toMatchObject({
    isError: true,
    value: { error: 'There is no kind “teleport”: see list_block_kinds.' },
  })
  expect((await call(client, 'read_flow', { chatbot: 'a'.repeat(16) })).isError).toBe(true)
  expect((await call(client, 'read_flow', { chatbot: chatbot.gid })).value).toEqual(now)
})

test('the key of another project, a deleted key and no key get nothing', async () => {
  const stranger = await server.register()
  const foreign = await connect((await keyOf(stranger)).secret)
  expect((await call(foreign, 'list_chatbots')).value).toEqual([])
  expect((await call(foreign, 'read_flow', { chatbot: chatbot.gid })).isError).toBe(true)

  const { key, secret: shortLived } = await keyOf(owner, 'Short-lived')
  await connect(shortLived)
  await owner.call(deleteApiKey, { params: { pgid: owner.pgid, gid: key.id } })
  await expect(connect(shortLived)).rejects.toThrow('This API key does not exist, or was deleted.')
  const guest = await server.guest()
  expect(await guest.send('POST', '/mcp', {})).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
  // a session cookie does not authenticate here: a page in a browser can't be made to call it
  expect((await owner.send('POST', '/mcp', {})).status).toBe(401)
})

test('a key does what its holder still may', async () => {
  const { db } = server.context
  const colleague = await server.register()
  const { secret: theirs } = await keyOf(colleague)
  const { gid } = (await colleague.call(createChatbot, { params: { pgid: colleague.pgid }, body: { name: 'Theirs' } }))
    .chatbot
  const client = await connect(theirs)
  const { value: read } = await call(client, 'read_flow', { chatbot: gid })
  const projectId = db.selectFrom('projects').select('id').where('gid', '=', colleague.pgid)
  await db
    .updateTable('project_members')
    .set({ roles: [6] })
    .where('project_id', '=', projectId)
    .execute()
  expect((await call(client, 'read_flow', { chatbot: gid })).isError).toBe(false)
  const write = await call(client, 'write_flow', { chatbot: gid, mark: read.mark, content: read.flow })
  const publish = await call(client, 'publish', { chatbot: gid, notes: '' })
  for (const refused of [write, publish])
    expect(refused).toMatchObject({ isError: true, value: { error: expect.stringContaining('not authorized') } })
})

test('a key ends with its holder’s membership, and does not come back with a new one', async () => {
  const { db } = server.context
  const colleague = await server.register()
  const { secret: theirs } = await keyOf(colleague)
  const client = await connect(theirs)
  const membership = db
    .selectFrom('project_members')
    .selectAll()
    .where('project_id', '=', db.selectFrom('projects').select('id').where('gid', '=', colleague.pgid))
  const { project_id, ...rest } = await membership.executeTakeFirstOrThrow()
  await db.deleteFrom('project_members').where('project_id', '=', project_id).execute()
  await expect(call(client, 'list_chatbots')).rejects.toThrow('A key also ends when its holder leaves the project.')
  await db
    .insertInto('project_members')
    .values({ project_id, ...rest })
    .execute()
  await expect(connect(theirs)).rejects.toThrow('This API key does not exist')
})

test('a batch counts its calls, and holds twenty at most', async () => {
  const { secret: theirs } = await keyOf(await server.register())
  const guest = await server.guest()
  const send = (calls: number) => {
    const batch = Array.from({ length: calls }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list', params: {} }))
    const headers = { authorization: `Bearer ${theirs}`, accept: 'application/json, text/event-stream' }
    return guest.send('POST', '/mcp', batch, headers)
  }
  expect(await send(21)).toMatchObject({ status: 413, body: { data: expect.stringContaining('at most 20 calls') } })
  const statuses: number[] = []
  for (let at = 0; at < 16; at++) statuses.push((await send(20)).status)
  // three hundred per minute
  expect(statuses).toEqual([...Array(15).fill(200), 429])
})

test('a key does nothing once the plan has no API any more', async () => {
  const { db } = server.context
  const project = (plan_id: string) =>
    db.updateTable('projects').set({ plan_id }).where('gid', '=', owner.pgid).execute()
  await project('starter')
  await expect(connect()).rejects.toThrow('not available on your current plan')
  await project('self-hosted')
  await connect()
})

test('a list shows of a key its ends and its last use, and never the key', async () => {
  const { keys, mcp_url } = await owner.call(listApiKeys, { params: { pgid: owner.pgid } })
  expect(keys.at(-1)).toMatchObject({ name: 'Agent', preview: expect.stringMatching(/^parley_.{4}….{4}$/) })
  expect(keys[0]?.last_used_at).not.toBeNull()
  expect(JSON.stringify(keys)).not.toContain(secret)
  expect(mcp_url).toMatch(/\/mcp$/)
})
