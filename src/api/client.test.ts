import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { defineRoute } from '../../server/contracts/route'
import { startI18n } from '../i18n'
import { loadAccount, logOut } from './account'
import { callRoute, handleUnauthenticated } from './client'
import { ApiFailure } from './failure'
import { saveSettings } from './settings'

/** A real server that answers as a test says, and a fetch that stores cookies like a browser. */
type Answer = (request: IncomingMessage, body: string, response: ServerResponse) => void
let answer: Answer = (_, __, response) => response.end()
const seen: { method: string; url: string; token: string | undefined; body: string }[] = []
const jar = new Map<string, string>()
let server: Server
const browserFetch = globalThis.fetch

beforeAll(async () => {
  startI18n()
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const token = request.headers['x-xsrf-token']?.toString()
      seen.push({ method: request.method ?? '', url: request.url ?? '', token, body })
      if (request.url === '/api/csrf-cookie') {
        response.setHeader('set-cookie', `XSRF-TOKEN=token%3D${seen.length}; Path=/`)
        response.end('{"success":true,"data":{}}')
      } else answer(request, body, response)
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  vi.stubGlobal('document', {
    get cookie() {
      return [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    },
  })
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const response = await browserFetch(base + url, init)
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = cookie.match(/^([^=]+)=([^;]*)/) ?? []
      jar.set(name, value)
    }
    return response
  })
})
afterEach(() => {
  seen.length = 0
  jar.clear()
  handleUnauthenticated(() => undefined)
})
afterAll(async () => {
  vi.unstubAllGlobals()
  await new Promise((closed) => server.close(closed))
})

const says =
  (status: number, body: unknown): Answer =>
  (_, __, response) => {
    response.statusCode = status
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
const read = defineRoute({ method: 'GET', path: '/api/read', access: 'user', answer: z.unknown() })
const guest = defineRoute({
  method: 'POST',
  path: '/api/guest',
  access: 'guest',
  body: z.unknown(),
  answer: z.unknown(),
})
const write = defineRoute({
  method: 'PATCH',
  path: '/api/things/:id',
  access: 'user',
  params: z.strictObject({ id: z.string() }),
  query: z.strictObject({ n: z.number() }),
  body: z.strictObject({ name: z.string() }),
  answer: z.strictObject({ done: z.boolean() }),
})
const failureOf = async (call: Promise<unknown>): Promise<ApiFailure> => {
  const error = await call.catch((thrown: unknown) => thrown)
  if (!(error instanceof ApiFailure)) throw new Error('The call did not fail as it should', { cause: error })
  return error
}
const PROBLEM = 'A problem occurred, please refresh the page.'

test('a call sends path, query and body with the XSRF token, and gets the data', async () => {
  answer = says(200, { success: true, data: { done: true } })
  const data = await callRoute(write, { params: { id: 'a/b' }, query: { n: 2 }, body: { name: 'x' } })
  expect(data).toEqual({ done: true })
  expect(seen.at(-1)).toEqual({ method: 'PATCH', url: '/api/things/a%2Fb?n=2', token: 'token=1', body: '{"name":"x"}' })
})

test('an expired XSRF token is fetched again, once', async () => {
  answer = says(419, { success: false, data: 'expired', code: 'session_expired' })
  const { message } = await failureOf(callRoute(guest, { body: {} }))
  expect(message).toBe('expired')
  expect(seen.map(({ url }) => url)).toEqual(['/api/csrf-cookie', '/api/guest', '/api/csrf-cookie', '/api/guest'])
})

test('no response is 2011', async () => {
  answer = (request) => void request.socket.destroy()
  const failure = await failureOf(callRoute(read))
  expect([failure.message, failure.code, failure.status]).toEqual([`${PROBLEM} (Code: 2011)`, '2011', undefined])
})

test('an answer that breaks off is 2011', async () => {
  answer = (request, _, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('{"success":', () => request.socket.destroy())
  }
  expect((await failureOf(callRoute(read))).message).toBe(`${PROBLEM} (Code: 2011)`)
})

test.each([
  ['empty', ''],
  ['a page', '<html></html>'],
  ['null', 'null'],
  ['a list', '[]'],
])('a response of %s is 2012', async (_, body) => {
  answer = says(200, body)
  expect((await failureOf(callRoute(read))).message).toBe(`${PROBLEM} (Code: 2012)`)
})

test('a response without the success flag is 2018', async () => {
  answer = says(200, { data: {} })
  expect((await failureOf(callRoute(read))).message).toBe(`${PROBLEM} (Code: 2018)`)
})

test('the server’s own message, code and fields are passed on', async () => {
  answer = says(422, { success: false, data: { message: 'Fix it', fields: { name: 'Required' } }, code: 'invalid' })
  const failure = await failureOf(callRoute(read))
  expect(failure).toMatchObject({ message: 'Fix it', code: 'invalid', status: 422, fields: { name: 'Required' } })
})

test('a failure without words gets the default ones', async () => {
  answer = says(500, { success: false, data: null })
  expect((await failureOf(callRoute(read))).message).toBe('An error occured!')
})

test('429 has its own text, whatever stands in the response', async () => {
  answer = says(429, 'Too Many Attempts.')
  const failure = await failureOf(callRoute(read))
  expect(failure.message).toBe("You're sending too many requests! Please retry after one minute.")
})

test('an expired login is handled, a refused one is not', async () => {
  const handled = vi.fn()
  handleUnauthenticated(handled)
  answer = says(401, { success: false, data: 'no', code: 'unauthenticated' })
  await failureOf(callRoute(guest, { body: {} }))
  expect(handled).not.toHaveBeenCalled()
  await failureOf(callRoute(read))
  expect(handled).toHaveBeenCalledOnce()
})

test('an aborted call is no failure of the server', async () => {
  answer = () => controller.abort()
  const controller = new AbortController()
  await expect(callRoute(read, { signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' })
})

test.each([
  [
    'success without data',
    says(200, { success: true }),
    'Problem loading your account, please refresh the page. (Code: 2005)',
  ],
  ['401', says(401, { success: false, data: 'x' }), 'Authentication failed, please login. (Code: 2006)'],
  [
    'another status',
    says(500, { success: false, data: 'x' }),
    'Problem loading your account. Go to the login page for authentication. (Code: 2007)',
  ],
  [
    'no response',
    (request: IncomingMessage) => void request.socket.destroy(),
    'Problem loading your account, please refresh the page. (Code: 2008)',
  ],
])('loading the account with %s says so', async (_, how, text) => {
  answer = how
  expect((await failureOf(loadAccount())).message).toBe(text)
})

test.each([
  ['401', says(401, { success: false, data: 'x' }), 'Authentication failed, please login. (Code: 2006)'],
  ['another status', says(500, { success: false, data: 'x' }), 'Error updating settings, please retry. (Code: 2314)'],
  [
    'no response',
    (request: IncomingMessage) => void request.socket.destroy(),
    'Error updating settings, please retry. (Code: 2315)',
  ],
])('saving settings with %s says so', async (_, how, text) => {
  answer = how
  expect((await failureOf(saveSettings({ hide_v2_upgrade_announcement: true }))).message).toBe(text)
})

test('a log out that fails says so; one without a session is one', async () => {
  answer = says(500, { success: false, data: 'x' })
  expect((await failureOf(logOut())).message).toBe('There was a problem signing out, please retry.')
  answer = says(401, { success: false, data: 'x' })
  await logOut()
})
