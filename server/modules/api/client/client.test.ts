import { execFile, execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestClock } from '../../../../tests/support/clock'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { packClient } from '../../../cli/packClient.mjs'
import { root } from '../../../cli/sources.mjs'
import { createApiKey } from '../../../contracts/api-keys'
import { createChatbot } from '../../../contracts/chatbots'
import { listExports } from '../../../contracts/exports'
import { saveMessageApi } from '../../../contracts/messageApi'
import { listSources } from '../../../contracts/sources'

/** The npm package as somebody installs it who has its tarball, against a real server. */
const clock = createTestClock('2026-11-29T10:00:00Z')
let folder: string
let server: TestServer
let owner: Registered
let chatbot: { gid: string; fid: string; slug: string }
let key: string
let ParleyClient: new (options: object) => Client
let client: Client
let description: Document
const called = new Set<string>()

/** What comes back, whose types the packed client has: each test says what it expects. */
type Answer = Record<string, never>
type Call = (input?: object, options?: object) => Promise<Answer> & Listed
interface Listed extends AsyncIterable<Answer> {
  page(cursor?: string): Promise<{ data: Answer[]; next_cursor: string | null }>
}
type Client = Record<Name, Call>
type Name =
  | 'listChatbots'
  | 'readChatbot'
  | 'listFlows'
  | 'readFlow'
  | 'writeFlow'
  | 'checkFlows'
  | 'runTests'
  | 'publish'
  | 'listConversations'
  | 'readConversation'
  | 'changeConversation'
  | 'listMessages'
  | 'replyToVisitor'
  | 'sendMessage'
  | 'addNote'
  | 'listContacts'
  | 'createContact'
  | 'readContact'
  | 'updateContact'
  | 'listLeads'
  | 'listSources'
  | 'readSource'
  | 'deleteSource'
  | 'addLinks'
  | 'addFaq'
  | 'addText'
  | 'searchKnowledge'
  | 'listWebhooks'
  | 'createWebhook'
  | 'updateWebhook'
  | 'deleteWebhook'
  | 'rotateWebhookSecret'
  | 'listWebhookMessages'
  | 'listEvents'
  | 'listExports'
  | 'createExport'
  | 'downloadExport'
  | 'deleteExport'
  | 'readUsage'
  | 'listUsage'

interface Document {
  paths: Record<string, Record<string, Described>>
}
interface Described {
  operationId: string
  responses: Record<string, { content?: Record<string, { schema: object }> }>
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-client-'))
  const tarball = await packClient(join(folder, 'packed'))
  await mkdir(join(folder, 'app'))
  await writeFile(join(folder, 'app/package.json'), JSON.stringify({ name: 'app', private: true, type: 'module' }))
  const install = ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', tarball]
  execFileSync('npm', install, { cwd: join(folder, 'app'), stdio: 'ignore' })
  ;({ ParleyClient } = await import(pathToFileURL(join(folder, 'app/node_modules/@parley/client/index.js')).href))

  server = await startTestServer({ clock })
  owner = await server.register()
  const params = { pgid: owner.pgid }
  ;({ chatbot } = await owner.call(createChatbot, { params, body: { name: 'Bot', template: 'lead-qualification' } }))
  ;({ secret: key } = await owner.call(createApiKey, { params, body: { name: 'Program' } }))
  description = (await (await fetch(`${server.url}/api/v1/openapi.json`)).json()) as Document
  client = new ParleyClient({ url: server.url, key, fetch: describedFetch })
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => clock.pass(61))

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)

