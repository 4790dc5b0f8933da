import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emptyFlow } from '../../engine/flow/schema'
import { root } from '../../server/cli/sources.mjs'
import { createChatbot } from '../../server/contracts/chatbots'
import { disposition } from '../../server/platform/files/disposition'
import { insertPublishedFlow } from '../support/publishedFlow'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { lessons } from './lessons/lessons'

/** What the advisories of other builders teach: who keeps each lesson here, and the tests that stood nowhere else. */
let server: TestServer
let ada: Registered
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-served-'))
  await mkdir(join(folder, 'widget'))
  for (const page of ['index.html', '404.html', 'widget/chat.html'])
    await writeFile(join(folder, page), '<title>page</title>')
  server = await startTestServer({ clientDir: folder, docsDir: folder })
  ada = await server.register()
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

describe('lessons', () => {
  test('there are twenty at least', () => expect(lessons.length).toBeGreaterThanOrEqual(20))
  test.each(lessons.map(({ rule, keptBy }) => [rule, keptBy] as const))('%s', (_, keptBy) => {
    for (const [file, names] of Object.entries(keptBy)) {
      const source = readFileSync(join(root, file), 'utf8')
      for (const name of names) expect(source, `${file}: ${name}`).toContain(name)
    }
  })
})

test('a visitor who sends a flow along starts the published one, or nothing', async () => {
  const slug = 'published'
  await insertPublishedFlow(server.context.db, emptyFlow(), slug)
  const guest = await server.guest()
  const path = `/api/chat/${slug}/conversations`
  const body = { client_id: crypto.randomUUID() }
  expect((await guest.send('POST', path, body)).status).toBe(200)
  for (const surplus of ['flow', 'data', 'groups', 'variables.__proto__', 'overrides', 'version'])
    expect((await guest.send('POST', path, { ...body, [surplus]: emptyFlow() })).status, surplus).toBe(422)
})

test.each([undefined, null, '', ' ', 0, false, [], {}, 'null', 'undefined', '0', '%00', 'a'.repeat(43)])(
  'a reset without a token, or with one that is none, resets nobody: %j',
  async (token) => {
    const guest = await server.guest()
    const { status, body } = await guest.send('POST', '/api/auth/reset/finish', { token, password: 'another password' })
    expect([404, 409, 422]).toContain(status)
    expect(body.success).toBe(false)
    expect((await ada.send('GET', '/api/user')).status).toBe(200)
  },
)

test('a project id that is empty, null or zero sees no row', async () => {
  await ada.call(createChatbot, { params: { pgid: ada.pgid }, body: { name: 'Kept' } })
  for (const id of ['', '0', ' ', 'null', 'NaN', '-1', null, undefined, false, 0]) {
    const rows = await server.context.db
      .forProject(id as string)
      .selectFrom('chatbots')
      .select('id')
      .execute()
      // the database takes no such id for a number
      .catch(() => [])
    expect(rows, String(id)).toEqual([])
  }
})

test.each([
  'application/json',
  'Application/JSON',
  'application/json ; charset=utf-8',
  'application/json\t; charset=utf-8',
  'application/json;charset=utf-16',
  'application/json, text/plain',
  'application/vnd.api+json',
  'text/json',
  'text/plain;application/json',
  'multipart/form-data; boundary=application/json',
  'application/x-www-form-urlencoded',
  '',
])('however the type of a body is written, it is checked or refused: %j', async (type) => {
  const path = `/api/projects/${ada.pgid}/chatbots`
  for (const body of ['{"name":7}', '{"name":"x","project_id":"1"}', 'name=x']) {
    const { status } = await ada.send('POST', path, body, { 'content-type': type })
    expect([400, 415, 422], `${type} ${body}`).toContain(status)
  }
})

/** As it stands: `fetch` would take dots away before it sends. */
const get = (path: string) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const { hostname, port } = new URL(server.url)
    request({ hostname, port, path }, (response) => {
      const parts: Buffer[] = []
      response
        .on('data', (part) => parts.push(part))
        .on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }))
    })
      .on('error', reject)
      .end()
  })

test.each(['', '/assets', '/docs', '/docs/assets', '/files', '/c', '/api'])(
  'no address leads out of what is served: %s',
  async (from) => {
    for (const step of ['..', '%2e%2e', '..%2f', '%2e%2e%2f', '..\\', '..%5c', '%252e%252e', '....//', '..;'])
      for (const to of ['etc/passwd', 'package.json']) {
        const { status, text } = await get(`${from}/${`${step}/`.repeat(12)}${to}`)
        expect(text, `${from} ${step}`).not.toMatch(/root:|"dependencies"/)
        expect(status, `${from} ${step}`).toBeGreaterThanOrEqual(200)
        expect(status, `${from} ${step}`).toBeLessThan(500)
      }
  },
)

test.each(['a\r\nset-cookie: x=1', '"; filename="b.exe', 'ä\u0000\u2028.pdf', '%0d%0aset-cookie: x=1'])(
  'the name of a file ends no header: %j',
  (name) => {
    const header = disposition('attachment', name)
    expect(header).toMatch(/^attachment; filename\*=UTF-8''[\w%.!~*-]+$/)
    expect(decodeURIComponent(header.split("''")[1] ?? '')).toBe(name)
  },
)
