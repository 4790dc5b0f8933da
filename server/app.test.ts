import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Registered, startTestServer, type TestServer } from '../tests/support/server'
import { createChatbot, deleteChatbot } from './contracts/chatbots'
import { publishFlow, unpublishFlow } from './contracts/flows'
import { apiErrors, toApiError } from './platform/errors'
import { createLog } from './platform/log'

let server: TestServer
let ada: Registered
let clientDir: string
beforeAll(async () => {
  clientDir = await mkdtemp(join(tmpdir(), 'parley-pages-'))
  for (const folder of ['assets', 'widget']) await mkdir(join(clientDir, folder))
  await writeFile(join(clientDir, 'index.html'), '<title>app</title>')
  await writeFile(join(clientDir, 'widget/chat.html'), '<title>chat</title>')
  await writeFile(join(clientDir, 'assets/main-abc123.js'), 'main()')
  server = await startTestServer({ clientDir })
  ada = await server.register()
})
afterAll(async () => {
  await server.close()
  await rm(clientDir, { recursive: true })
})

const GID = 'a'.repeat(16)
test.each(['/', '/login', '/login/?next=%2F', `/projects/${GID}/chatbots/${GID}/builder`, `/projects/${GID}`])(
  '%s is a screen of the app',
  async (path) => {
    const answer = await ada.send('GET', path)
    expect(answer).toMatchObject({ status: 200, text: '<title>app</title>' })
    expect(answer.headers.get('cache-control')).toBe('no-cache')
  },
)

test.each([
  '/no/such/page',
  '/v1.2',
  '/projects/abc/chatbots/def/builder',
  `/projects/${GID}/chatbots/${GID}/nothing`,
  '/%zz',
  '/c/%zz',
  '/c/%E0%A4%A',
  '/c/Not a slug',
  '/c/one/two',
])('%s is no address of the app: its page says so, with status 404', async (path) => {
  const answer = await ada.send('GET', path)
  expect(answer).toMatchObject({ status: 404, text: '<title>app</title>' })
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'")
})

test.each([
  `/projects/${GID}/chatbots//builder`,
  `/projects/${GID}/chatbots/undefined/builder`,
  `/projects/${GID}/chatbots/undefined/builder?flow=x`,
  '/projects//chatbots',
  '/projects/undefined/members',
])('%s names no project or no chatbot, and leads to /', async (path) => {
  const answer = await ada.send('GET', path)
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/'])
})

test('/c/<slug> is the chat page of what is published; of all else it says with status 404 that it is not there', async () => {
  const { pgid } = ada
  const { chatbot } = await ada.call(createChatbot, { params: { pgid }, body: { name: 'Some bot' } })
  const params = { pgid, cgid: chatbot.gid, fid: chatbot.fid }
  const pages = async () => {
    const paths = [`/c/${chatbot.slug}`, `/c/${chatbot.slug}/`, `/c/${chatbot.slug}?user=1`, '/c/no-such-bot']
    const answers = await Promise.all(paths.map((path) => ada.send('GET', path)))
    for (const { text, headers } of answers) {
      expect(text).toBe('<title>chat</title>')
      expect(headers.get('cache-control')).toBe('no-cache')
    }
    return answers.map(({ status }) => status)
  }
  expect(await pages()).toEqual([404, 404, 404, 404])
  await ada.call(publishFlow, { params })
  expect(await pages()).toEqual([200, 200, 200, 404])
  await ada.call(unpublishFlow, { params })
  expect(await pages()).toEqual([404, 404, 404, 404])
  await ada.call(publishFlow, { params })
  await ada.call(deleteChatbot, { params, body: { name: chatbot.name } })
  expect(await pages()).toEqual([404, 404, 404, 404])
})

test('hashed files are kept for ever', async () => {
  const file = await ada.send('GET', '/assets/main-abc123.js')
  expect(file).toMatchObject({ status: 200, text: 'main()' })
  expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
})

test.each([
  '/assets/gone-123.js',
  '/api/nothing',
  '/api',
  '/assets/../../../../etc/passwd',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/api/%zz',
  '/files/%zz',
  '/collab/x',
])('%s is not found, in JSON, or the page for that; never a file outside', async (path) => {
  const answer = await fetch(`${server.url}${path}`)
  const text = await answer.text()
  expect(text).not.toContain('root:')
  if (answer.headers.get('content-type')?.startsWith('text/html')) expect(text).toBe('<title>app</title>')
  else expect(JSON.parse(text)).toMatchObject({ success: false, data: expect.any(String), code: expect.any(String) })
})