/** Sends a request, and checks its answer by the description. */
const describedFetch: typeof fetch = async (address, init) => {
  const response = await fetch(address, init)
  const path = new URL(String(address)).pathname.replace('/api/v1', '')
  const method = init?.method?.toLowerCase() ?? 'get'
  const operation = Object.entries(description.paths).find(
    ([place, methods]) => method in methods && new RegExp(`^${place.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )?.[1][method]
  if (!operation) throw new Error(`${method} ${path} is not described`)
  const described = operation.responses[String(response.status)]
  expect(described, `${operation.operationId}: ${response.status}`).toBeDefined()
  const schema = described?.content?.['application/json']?.schema
  if (schema) {
    const check = ajv.compile(schema)
    check(await response.clone().json())
    expect(check.errors, operation.operationId).toBeNull()
  }
  if (response.ok) called.add(operation.operationId)
  return response
}

describe('every operation does what it says, and answers as described', () => {
  test('a chatbot and its flow: read, replaced, checked, tested, published', async () => {
    const bots = await client.listChatbots().page()
    expect(bots).toMatchObject({ data: [{ gid: chatbot.gid, name: 'Bot' }], next_cursor: null })
    const at = { chatbot: chatbot.gid, flow: chatbot.fid }
    expect(await client.readChatbot({ chatbot: chatbot.gid })).toMatchObject({ name: 'Bot', fid: chatbot.fid })
    expect((await client.listFlows(at).page()).data).toMatchObject([{ gid: chatbot.fid }])
    const { mark, flow } = (await client.readFlow(at)) as unknown as { mark: string; flow: Titled }
    if (flow.groups[0]) flow.groups[0].title = 'By a program'
    const written = await client.writeFlow({ ...at, body: { mark, flow } })
    expect(written).toMatchObject({ check: { error_count: 0 } })
    await expect(client.writeFlow({ ...at, body: { mark, flow } })).rejects.toMatchObject({
      status: 409,
      code: 'conflict',
      detail: expect.stringContaining('changed'),
    })
    await client.checkFlows(at)
    await client.runTests(at)
    expect(await client.publish({ ...at, body: { name: 'First' } })).toMatchObject({
      version: { number: 2, name: 'First' },
    })
  })

  test('contacts: created, changed, listed page by page', async () => {
    const ids: string[] = []
    for (let at = 0; at < 53; at++)
      ids.push((await client.createContact({ body: { fields: { email: `p${at}@example.com` } } })).gid ?? '')
    const contact = ids.at(-1)
    const changed = await client.updateContact({ contact, body: { tags: ['VIP'] } })
    expect(changed).toMatchObject({ tags: ['VIP'], fields: { email: 'p52@example.com' } })
    expect(await client.readContact({ contact })).toMatchObject({ timeline: [] })
    const first = await client.listContacts().page()
    expect(first.data).toHaveLength(50)
    expect(await client.listContacts().page(first.next_cursor ?? '')).toMatchObject({ next_cursor: null })
    const listed = []
    for await (const { gid } of client.listContacts()) listed.push(gid)
    expect(listed).toEqual(ids.toReversed())
    await client.listLeads({ chatbot: chatbot.gid }).page()
  })

  test('conversations: read, answered, noted, closed', async () => {
    const guest = await server.guest()
    await guest.send('POST', `/api/chat/${chatbot.slug}/conversations`, { client_id: 'program-1' })
    const { data } = await client.listConversations({ view: 'all' }).page()
    const at = { conversation: data[0]?.gid }
    expect(await client.readConversation(at)).toMatchObject({ status: 'bot' })
    await client.replyToVisitor({ ...at, body: { text: 'Hello there' } })
    await client.addNote({ ...at, body: { body: 'Looks good' } })
    const thread = await client.listMessages(at)
    expect(JSON.stringify(thread)).toContain('Hello there')
    expect(thread).toMatchObject({ notes: [{ body: 'Looks good' }] })
    const closed = await client.changeConversation({ ...at, body: { status: 'closed' } })
    expect(closed).toMatchObject({ conversation: { status: 'closed' } })
    const late = client.replyToVisitor({ ...at, body: { text: 'Still there?' } })
    await expect(late).rejects.toMatchObject({ status: 409, code: 'conversation_closed' })
  })

  test('a person’s message: refused while the channel is off, begins a conversation once it is on', async () => {
    const send = () => client.sendMessage({ chatbot: chatbot.gid, body: { from: 'ada', id: 'one', text: 'Hello' } })
    await expect(send()).rejects.toMatchObject({ status: 409 })
    const params = { pgid: owner.pgid, cgid: chatbot.gid }
    await owner.call(saveMessageApi, { params, body: { url: 'https://example.com/messages' } })
    const first = await send()
    expect(first).toMatchObject({ conversation: expect.any(String) })
    expect(await send()).toEqual(first)
  })

  test('knowledge: added, searched, answered, deleted', async () => {
    const at = { chatbot: chatbot.gid }
    const faq = { question: 'When are you open?', phrasings: [], answer: 'From nine to five.' }
    const { gid: source } = await client.addFaq({ ...at, body: faq })
    await client.addText({ ...at, body: { title: 'Parcels', markdown: 'Two days.' } })
    await expect
      .poll(async () => {
        await server.context.jobs.runDue()
        // by another way than the API, which counts calls
        const params = { pgid: owner.pgid, cgid: chatbot.gid }
        const { sources } = await owner.call(listSources, { params, query: { offset: 0, limit: 10 } as never })
        return sources.map(({ status }) => status)
      })
      .toEqual(['ready', 'ready'])
    expect((await client.listSources(at).page()).data).toHaveLength(2)
    await client.readSource({ ...at, source })
    const found = await client.searchKnowledge({ ...at, body: { question: faq.question } })
    expect(found).toMatchObject({ answer: expect.stringContaining('nine to five') })
    expect(await client.deleteSource({ ...at, source })).toBeUndefined()
    await expect(client.deleteSource({ ...at, source })).rejects.toMatchObject({ status: 404, code: 'not_found' })
    await client.addLinks({ ...at, body: { urls: ['https://example.com/'] } })
  })

  test('webhooks, exports, usage', async () => {
    const settings = { url: 'https://example.com/hook', description: '', events: ['lead.created'] }
    const made = await client.createWebhook({ body: { ...settings, personal: false, enabled: true } })
    const at = { webhook: (made as unknown as { endpoint: { gid: string } }).endpoint.gid }
    expect((await client.listWebhooks().page()).data).toHaveLength(1)
    expect(await client.updateWebhook({ ...at, body: { enabled: false } })).toMatchObject({ enabled: false })
    await client.rotateWebhookSecret(at)
    await client.listWebhookMessages(at).page()
    await client.deleteWebhook(at)

    const { gid: one } = await client.createExport({ body: { kind: 'contacts' } })
    await expect
      .poll(async () => {
        await server.context.jobs.runDue()
        const { exports } = await owner.call(listExports, { params: { pgid: owner.pgid } })
        return exports.map(({ status }) => status)
      })
      .toEqual(['done'])
    expect((await client.listExports().page()).data).toMatchObject([{ gid: one, status: 'done' }])
    const file = (await client.downloadExport({ export: one, format: 'jsonl' })) as unknown as Response
    expect(await file.text()).toContain('p52@example.com')
    await client.deleteExport({ export: one })
    await expect
      .poll(async () => (await client.listEvents().page()).data.map(({ type }) => type))
      .toContain('contact.created')
    expect((await client.listUsage().page()).data[0]).toMatchObject({ meter: 'ai_message_credits', used: 0 })
    expect(await client.readUsage()).toMatchObject({ usage: { chatbots: { used: 1 } } })
  })

  test('none was left out', () => {
    const all = Object.values(description.paths).flatMap((one) => Object.values(one).map((o) => o.operationId))
    expect([...called].sort()).toEqual(all.sort())
  })
})

interface Titled {
  groups: { title: string }[]
}

test('a call that is named is carried out once', async () => {
  const create = () =>
    client.createContact({ body: { fields: { email: 'once@example.com' } } }, { idempotencyKey: 'order-1' })
  const first = await create()
  expect(await create()).toEqual(first)
})

describe('refused calls', () => {
  test('are thrown, with what is wrong by field', async () => {
    await expect(client.createContact({ body: { fields: { email: 'x' } } })).rejects.toMatchObject({
      name: 'ParleyProblem',
      status: 422,
      code: 'invalid',
      errors: { 'fields.email': expect.any(String) },
    })
    const nobody = new ParleyClient({ url: server.url, key: 'parley_nobody' })
    await expect(nobody.listChatbots().page()).rejects.toMatchObject({ status: 401, code: 'unauthenticated' })
  })

  test('come again after the time that the server says, if they came too early', async () => {
    const { secret } = await owner.call(createApiKey, {
      params: { pgid: owner.pgid },
      body: { name: 'Slow', calls_a_minute: 1 },
    })
    const waits: number[] = []
    const wait = async (milliseconds: number) => {
      waits.push(milliseconds)
      clock.pass(milliseconds / 1_000)
    }
    const slow = new ParleyClient({ url: server.url, key: secret, wait })
    await slow.readUsage()
    await slow.readUsage()
    expect(waits).toEqual([expect.any(Number)])
    expect(waits[0]).toBeGreaterThan(0)
    const hasty = new ParleyClient({ url: server.url, key: secret, wait, longestWait: 1 })
    await expect(hasty.readUsage()).rejects.toMatchObject({ status: 429, retryAfter: expect.any(Number) })
    expect(waits).toHaveLength(1)
  })
})

test('a typed program is checked by its types, and runs', async () => {
  const app = join(folder, 'app')
  await writeFile(
    join(app, 'app.ts'),
    `import { isProblem, ParleyClient } from '@parley/client'
declare const process: { env: Record<string, string> }

const parley = new ParleyClient({ url: process.env.URL ?? '', key: process.env.KEY ?? '' })
const { gid, tags } = await parley.createContact({ body: { fields: { email: 'typed@example.com' }, tags: ['a'] } })
const all: string[] = tags
for await (const contact of parley.listContacts({ search: 'typed@example.com' })) {
  const same: boolean = contact.gid === gid
  console.log(same, all.length)
}
try {
  await parley.readContact({ contact: 'aaaaaaaaaaaaaaaa' })
} catch (problem) {
  if (isProblem(problem) && problem.code === 'not_found') console.log(problem.status)
  // @ts-expect-error: there is no such code
  if (isProblem(problem) && problem.code === 'nowhere') console.log('never')
}
export const wrong = [
  // @ts-expect-error: it needs to know which
  () => parley.readContact({}),
  // @ts-expect-error: there is no such state
  () => parley.changeConversation({ conversation: gid, body: { status: 'lost' } }),
  // @ts-expect-error: a search is a text
  () => parley.listContacts({ search: 1 }),
  // @ts-expect-error: only what is changed by a POST is named
  () => parley.readUsage({ idempotencyKey: 'x' }),
]
`,
  )
  const run = promisify(execFile)
  const options = '--ignoreConfig --strict --module nodenext --target es2022 --lib ES2022,DOM,DOM.Iterable app.ts'
  await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...options.split(' ')], { cwd: app })
  const { stdout } = await run(process.execPath, ['app.js'], {
    cwd: app,
    env: { ...process.env, URL: server.url, KEY: key },
  })
  expect(stdout).toBe('true 1\n404\n')
})
