import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HttpCall } from '../../../../engine/effects/http'
import { addMember } from '../../../../tests/support/collab'
import { type OutsideServer, startOutsideServer } from '../../../../tests/support/outsideServer'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { Role } from '../../../access/roles'
import { sendHttpTest } from '../../../contracts/http-test'
import { parseNetworks } from '../../../platform/outbound/addresses'

let outside: OutsideServer
let server: TestServer
let ada: Registered
let now = new Date('2026-11-21T10:00:00Z')
beforeAll(async () => {
  outside = await startOutsideServer(({ path }, response) =>
    path.startsWith('/silent')
      ? undefined
      : response.writeHead(418, { 'content-type': 'application/json' }).end('{"a":1}'),
  )
  server = await startTestServer({ config: { outboundAllow: parseNetworks('127.0.0.1') }, clock: () => now })
  ada = await server.register()
})
afterAll(async () => {
  outside.close()
  await server.close()
})

const call = (path = '/'): HttpCall => ({
  method: 'POST',
  url: outside.url + path,
  query: [['q', 'x']],
  headers: [],
  auth: null,
  body: { type: 'json', text: '{"b":2}' },
  timeoutMs: 10_000,
  followRedirects: true,
})
const at = {
  params: {
    get pgid() {
      return ada.pgid
    },
  },
}

test('the request is made, and its answer told whatever it is', async () => {
  const { answer } = await ada.call(sendHttpTest, { ...at, body: call() })
  expect(answer).toMatchObject({ ok: false, status: 418, body: { a: 1 }, code: 'http_status' })
  expect(outside.received.at(-1)).toMatchObject({ method: 'POST', path: '/?q=x', body: '{"b":2}' })
  const refused = await ada.call(sendHttpTest, { ...at, body: { ...call(), url: 'http://169.254.169.254/' } })
  expect(refused.answer).toMatchObject({ ok: false, status: null, code: 'metadata_address' })
})

test('those who may not change the flow may not call out from here', async () => {
  const viewer = await server.register()
  await addMember(server, ada.pgid, viewer, [Role.VIEWER])
  await expect(viewer.call(sendHttpTest, { ...at, body: call() })).rejects.toThrow(': 403 ')
  const stranger = await server.register()
  await expect(stranger.call(sendHttpTest, { ...at, body: call() })).rejects.toThrow(': 404 ')
})

test('who goes away takes the request along', async () => {
  const leaving = new AbortController()
  const before = outside.received.length
  const gone = fetch(`${server.url}/api/projects/${ada.pgid}/http-test`, {
    method: 'POST',
    signal: leaving.signal,
    headers: {
      cookie: [...ada.cookies].map(([key, value]) => `${key}=${value}`).join('; '),
      'x-xsrf-token': ada.cookies.get('XSRF-TOKEN') ?? '',
      'content-type': 'application/json',
    },
    body: JSON.stringify(call('/silent')),
  }).catch(() => 'gone')
  await expect.poll(() => outside.received.length).toBe(before + 1)
  leaving.abort()
  expect(await gone).toBe('gone')
  await expect.poll(outside.connections).toBe(0)
})

test('a person makes at most 30 a minute', async () => {
  now = new Date(now.getTime() + 60_000)
  const refused = () => ada.call(sendHttpTest, { ...at, body: { ...call(), url: 'http://10.0.0.1/' } })
  for (let n = 0; n < 30; n++) await refused()
  await expect(refused()).rejects.toThrow(': 429 ')
})