test('a cookie or a header that is garbage is a guest, not a failure', async () => {
  for (const cookie of ['parley_session=%zz', 'parley_session=', ';;;=', `parley_session=${'x'.repeat(4_000)}`]) {
    const answer = await fetch(`${server.url}/api/user`, { headers: { cookie, 'x-xsrf-token': '%zz' } })
    expect(answer.status, cookie.slice(0, 40)).toBe(401)
  }
})

test.each([
  ['no HTTP', 'GARBAGE\r\n\r\n', 400, 'malformed'],
  ['a header that is too large', `GET /api/user HTTP/1.1\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 413, 'too_large'],
])('%s is answered as every call is', async (_, bytes, status, code) => {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.write(bytes)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  expect(head).toContain(`HTTP/1.1 ${status} `)
  expect(JSON.parse(body)).toMatchObject({ success: false, code })
})

test('whoever connects and says nothing, or never ends his headers, is cut off; a connection that was used is kept', async () => {
  expect(server.app.server.headersTimeout).toBe(15_000)
  const brief = await startTestServer({ headersTimeout: 900 })
  const open = (says: string) => {
    const socket = connect(Number(new URL(brief.url).port), '127.0.0.1').on('error', () => {})
    socket.write(says)
    return { socket, cutOff: text(socket) }
  }
  const kept = open('GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n')
  const strangers = ['', 'GET /healthz HTTP/1.1\r\nX-Slow: ']
  for (const answer of await Promise.all(strangers.map((says) => open(says).cutOff)))
    expect(answer).toMatch(/^HTTP\/1.1 4/)
  expect(kept.socket.readableEnded).toBe(false)
  kept.socket.destroy()
  await kept.cutOff.catch(() => {})
  await brief.close()
})

test('a page that is posted to is not found', async () => {
  expect(await ada.send('POST', '/login', {})).toMatchObject({
    status: 404,
    body: { success: false, code: 'not_found' },
  })
})

test('scripts come from us alone, and answers are not kept', async () => {
  const page = await ada.send('GET', '/')
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'self'")
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("object-src 'none'")
  expect(page.headers.get('x-content-type-options')).toBe('nosniff')
  const call = await ada.send('GET', '/api/user')
  expect(call.headers.get('cache-control')).toBe('no-store')
  expect(call.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
})

test.each([
  ['arrays', '['.repeat(5_000) + ']'.repeat(5_000)],
  ['objects', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`],
  ['a field', `{"name":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
  ['an unfinished body', '['.repeat(5_000)],
])('%s nested 5,000 deep are a clear 400', async (_, body) => {
  expect(await ada.send('POST', '/api/projects', body)).toMatchObject({
    status: 400,
    body: { success: false, code: 'nested_too_deeply', data: 'The request is nested too deeply.' },
  })
})

test('brackets in a text are no depth', async () => {
  const name = `${'['.repeat(60)}"\\${'{'.repeat(60)}`
  expect(await ada.send('POST', '/api/projects', { name })).toMatchObject({
    status: 200,
    body: { data: { project: { name } } },
  })
})

test('a failure is logged with its path, never with the secrets of its query', async () => {
  const lines: string[] = []
  const broken = await startTestServer({
    clientDir,
    log: pino({ level: 'error' }, { write: (line) => lines.push(line) }),
  })
  await sql`alter table conversations rename to conversations_away`.execute(broken.context.db)
  const path = `/api/chat/bot/conversations/${'c'.repeat(16)}/events`
  expect((await fetch(`${broken.url}${path}?token=hunter2`)).status).toBe(500)
  await broken.close()
  expect(lines.join('')).toContain(path)
  expect(lines.join('')).not.toContain('hunter2')
})

describe('without its database', () => {
  let alone: TestServer
  let bob: Registered
  let lines: string[]
  beforeEach(async () => {
    lines = []
    alone = await startTestServer({ clientDir, log: createLog('warn', { write: (line) => lines.push(line) }).log })
    bob = await alone.register()
  })
  afterEach(() => alone.close())

  /**
   * From an administrator's connection: refuses new database connections and ends existing ones; or allows them again.
   */
  async function allow(connections: boolean): Promise<void> {
    const admin = new pg.Client({ ...alone.connection, database: 'postgres' })
    await admin.connect()
    await admin.query(`ALTER DATABASE ${alone.connection.database} ALLOW_CONNECTIONS ${connections}`)
    const { database } = alone.connection
    if (!connections)
      await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [database])
    await admin.end()
  }

  test('calls are a 503 in the envelope that says when to come back, one line of log, and all is well when it is back', async () => {
    expect((await fetch(`${alone.url}/readyz`)).status).toBe(200)
    await allow(false)
    for (let n = 0; n < 30; n++) {
      const answer = await bob.send('GET', '/api/projects')
      expect(answer).toMatchObject({
        status: 503,
        body: { success: false, code: 'unavailable', data: expect.any(String) },
      })
      expect(answer.headers.get('retry-after')).toBe('5')
    }
    // the chat page retries by itself
    const page = await fetch(`${alone.url}/c/some-bot`)
    expect([page.status, await page.text()]).toEqual([200, '<title>chat</title>'])
    const ready = async () => (await fetch(`${alone.url}/readyz`)).status
    await expect.poll(ready).toBe(503)
    expect((await fetch(`${alone.url}/healthz`)).status).toBe(200)
    expect(lines).toHaveLength(1)
    expect(lines[0]).not.toContain('stack')
    await allow(true)
    await expect.poll(ready).toBe(200)
    expect(await bob.send('GET', '/api/projects')).toMatchObject({ status: 200 })
  })

  test('a full disk of the database is a 507', async () => {
    await sql`create function full_disk() returns trigger language plpgsql as
      $$ begin raise 'could not extend file' using errcode = '53100'; end $$`.execute(alone.context.db)
    await sql`create trigger full_disk before insert on projects execute function full_disk()`.execute(alone.context.db)
    const answer = await bob.send('POST', '/api/projects', { name: 'Full' })
    expect(answer).toMatchObject({ status: 507, body: { success: false, code: 'storage_full' } })
    expect(answer.headers.get('retry-after')).toBe('60')
    expect(lines).toHaveLength(1)
  })

  test('a database without the migrations is not ready', async () => {
    await sql`update schema_migrations set name = 'x' || name where name like '0001%'`.execute(alone.context.db)
    const answer = await fetch(`${alone.url}/readyz`)
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { success: false, code: 'unavailable', data: expect.stringContaining('0001_accounts') },
    ])
  })
})

