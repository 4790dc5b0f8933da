import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HttpAnswer, HttpCall } from '../../../../engine/effects/http'
import { httpAnswerSchema } from '../../../../engine/effects/http'
import type { Json } from '../../../../engine/values/json'
import { callContext } from '../../../../tests/support/effects'
import { type OutsideServer, startOutsideServer } from '../../../../tests/support/outsideServer'
import { parseNetworks } from '../../../platform/outbound/addresses'
import { createOutboundFetch } from '../../../platform/outbound/outboundFetch'
import { createHttpHandler } from './httpHandler'

let server: OutsideServer
let answer: (response: ServerResponse) => unknown
beforeAll(async () => {
  server = await startOutsideServer((_, response) => answer(response))
})
afterAll(() => server.close())

const http = createHttpHandler(
  createOutboundFetch({ allowed: parseNetworks('127.0.0.1') }),
  () => new Date('2026-11-21T10:00:00Z'),
)
const call = (more: Partial<HttpCall> = {}): HttpCall => ({
  method: 'GET',
  url: `${server.url}/path`,
  query: [],
  headers: [],
  auth: null,
  body: null,
  timeoutMs: 5_000,
  followRedirects: true,
  ...more,
})
const context = callContext({ idempotencyKey: 'k' })
const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value))
async function send(more: Partial<HttpCall> = {}, key = 'k1'): Promise<HttpAnswer> {
  return httpAnswerSchema.parse(await http.answer(asJson(call(more)), { ...context, idempotencyKey: key }))
}
const replying =
  (content: string | Buffer, headers: Record<string, string> = {}, status = 200) =>
  (response: ServerResponse) =>
    response.writeHead(status, headers).end(content)
const json = { 'content-type': 'application/json' }
const sent = () => server.received.at(-1)

test.each<[string, string | Buffer, Record<string, string>, Json]>([
  ['JSON', '{"a":[1,null,"x"]}', json, { a: [1, null, 'x'] }],
  ['JSON of a kind of its own', '7', { 'content-type': 'application/vnd.api+json; charset=utf-8' }, 7],
  ['JSON that says it is text', ' [1]', { 'content-type': 'text/plain' }, [1]],
  ['JSON that is none', '{"a":', json, '{"a":'],
  ['text', '7', { 'content-type': 'text/plain' }, '7'],
  ['text without a type', 'hello', {}, 'hello'],
  [
    'text of another encoding',
    Buffer.from([0x67, 0xfc, 0x6e]),
    { 'content-type': 'text/plain; charset=iso-8859-1' },
    'gün',
  ],
  ['nothing', '', json, null],
  ['JSON too deep', '['.repeat(65) + ']'.repeat(65), json, '['.repeat(65) + ']'.repeat(65)],
  ['JSON just deep enough', `${'['.repeat(2)}"]]]"${']'.repeat(2)}`, json, [[']]]']]],
])('%s', async (_, content, headers, body) => {
  answer = replying(content, headers)
  const got = await send()
  expect(got).toMatchObject({ ok: true, status: 200 })
  expect(got.body).toEqual(body)
})

test('a file is not kept, what is too large is cut, and both are said', async () => {
  answer = replying(Buffer.from([137, 80, 78, 71, 0]), { 'content-type': 'image/png' })
  expect(await send()).toMatchObject({ body: null, note: 'The answer is a file (image/png): it was not kept.' })
  answer = replying(JSON.stringify('x'.repeat(1_200_000)), json)
  const large = await send()
  expect(String(large.body)).toHaveLength(1_000_000)
  expect(large.note).toBe('The answer was too large: the first 1000000 characters were kept, as text.')
  answer = replying('x'.repeat(100_000), {}, 500)
  expect(String((await send()).body)).toHaveLength(64_000)
})

test.each([
  [200, true],
  [204, true],
  [304, true],
  [404, false],
  [500, false],
])('status %i is ok: %s', async (status, ok) => {
  answer = replying('', {}, status)
  const { error, code, ...rest } = await send()
  expect(rest).toMatchObject({ ok, status })
  expect([error, code]).toEqual(
    ok ? [undefined, undefined] : [`The server answered with status ${status}.`, 'http_status'],
  )
})

test.each([
  ['120', 120],
  ['0', 0],
  ['Sat, 21 Nov 2026 10:01:30 GMT', 90],
  ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
  ['soon', undefined],
])('Retry-After: %s is %s seconds', async (value, seconds) => {
  answer = replying('', { 'retry-after': value }, 503)
  expect((await send()).retryAfter).toBe(seconds)
})

test('what did not come is an answer too', async () => {
  expect(await send({ url: 'http://10.0.0.1/' })).toMatchObject({
    ok: false,
    status: null,
    code: 'private_address',
    error: expect.stringContaining('10.0.0.1 is an address of a private network'),
  })
  expect(await http.answer({ nonsense: true }, context)).toMatchObject({
    ok: false,
    error: expect.stringMatching(/^Method: /),
    code: 'invalid_request',
  })
})

