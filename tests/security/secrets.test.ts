import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { type Block, emptyFlow, type Flow } from '../../engine/flow/schema'
import type { DynamicValue } from '../../engine/values/dynamicValue'
import { plainRichText } from '../../engine/values/richText'
import { secretIdOf } from '../../engine/values/secrets'
import type { AnyRoute } from '../../server/access/register'
import { createApiKey } from '../../server/contracts/api-keys'
import { duplicateChatbot } from '../../server/contracts/chatbots'
import { exportFlow, importFlow, publishFlow } from '../../server/contracts/flows'
import { sendHttpTest } from '../../server/contracts/http-test'
import { inspectPlaygroundStep, startPlayground } from '../../server/contracts/playground'
import { exportTests, keepTest, runTests } from '../../server/contracts/recordings'
import { createSecret, deleteSecret, listSecrets, listSecretUses, replaceSecret } from '../../server/contracts/secrets'
import { readFlowStatistics } from '../../server/contracts/statistics'
import { checkDraft, listVersions, readVersion } from '../../server/contracts/versions'
import { parseNetworks } from '../../server/platform/outbound/addresses'
import { makeChatbot } from '../support/collab'
import { type OutsideServer, startOutsideServer } from '../support/outsideServer'
import { inviteMember } from '../support/people'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { tableDump } from '../support/tableDump'

/** A secret that nobody may see, put through everything that knows of requests. */
const CANARY = 'canary-7f3k/9+x&"q'
const NAMES = ['CANARY', 'OTHER'] as const

let outside: OutsideServer
let elsewhere: OutsideServer
let server: TestServer
let owner: Registered
let people: Registered[]
/** all that the API, the MCP server and the log said */
const heard: string[] = []

const forms = [
  CANARY,
  encodeURIComponent(CANARY),
  JSON.stringify(CANARY).slice(1, -1),
  Buffer.from(CANARY).toString('base64').slice(0, -2),
  Buffer.from(`user:${CANARY}`).toString('base64'),
  Buffer.from(CANARY).toString('hex'),
]

beforeAll(async () => {
  elsewhere = await startOutsideServer((_, response) => response.end('elsewhere'), '127.0.0.2')
  outside = await startOutsideServer((request, response) => {
    if (request.path.startsWith('/moved')) return response.writeHead(307, { location: `${elsewhere.url}/` }).end()
    const echo = { path: request.path, headers: request.headers, body: request.body, basic: `user:${CANARY}` }
    response
      .writeHead(request.path.startsWith('/fails') ? 500 : 200, {
        'content-type': 'application/json',
        'x-echo': String(request.headers.authorization ?? '').replaceAll('"', ''),
      })
      .end(JSON.stringify({ ...echo, raw: CANARY, hex: Buffer.from(CANARY).toString('hex') }))
  })
  server = await startTestServer({
    config: { outboundAllow: parseNetworks('127.0.0.0/8') },
    log: pino({ level: 'trace' }, { write: (line: string) => void heard.push(line) }),
  })
  owner = await server.register()
  people = [owner]
  for (const role of [2, 3, 4, 5, 6] as const) people.push(await inviteMember(server, owner, role))
})
afterAll(async () => {
  outside?.close()
  elsewhere?.close()
  await server?.close()
})

const secret = (name: string): DynamicValue => ({
  type: 'dynamic',
  parts: [{ type: 'variable', variable_id: secretIdOf(name) }],
})
const around = (before: string, name: string, after = ''): DynamicValue => ({
  type: 'dynamic',
  parts: [
    { type: 'text', text: before },
    { type: 'variable', variable_id: secretIdOf(name) },
    { type: 'text', text: after },
  ],
})
const fixed = (value: string): DynamicValue => ({ type: 'static', value })
const block = (id: string, kind: string, data: object = {}): Block => ({
  id,
  kind,
  version: registry.get(kind).migrations.length,
  data: { ...(registry.get(kind).defaults(() => `${id}-item`) as object), ...data } as Block['data'],
})
const pair = (name: string, value: DynamicValue) => ({ id: `row-${name}`, name: fixed(name), value })
const auth = (more: object) => ({
  ...(registry.get('http-request').defaults(() => 'x') as { auth: object }).auth,
  ...more,
})

