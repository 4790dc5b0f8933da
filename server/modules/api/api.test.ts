import { createConfig, lintFromString } from '@redocly/openapi-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestClock } from '../../../tests/support/clock'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { createApiKey, deleteApiKey, rotateApiKey } from '../../contracts/api-keys'
import { createChatbot } from '../../contracts/chatbots'
import { createContact } from '../../contracts/contacts'

/** The public API as programs see it: over HTTP. `client/client.test.ts` makes every operation. */
const clock = createTestClock('2026-11-29T10:00:00Z')
let server: TestServer
let owner: Registered
let stranger: Registered
let chatbot: { gid: string; fid: string; slug: string }
let secret: string
let description: Document

interface Described {
  operationId: string
}
interface Document {
  paths: Record<string, Record<string, Described>>
}

beforeAll(async () => {
  server = await startTestServer({ clock })
  owner = await server.register()
  stranger = await server.register()
  ;({ chatbot } = await owner.call(createChatbot, {
    params: { pgid: owner.pgid },
    body: { name: 'Bot', template: 'lead-qualification' },
  }))
  ;({ secret } = await keyOf(owner))
  description = (await (await fetch(`${server.url}/api/v1/openapi.json`)).json()) as Document
})
afterAll(() => server.close())
beforeEach(() => clock.pass(61))

const keyOf = (person: Registered, more: object = {}) =>
  person.call(createApiKey, { params: { pgid: person.pgid }, body: { name: 'Program', ...more } })

interface Answer {
  status: number
  headers: Headers
  // what programs read: each test says what it expects
  body: { data: never[]; next_cursor: string | null } & Record<string, never>
}

async function call(
  method: string,
  path: string,
  { body, headers = {}, key = secret }: { body?: unknown; headers?: Record<string, string>; key?: string } = {},
): Promise<Answer> {
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: {
      ...(key !== '' && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
}

test('its description is valid, and a linter finds nothing', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(description), config })
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
})

describe('who may call', () => {
  test('nobody without a key, and nobody with a wrong one', async () => {
    for (const key of ['', 'parley_that_nobody_ever_made_0123456789'])
      expect(await call('GET', '/chatbots', { key })).toMatchObject({
        status: 401,
        body: { status: 401, code: 'unauthenticated', title: 'Unauthorized' },
      })
  })

  test('a key that may read changes nothing', async () => {
    const { secret: reading } = await keyOf(owner, { scope: 'read' })
    expect((await call('GET', '/contacts', { key: reading })).status).toBe(200)
    const refused = await call('POST', '/contacts', { key: reading, body: { fields: { email: 'x@example.com' } } })
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  })

  test('a key of another project finds nothing by any id', async () => {
    const { secret: foreign } = await keyOf(stranger)
    const { contact } = await owner.call(createContact, {
      params: { pgid: owner.pgid },
      body: { fields: { email: 'mine@example.com' } },
    })
    const { body: hook } = await call('POST', '/webhooks', {
      body: { url: 'https://example.com', description: '', events: ['lead.created'], personal: false, enabled: true },
    })
    await call('POST', `/chatbots/${chatbot.gid}/publish`, { body: {} })
    const guest = await server.guest()
    await guest.send('POST', `/api/chat/${chatbot.slug}/conversations`, { client_id: 'program-1' })
    const { body: open } = await call('GET', '/conversations?view=all')
    const ids: Record<string, string> = {
      chatbot: chatbot.gid,
      flow: chatbot.fid,
      contact: contact.gid,
      conversation: (open.data[0] as unknown as { gid: string }).gid,
      webhook: (hook as unknown as { endpoint: { gid: string } }).endpoint.gid,
      source: 'aaaaaaaaaaaaaaaa',
      export: 'aaaaaaaaaaaaaaaa',
    }
    const bodies: Record<string, unknown> = {
      writeFlow: { mark: 'x', flow: {} },
      replyToVisitor: { text: 'x' },
      addNote: { body: 'x' },
      addLinks: { urls: ['https://example.com'] },
      addFaq: { question: 'x', phrasings: [], answer: 'x' },
      addText: { title: 'x', markdown: 'x' },
      searchKnowledge: { question: 'x' },
      sendMessage: { from: 'x', id: 'x', text: 'x' },
    }
    for (const [path, operations] of Object.entries(description.paths))
      for (const [method, { operationId }] of Object.entries(operations)) {
        if (!path.includes('{')) continue
        const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
          if (!ids[name]) throw new Error(`name an id for ${name}`)
          return ids[name]
        })
        const answer = await call(method.toUpperCase(), path.endsWith('file') ? `${filled}?format=csv` : filled, {
          key: foreign,
          ...(method !== 'get' && { body: bodies[operationId] ?? {} }),
        })
        expect(answer.status, `${operationId}: ${JSON.stringify(answer.body)}`).toBe(404)
      }
  })

  test('a key ends at its time, by its deletion, and its former secret a day after it was replaced', async () => {
    const { secret: brief } = await keyOf(owner, { expires_in_days: 7 })
    const { key, secret: former } = await keyOf(owner)
    const params = { pgid: owner.pgid, gid: key.id }
    const { secret: present } = await owner.call(rotateApiKey, { params })
    const works = async (tried: string) => (await call('GET', '/usage', { key: tried })).status
    expect(await Promise.all([brief, former, present].map(works))).toEqual([200, 200, 200])
    clock.pass(24 * 3_600)
    expect(await Promise.all([brief, former, present].map(works))).toEqual([200, 401, 200])
    clock.pass(6 * 24 * 3_600)
    expect(await Promise.all([brief, present].map(works))).toEqual([401, 200])
    await owner.call(deleteApiKey, { params })
    expect(await works(present)).toBe(401)
  })

  test('a key’s own limit is kept, and said', async () => {
    const { secret: slow } = await keyOf(owner, { calls_a_minute: 2 })
    const first = await call('GET', '/usage', { key: slow })
    expect(first.headers.get('ratelimit-remaining')).toBe('1')
    await call('GET', '/usage', { key: slow })
    const refused = await call('GET', '/usage', { key: slow })
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    clock.pass(61)
    expect((await call('GET', '/usage', { key: slow })).status).toBe(200)
  })
})

