import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestClock } from '../../../../tests/support/clock'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { readOverview } from '../../../contracts/admin'
import { parseConfig } from '../../../platform/config/config'
import { createAskForUpdate } from './askForUpdate'
import { isLater, ownVersion, versionOf } from './versions'

const clock = createTestClock('2026-03-01T10:00:00.000Z')
/** What the feed answers, and what it was asked. */
let answer: { status: number; body: string; location?: string } = { status: 200, body: '{}' }
const asked: { url: string; method: string; headers: IncomingHttpHeaders; bytes: number }[] = []
const feed = createServer(async (request, response) => {
  let bytes = 0
  for await (const chunk of request) bytes += (chunk as Buffer).length
  asked.push({ url: request.url ?? '', method: request.method ?? '', headers: request.headers, bytes })
  response.writeHead(answer.status, answer.location ? { location: answer.location } : {}).end(answer.body)
})
let server: TestServer
let owner: Registered
let url: string
beforeAll(async () => {
  await once(feed.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(feed.address() as AddressInfo).port}/releases/latest`
  server = await startTestServer({ clock })
  owner = await server.register()
})
afterAll(async () => {
  await server.close()
  feed.close()
})

const ask = () => createAskForUpdate(server.context)()
const newest = async () => (await owner.call(readOverview)).newest
const metric = async () =>
  /^parley_update_available (\d)$/m.exec(await (await fetch(`${server.url}/metrics`)).text())?.[1]

test('without a feed nobody is asked, and nothing is said of newer versions', async () => {
  await ask()
  expect([asked, await newest()]).toEqual([[], null])
})

test('the feed is asked by a plain request, and what it names is shown with the time', async () => {
  server.context.config.updateCheck = url
  answer = { status: 200, body: JSON.stringify({ tag_name: 'v999.2.10', name: 'notes', assets: [] }) }
  await ask()
  expect(asked).toEqual([expect.objectContaining({ url: '/releases/latest', method: 'GET', bytes: 0 })])
  expect(Object.keys(asked[0]?.headers ?? {}).sort()).toEqual([
    ...['accept', 'accept-encoding', 'connection', 'host', 'user-agent'],
  ])
  expect(asked[0]?.headers['user-agent']).toBe('Parley')
  expect(await newest()).toEqual({ version: '999.2.10', asked_at: '2026-03-01T10:00:00.000Z', is_later: true })
  expect(await metric()).toBe('1')
})

test.each([
  ['a page', { status: 200, body: '<html>' }],
  ['a version that is none', { status: 200, body: '{"tag_name":"v1.2.3<script>"}' }],
  ['no name', { status: 200, body: '{"tag_name":7}' }],
  ['an error', { status: 500, body: '{"tag_name":"v1000.0.0"}' }],
  ['too much', { status: 200, body: JSON.stringify({ tag_name: 'v1000.0.0', body: 'x'.repeat(1_000_000) }) }],
  ['another address', { status: 302, body: '', location: 'http://169.254.169.254/latest' }],
])('a feed that answers %s changes nothing', async (_, given) => {
  answer = given
  await expect(ask()).rejects.toThrow()
  expect(await newest()).toMatchObject({ version: '999.2.10' })
})

test('an answer with the version that runs is not a newer one, and once it is off nothing is said', async () => {
  answer = { status: 200, body: JSON.stringify({ tag_name: ownVersion }) }
  await ask()
  expect(await newest()).toMatchObject({ version: ownVersion, is_later: false })
  server.context.config.updateCheck = null
  expect([await newest(), await metric()]).toEqual([null, undefined])
})

test('versions are compared by their numbers', () => {
  expect(isLater('0.10.0', '0.9.9')).toBe(true)
  expect(isLater('1.0.0', '0.9.9')).toBe(true)
  expect(isLater('0.9.9', '0.9.9')).toBe(false)
  expect(isLater('0.9.9', '0.10.0')).toBe(false)
  expect(['v01.2.3', '1.2', '1.2.3-beta', 'latest'].map(versionOf)).toEqual(['1.2.3', null, null, null])
})

test.each(['ftp://example.com/x', 'https://user:secret@example.com/x', 'example.com', 'https://example.com/#x'])(
  'UPDATE_CHECK=%s is refused with a remedy',
  (text) => {
    expect(() => parseConfig({ UPDATE_CHECK: text })).toThrow('give the http(s) address')
  },
)