/** Sends it in every place, to what answers well, fails, redirects and is not there; says what came back. */
const flow = (url: string, name: string): Flow => ({
  ...emptyFlow(),
  variables: ['echo', 'header', 'problem', 'misuse'].map((id) => ({ id, name: id, value: null })),
  groups: [
    {
      id: 'g',
      title: 'Calls',
      position: { x: 0, y: 0 },
      blocks: [
        block('start', 'start'),
        block('good', 'http-request', {
          method: 'POST',
          url: around(`${url}/path/`, name, '?in=url'),
          query: [pair('q', secret(name))],
          headers: [pair('X-Api-Key', secret(name)), pair('X-Both', around('a ', name, ' b'))],
          auth: auth({ type: 'basic', username: fixed('user'), password: secret(name) }),
          bodyType: 'json',
          body: around('{"quoted": "', name, '"}'),
          mapping: [
            { id: 'm1', from: 'body', path: '$', variableId: 'echo' },
            { id: 'm2', from: 'header', path: 'x-echo', variableId: 'header' },
          ],
        }),
        block('bad', 'http-request', {
          method: 'POST',
          url: fixed(`${url}/fails`),
          auth: auth({ type: 'bearer', token: secret(name) }),
          bodyType: 'urlencoded',
          fields: [pair('f', secret(name))],
          mapping: [{ id: 'm3', from: 'error', path: '', variableId: 'problem' }],
        }),
        block('moved', 'http-request', {
          url: fixed(`${url}/moved`),
          headers: [pair('X-Mine', secret(name))],
          auth: auth({ type: 'header', name: fixed('X-Key'), value: secret(name) }),
        }),
        block('nowhere', 'http-request', {
          url: around('http://', name, '.example.invalid/'),
          retries: 0,
          mapping: [{ id: 'm4', from: 'error', path: '', variableId: 'problem' }],
        }),
        block('said', 'text', {
          content: [
            {
              type: 'paragraph',
              children: ['echo', 'header', 'problem'].map((variable_id) => ({
                text: '' as const,
                variable: true as const,
                variable_id,
              })),
            },
          ],
        }),
        block('end', 'text', { content: plainRichText('That was all.') }),
      ],
    },
  ],
})

async function hear<Result>(result: Promise<Result>): Promise<Result> {
  const answer = await result
  heard.push(JSON.stringify(answer))
  return answer
}

const leaks = (text: string) => forms.filter((form) => text.includes(form))