describe('a call that is sent again under its name', () => {
  const create = (name: string, email: string) =>
    call('POST', '/contacts', { body: { fields: { email } }, headers: { 'idempotency-key': name } })

  test('is carried out once, and answered alike', async () => {
    const first = await create('one', 'once@example.com')
    const again = await create('one', 'once@example.com')
    expect(again).toMatchObject({ status: 201, body: first.body })
    expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true'])
    const { body } = await call('GET', '/contacts?search=once@example.com')
    expect(body.data).toHaveLength(1)
  })

  test('at the same time, is carried out once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => create('many', 'many@example.com')))
    const statuses = answers.map(({ status }) => status)
    expect(statuses).toContain(201)
    expect(statuses.filter((status) => status !== 201 && status !== 409)).toEqual([])
    const { body } = await call('GET', '/contacts?search=many@example.com')
    expect(body.data).toHaveLength(1)
  })

  test('is refused if it is another call', async () => {
    await create('two', 'a@example.org')
    expect(await create('two', 'b@example.org')).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('“two”') },
    })
  })

  test('may be sent as it should have been, after it was refused', async () => {
    expect((await create('three', 'no address')).status).toBe(422)
    expect((await create('three', 'three@example.com')).status).toBe(201)
  })

  test('is not told the secret that its first answer had', async () => {
    const send = () =>
      call('POST', '/webhooks', {
        body: { url: 'https://example.com', description: '', events: ['lead.created'], personal: false, enabled: true },
        headers: { 'idempotency-key': 'hook' },
      })
    expect((await send()).status).toBe(201)
    expect(await send()).toMatchObject({ status: 409, body: { detail: expect.stringContaining('not kept') } })
    const rows = await server.context.db.selectFrom('api_calls').select('answer').execute()
    expect(JSON.stringify(rows)).not.toContain('whsec_')
  })

  test('a day later is another one', async () => {
    await create('four', 'four@example.com')
    clock.pass(25 * 3_600)
    expect((await create('four', 'five@example.com')).status).toBe(201)
  })
})

test('what is wrong is named by field, and unknown paths lead to the description', async () => {
  const wrong = await call('POST', '/contacts', { body: { fields: { email: 'x' } } })
  expect(wrong).toMatchObject({
    status: 422,
    body: { code: 'invalid', errors: { 'fields.email': expect.any(String) } },
  })
  expect(wrong.headers.get('content-type')).toContain('application/problem+json')
  const lost = await call('GET', '/nothing')
  expect(lost).toMatchObject({ status: 404, body: { detail: expect.stringContaining('openapi.json') } })
  expect((await call('GET', '/contacts?colour=red')).status).toBe(422)
  expect((await call('DELETE', '/exports/aaaaaaaaaaaaaaaa', { body: { now: true } })).status).toBe(422)
})