test('a call that changes something carries its key, the same for each repetition', async () => {
  answer = replying('')
  const first = await send({ method: 'POST' }, 'first')
  const again = await send({ method: 'POST', idempotencyKey: first.key }, 'second')
  expect(server.received.slice(-2).map(({ headers }) => headers['idempotency-key'])).toEqual(['first', 'first'])
  expect([first.key, again.key]).toEqual(['first', 'first'])
  await send({ method: 'PUT', headers: [['idempotency-key', 'my own']] })
  expect(sent()?.headers['idempotency-key']).toBe('my own')
  await send()
  expect(sent()?.headers['idempotency-key']).toBe(undefined)
})

test('bodies are written as their type says', async () => {
  answer = replying('')
  const fields: [string, string][] = [
    ['a b', 'ü&='],
    ['c', 'line\r\nline'],
  ]
  const post = async (body: HttpCall['body'], headers: [string, string][] = []) => {
    await send({ method: 'POST', body, headers })
    return [sent()?.headers['content-type'], sent()?.body]
  }
  expect(await post({ type: 'json', text: '{"a":1}' })).toEqual(['application/json', '{"a":1}'])
  expect(await post({ type: 'raw', text: '<a/>' }, [['Content-Type', 'text/xml']])).toEqual(['text/xml', '<a/>'])
  expect(await post({ type: 'raw', text: 'hi' })).toEqual(['text/plain; charset=utf-8', 'hi'])
  expect(await post({ type: 'urlencoded', fields })).toEqual([
    'application/x-www-form-urlencoded',
    'a+b=%C3%BC%26%3D&c=line%0D%0Aline',
  ])
  const [type = '', form = ''] = await post({ type: 'form', fields: [...fields, ['q"\r\n', 'x']] })
  const parsed = await new Response(form, { headers: { 'content-type': type } }).formData()
  expect([...parsed.entries()]).toEqual([
    ['a b', 'ü&='],
    ['c', 'line\r\nline'],
    ['q"\r\n', 'x'],
  ])
  await send({ body: { type: 'json', text: '{}' } })
  expect([sent()?.method, sent()?.body]).toEqual(['GET', ''])
})

test('the query is added to what the address has, and that stays as it is', async () => {
  answer = replying('')
  await send({
    url: `${server.url}/p?sig=a%2Fb+c~'`,
    query: [
      ['q', 'ü &'],
      ['empty', ''],
    ],
  })
  expect(sent()?.path).toBe('/p?sig=a%2Fb+c~%27&q=%C3%BC+%26&empty=')
})

test('authentication', async () => {
  answer = replying('')
  await send({ auth: { type: 'basic', username: 'ü', password: 'a:b' } })
  expect(sent()?.headers.authorization).toBe(`Basic ${Buffer.from('ü:a:b').toString('base64')}`)
  await send({ auth: { type: 'bearer', token: 't' } })
  expect(sent()?.headers.authorization).toBe('Bearer t')
  await send({ auth: { type: 'header', name: 'X-Api-Key', value: 'k' } })
  expect(sent()?.headers['x-api-key']).toBe('k')
})

test('a key in a header of its own does not follow a redirect to another origin', async () => {
  const other = await startOutsideServer((_, response) => response.end(), '127.0.0.1')
  answer = replying('', { location: other.url }, 302)
  await send({ auth: { type: 'header', name: 'X-Api-Key', value: 'k' }, headers: [['X-Trace', 'yes']] })
  other.close()
  expect(other.received[0]?.headers).toMatchObject({ 'x-trace': 'yes' })
  expect(other.received[0]?.headers['x-api-key']).toBe(undefined)
  answer = replying('', { location: other.url }, 302)
  expect(await send({ followRedirects: false })).toMatchObject({ ok: true, status: 302 })
})

test('a test that is not sent says what is wrong with its secrets as one that is sent does', async () => {
  const values = new Map([
    ['THERE', 'value-1'],
    ['CLIMBS', '..'],
  ])
  const withSecrets = createHttpHandler(
    createOutboundFetch({ allowed: parseNetworks('127.0.0.1') }),
    () => new Date('2026-11-21T10:00:00Z'),
    { secretsOf: async () => values },
  )
  const naming = (name: string) =>
    asJson(call({ method: 'POST', url: `${server.url}/{{secret.${name}}}/x`, secrets: [name], sample: '{"id":1}' }))
  const before = server.received.length
  for (const name of ['GONE', 'CLIMBS']) {
    const real = await withSecrets.answer(naming(name), context)
    const simulated = await withSecrets.answer(naming(name), { ...context, writes: 'simulated' })
    expect(real).toMatchObject({ ok: false, code: name === 'GONE' ? 'missing_secret' : 'invalid_secret' })
    expect(simulated).toEqual(real)
  }
  const simulated = await withSecrets.answer(naming('THERE'), { ...context, writes: 'simulated' })
  expect(simulated).toMatchObject({ ok: true, body: { id: 1 }, testEffects: [{ carriedOut: false }] })
  expect(JSON.stringify(simulated)).not.toContain('value-1')
  expect(server.received).toHaveLength(before)
})