test('probes answer everybody, without a cookie, and what is near them is not found', async () => {
  const alive = await fetch(`${server.url}/healthz`)
  expect([alive.status, await alive.json()]).toEqual([
    200,
    { success: true, data: { status: 'alive', uptime: expect.any(Number) } },
  ])
  const ready = await fetch(`${server.url}/readyz`)
  expect([ready.status, await ready.json()]).toEqual([
    200,
    { success: true, data: { status: 'ready', failed_jobs: 0, failed_events: 0 } },
  ])
  for (const answer of [alive, ready]) {
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(answer.headers.get('cache-control')).toBe('no-store')
  }
  // programs request these paths: they get JSON, not the page for people
  for (const path of ['/health', '/health/', '/ready', '/metrics/', '/metrics/x', '/healthz/x', '/readyz/x']) {
    const answer = await fetch(`${server.url}${path}`, { headers: { accept: 'text/html,*/*' } })
    expect([answer.status, answer.headers.get('content-type')], path).toEqual([404, 'application/json; charset=utf-8'])
    expect(await answer.json(), path).toMatchObject({ success: false, code: 'not_found' })
  }
})

test('what nobody foresaw is a 500 that tells nothing', async () => {
  const failure = new Error('password of the database: hunter2')
  const error = toApiError(failure)
  expect(error).toMatchObject({ code: 'internal', status: 500, cause: failure })
  expect(error.envelope).toEqual({ success: false, data: 'An error occured!', code: 'internal' })
})

test('every failure has a status and a text, and those the specification names have its words', () => {
  for (const { status, text } of Object.values(apiErrors)) {
    expect(status).toBeGreaterThanOrEqual(400)
    expect(text).not.toBe('')
  }
  expect(apiErrors.forbidden.text).toBe('Sorry, you are not authorized to view this page.')
  expect(apiErrors.not_found.text).toBe('This page could not be found')
  expect(apiErrors.too_many_requests.text).toBe("You're sending too many requests! Please retry after one minute.")
})