test('a secret is sent where it stands, and is in no answer for any role, no log and no table', async () => {
  const bot = await makeChatbot(owner)
  const { pgid, cgid } = bot
  const inProject = { pgid }
  for (const name of NAMES)
    await hear(owner.call(createSecret, { params: inProject, body: { name, value: name === 'CANARY' ? CANARY : 'x' } }))
  const source = JSON.stringify(flow(outside.url, 'CANARY'))
  await hear(owner.call(importFlow, { params: bot, body: { source, mode: 'replace' } }))

  const start = (carry_out: boolean) =>
    hear(owner.call(startPlayground, { params: bot, body: { client_id: crypto.randomUUID(), carry_out } }))
  // what is not sent is shown by name
  const { debug: simulated } = await start(false)
  expect(JSON.stringify(simulated)).toContain(`${outside.url}/path/{{secret.CANARY}}?in=url&q={{secret.CANARY}}`)
  expect(outside.received.filter(({ method }) => method === 'POST')).toEqual([])
  outside.received.length = 0
  elsewhere.received.length = 0
  const started = await start(true)
  expect(started.debug.path.map(({ blockId, port }) => [blockId, port])).toEqual(
    expect.arrayContaining([
      ['good', 'success'],
      ['bad', 'failure'],
      ['moved', 'success'],
      ['nowhere', 'failure'],
    ]),
  )
  const good = outside.received.find(({ path }) => path.startsWith('/path'))
  expect(good?.path).toBe(
    `/path/${encodeURIComponent(CANARY)}?in=url&${new URLSearchParams([['q', CANARY]]).toString()}`,
  )
  expect(good?.headers).toMatchObject({
    'x-api-key': CANARY,
    'x-both': `a ${CANARY} b`,
    authorization: `Basic ${Buffer.from(`user:${CANARY}`).toString('base64')}`,
  })
  expect(JSON.parse(good?.body ?? '')).toEqual({ quoted: CANARY })
  expect(outside.received.find(({ path }) => path === '/fails')).toMatchObject({
    body: new URLSearchParams([['f', CANARY]]).toString(),
    headers: { authorization: `Bearer ${CANARY}` },
  })
  // another server is given none of it
  expect(leaks(JSON.stringify(elsewhere.received))).toEqual([])
  expect(elsewhere.received).toHaveLength(1)

  const conversation = started.conversation.id
  for (let step = 0; step < started.debug.path.length; step++)
    await hear(owner.call(inspectPlaygroundStep, { params: { ...bot, conversation, turn: 0, step } }))
  await hear(owner.call(keepTest, { params: { pgid, cgid }, body: { conversation, name: 'Kept' } }))
  const { url } = await hear(owner.call(publishFlow, { params: bot, body: {} }))
  const slug = new URL(url).pathname.split('/').at(-1) ?? ''
  const chat = await fetch(`${server.url}/api/chat/${slug}/conversations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id: crypto.randomUUID() }),
  })
  heard.push(await chat.text())
  expect(chat.status).toBe(200)

  await hear(
    owner.call(sendHttpTest, {
      params: inProject,
      body: {
        method: 'GET',
        url: `${outside.url}/path/{{secret.CANARY}}`,
        query: [],
        headers: [['X-Api-Key', '{{secret.CANARY}}']],
        auth: null,
        body: null,
        timeoutMs: 5_000,
        followRedirects: true,
        secrets: ['CANARY'],
      },
    }),
  )
  expect(outside.received.at(-1)?.headers['x-api-key']).toBe(CANARY)

  const { secret: apiKey } = await owner.call(createApiKey, { params: inProject, body: { name: 'Agent' } })
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', server.url), {
      requestInit: { headers: { authorization: `Bearer ${apiKey}` } },
    }) as Parameters<Client['connect']>[0],
  )
  for (const [name, more] of [
    ['read_flow', {}],
    ['check_flows', {}],
    ['test_draft', { replies: [] }],
    ['run_tests', {}],
  ] as const)
    heard.push(JSON.stringify(await client.callTool({ name, arguments: { chatbot: cgid, ...more } })))
  await client.close()
  await hear(owner.call(duplicateChatbot, { params: { pgid, cgid } }))

  const reads: [AnyRoute, Record<string, string>][] = [
    [listSecrets, inProject],
    [listSecretUses, inProject],
    [exportFlow, bot],
    [exportTests, { pgid, cgid }],
    [runTests, { pgid, cgid }],
    [checkDraft, { pgid, cgid }],
    [listVersions, { pgid, cgid }],
    [readVersion, { pgid, cgid, version: '1' }],
    [readVersion, { pgid, cgid, version: 'draft' }],
    [readFlowStatistics, bot],
  ] as never
  let answered = 0
  for (const person of people)
    for (const [route, params] of reads)
      await hear(person.call(route as never, { params } as never)).then(
        () => answered++,
        (error: Error) => {
          // what went wrong with it is heard too
          heard.push(error.message)
          if (person === owner) throw error
        },
      )
  expect(answered).toBeGreaterThan(reads.length)
  const sent = await owner.call(listSecrets, { params: inProject })
  expect(sent.secrets.map(({ name }) => name)).toEqual(['CANARY', 'OTHER'])

  expect(leaks(heard.join('\n'))).toEqual([])
  // where it was, something stands that says so
  expect(heard.join('\n')).toContain('••••')
  expect(heard.join('\n')).toContain('{{secret.CANARY}}')
  expect(leaks(await tableDump(server.context.db))).toEqual([])
})

test('what a visitor types is never taken for a secret’s name', async () => {
  const bot = await makeChatbot(owner)
  const typed: Flow = {
    ...emptyFlow(),
    variables: [{ id: 'typed', name: 'typed', value: 'see {{secret.CANARY}} and {{secret..x' }],
    groups: [
      {
        id: 'g',
        title: 'Calls',
        position: { x: 0, y: 0 },
        blocks: [
          block('start', 'start'),
          block('call', 'http-request', {
            method: 'POST',
            url: fixed(`${outside.url}/typed`),
            headers: [pair('X-Api-Key', secret('CANARY'))],
            bodyType: 'raw',
            body: { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'typed' }] },
          }),
        ],
      },
    ],
  }
  await owner.call(importFlow, { params: bot, body: { source: JSON.stringify(typed), mode: 'replace' } })
  await owner.call(startPlayground, { params: bot, body: { client_id: crypto.randomUUID(), carry_out: true } })
  const call = outside.received.find(({ path }) => path === '/typed')
  expect(call?.headers['x-api-key']).toBe(CANARY)
  expect(call?.body).toBe('see {{secret.CANARY}} and {{secret..x')
})

test('a secret that is gone ends the call by Failure, with the reason in the log of steps', async () => {
  const bot = await makeChatbot(owner)
  const { secret: made } = await owner.call(createSecret, {
    params: { pgid: bot.pgid },
    body: { name: 'SHORT_LIVED', value: 'abcdefgh' },
  })
  const source = JSON.stringify(flow(outside.url, 'SHORT_LIVED'))
  await owner.call(importFlow, { params: bot, body: { source, mode: 'replace' } })
  const one = { pgid: bot.pgid, gid: made.gid }
  await expect(owner.call(deleteSecret, { params: one, body: { confirmed: false } })).rejects.toThrow('409')
  const { secret: replaced } = await owner.call(replaceSecret, { params: one, body: { value: 'ijklmnop' } })
  expect(replaced.name).toBe('SHORT_LIVED')
  await owner.call(deleteSecret, { params: one, body: { confirmed: true } })
  const before = outside.received.length
  const { debug } = await owner.call(startPlayground, {
    params: bot,
    body: { client_id: crypto.randomUUID(), carry_out: true },
  })
  expect(debug.path.find(({ blockId }) => blockId === 'good')).toMatchObject({
    port: 'failure',
    note: expect.stringContaining('SHORT_LIVED does not exist'),
  })
  expect(outside.received).toHaveLength(before)
  await expect(owner.call(publishFlow, { params: bot, body: {} })).rejects.toThrow('SHORT_LIVED')
})
