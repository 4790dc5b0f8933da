import type { ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer as createPlainServer } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OutsideServer, type Received, startOutsideServer } from '../../../tests/support/outsideServer'
import { parseNetworks } from './addresses'
import { OutboundError } from './errors'
import { createOutboundFetch, type OutboundRequest } from './outboundFetch'

const allowed = parseNetworks('127.0.0.1, 127.0.0.2')
const fetchOutbound = createOutboundFetch({ allowed })
const text = async (request: OutboundRequest) => Buffer.from((await fetchOutbound(request)).body).toString()
const failure = async (request: OutboundRequest, fetch = fetchOutbound): Promise<string> =>
  fetch(request).then(
    () => 'answered',
    (error: unknown) => (error instanceof OutboundError ? error.code : `${error}`),
  )

/** One path per behaviour. */
const behaviours: Record<string, (request: Received, response: ServerResponse) => unknown> = {
  '/echo': ({ body }, response) => response.end(`you said ${body}`),
  '/empty': (_, response) => response.writeHead(204).end(),
  '/unchanged': (_, response) => response.writeHead(304, { 'content-encoding': 'gzip' }).end(),
  '/loop': (_, response) => response.writeHead(302, { location: '/loop' }).end('again'),
  '/nowhere': (_, response) => response.writeHead(302, { location: 'http://' }).end(),
  '/file': (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/private': (_, response) => response.writeHead(302, { location: 'http://127.0.0.3/' }).end(),
  '/metadata': (_, response) => response.writeHead(307, { location: 'http://169.254.169.254/latest/' }).end(),
  '/silent': () => undefined,
  '/slow': async (_, response) => {
    response.write('a')
    const drip = setInterval(() => response.write('a'), 5)
    response.on('close', () => clearInterval(drip))
  },
  '/endless': (_, response) => {
    const fill = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    }
    response.on('drain', fill)
    fill()
  },
  '/endless-redirect': (_, response) => {
    response.writeHead(302, { location: '/echo' })
    behaviours['/endless']?.(_, response)
  },
  '/short': (_, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('not a hundred')
    response.socket?.end()
  },
  '/bomb': (_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000))),
  '/twice': (_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip, br' }).end(brotliCompressSync(gzipSync('twice packed'))),
  '/thrice': (_, response) => response.writeHead(200, { 'content-encoding': 'gzip, gzip, gzip' }).end('x'),
  '/unknown': (_, response) => response.writeHead(200, { 'content-encoding': 'zip' }).end('x'),
  '/broken': (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('this is not gzip'),
  '/broken-br': (_, response) => response.writeHead(200, { 'content-encoding': 'br' }).end('this is not brotli'),
  '/cookies': (_, response) => response.writeHead(200, { 'Set-Cookie': ['a=1', 'b=2'], 'X-One': 'ü' }).end(),
}
let one: OutsideServer
let other: OutsideServer
beforeAll(async () => {
  one = await startOutsideServer((request, response) => {
    const [path = '', query = ''] = request.path.split('?')
    if (path === '/to') {
      const [status, location] = [query.slice(0, 3), decodeURIComponent(query.slice(4))]
      return response.writeHead(Number(status), { location }).end('moved')
    }
    if (path === '/packed')
      return response.writeHead(200, { 'content-encoding': query }).end(packers[query]?.('packed and unpacked'))
    const behave = behaviours[path]
    return behave ? behave(request, response) : response.writeHead(404).end('not here')
  })
  other = await startOutsideServer((_, response) => response.end('the other'), '127.0.0.2')
})
afterAll(() => {
  one.close()
  other.close()
})
const packers: Record<string, (text: string) => Buffer> = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
}
const last = (server = one) => server.received.at(-1)

test('what is sent arrives, what is answered comes back', async () => {
  const answer = await fetchOutbound({
    url: `${one.url}/echo?a=b#not-sent`,
    method: 'post',
    headers: [
      ['X-Name', 'Jürgen 😀'],
      ['X-Two', 'a'],
      ['x-two', 'b'],
    ],
    body: 'höre',
  })
  expect({ ...answer, body: Buffer.from(answer.body).toString() }).toMatchObject({
    status: 200,
    url: `${one.url}/echo?a=b`,
    body: 'you said höre',
    cut: false,
  })
  expect(last()).toMatchObject({ method: 'POST', path: '/echo?a=b', body: 'höre', headers: { 'x-two': 'a, b' } })
  expect(Buffer.from(String(last()?.headers['x-name']), 'latin1').toString()).toBe('Jürgen 😀')
  await fetchOutbound({ url: `${one.url}/echo`, headers: [['Constructor', 'a']] })
  expect(last()?.headers).toHaveProperty('constructor', 'a')
  expect((await fetchOutbound({ url: `${one.url}/cookies` })).headers).toMatchObject({ 'set-cookie': 'a=1, b=2' })
})

test('a call says who calls and what it takes, unless its own headers do', async () => {
  await fetchOutbound({ url: `${one.url}/echo` })
  expect(last()).toMatchObject({ method: 'GET', body: '' })
  const usual = { 'user-agent': 'Parley', accept: '*/*', 'accept-encoding': 'gzip, br' }
  expect(last()?.headers).toMatchObject(usual)
  await fetchOutbound({ url: `${one.url}/echo`, headers: [['Accept', 'text/csv']] })
  expect(last()?.headers).toMatchObject({ ...usual, accept: 'text/csv' })
  await fetchOutbound({ url: `${one.url}/echo`, headers: [['User-Agent', 'A bot']] })
  expect(last()?.headers).toMatchObject({ ...usual, 'user-agent': 'A bot' })
})

test('answers without a body', async () => {
  for (const [path, status] of [
    ['/empty', 204],
    ['/unchanged', 304],
  ] as const) {
    const answer = await fetchOutbound({ url: one.url + path })
    expect([answer.status, answer.body.length]).toEqual([status, 0])
  }
  const head = await fetchOutbound({ url: `${one.url}/packed?gzip`, method: 'HEAD' })
  expect([head.status, head.body.length]).toEqual([200, 0])
})

test.each([
  [301, 'POST', 'GET'],
  [302, 'POST', 'GET'],
  [303, 'POST', 'GET'],
  [307, 'POST', 'POST'],
  [308, 'POST', 'POST'],
  [301, 'PUT', 'PUT'],
  [303, 'PUT', 'GET'],
  [303, 'HEAD', 'HEAD'],
])('a redirect of %i turns %s into %s', async (status, method, becomes) => {
  const body = method === 'HEAD' ? null : 'content'
  const answer = await fetchOutbound({
    url: `${one.url}/to?${status}=/echo`,
    method,
    headers: [
      ['content-type', 'text/plain'],
      ['authorization', 'Bearer kept within an origin'],
    ],
    body,
  })
  expect(answer.url).toBe(`${one.url}/echo`)
  expect(last()).toMatchObject({ method: becomes, body: becomes === method ? (body ?? '') : '' })
  expect(last()?.headers['content-type']).toBe(becomes === method ? 'text/plain' : undefined)
  expect(last()?.headers.authorization).toBe('Bearer kept within an origin')
})

test('a body that holds a secret does not follow a redirect to another origin; within one it does', async () => {
  const post = (to: string) =>
    fetchOutbound({
      url: `${one.url}/to?307=${encodeURIComponent(to)}`,
      method: 'POST',
      body: 'sealed',
      secretBody: true,
    })
  const before = other.received.length
  await expect(post(other.url)).rejects.toMatchObject({ code: 'secret_redirect' })
  expect(other.received).toHaveLength(before)
  await post('/echo')
  expect(last()).toMatchObject({ method: 'POST', body: 'sealed' })
})

test('credentials do not follow a redirect to another origin', async () => {
  const url = `${one.url}/to?307=${encodeURIComponent(other.url)}`
  const headers = ['Authorization', 'Cookie', 'X-Api-Key', 'X-Trace'].map((name) => [name, 'value'] as const)
  await fetchOutbound({ url, method: 'POST', body: 'x', headers, secretHeaders: ['X-API-Key'] })
  const { headers: sent = {} } = last(other) ?? {}
  expect([sent.authorization, sent.cookie, sent['x-api-key'], sent['x-trace']]).toEqual([
    undefined,
    undefined,
    undefined,
    'value',
  ])
})

test('nor do they follow one from https to http on the same host', async () => {
  const headers = ['Authorization', 'Cookie', 'X-Api-Key', 'X-Trace'].map((name) => [name, 'value'] as const)
  // instead of TLS, a plain socket to another server
  const secure = await startOutsideServer((_, response) =>
    response.writeHead(307, { location: 'http://127.0.0.1/' }).end(),
  )
  const plain = await startOutsideServer((_, response) => response.end('open'))
  const fetchEither = createOutboundFetch({
    allowed,
    connector: ({ protocol }, callback) => {
      const socket = connect(Number(new URL(protocol === 'https:' ? secure.url : plain.url).port), '127.0.0.1')
      socket.once('connect', () => callback(null, socket))
    },
  })
  try {
    const call = { url: 'https://127.0.0.1/', method: 'POST', headers, secretHeaders: ['X-API-Key'], body: 'x' }
    expect(await fetchEither(call)).toMatchObject({ status: 200, url: 'http://127.0.0.1/' })
    expect(last(secure)?.headers).toMatchObject({ authorization: 'value', cookie: 'value', 'x-api-key': 'value' })
    const { headers: sent = {} } = last(plain) ?? {}
    expect([sent.authorization, sent.cookie, sent['x-api-key'], sent['x-trace']]).toEqual([
      undefined,
      undefined,
      undefined,
      'value',
    ])
    await expect(fetchEither({ ...call, secretBody: true })).rejects.toMatchObject({ code: 'secret_redirect' })
  } finally {
    secure.close()
    plain.close()
  }
})

test.each([
  ['/loop', 'too_many_redirects'],
  ['/nowhere', 'bad_redirect'],
  ['/file', 'bad_redirect'],
  ['/private', 'private_address'],
  ['/metadata', 'metadata_address'],
  ['/thrice', 'bad_encoding'],
  ['/unknown', 'bad_encoding'],
  ['/broken', 'bad_encoding'],
  ['/broken-br', 'bad_encoding'],
  ['/short', 'closed'],
])('%s fails with %s', async (path, code) => {
  expect(await failure({ url: one.url + path })).toBe(code)
})

test('a redirect is counted, and not followed where that is not wanted', async () => {
  const before = one.received.length
  await failure({ url: `${one.url}/loop` })
  expect(one.received.length - before).toBe(6)
  const answer = await fetchOutbound({ url: `${one.url}/loop`, maxRedirects: 0 })
  expect([answer.status, answer.headers.location]).toEqual([302, '/loop'])
})

test.each(['gzip', 'deflate', 'br'])('%s is unpacked', async (packer) => {
  expect(await text({ url: `${one.url}/packed?${packer}` })).toBe('packed and unpacked')
})

test('what is packed twice is unpacked twice; what unpacks to too much is cut', async () => {
  expect(await text({ url: `${one.url}/twice` })).toBe('twice packed')
  const answer = await fetchOutbound({ url: `${one.url}/bomb`, maxBytes: 100_000 })
  expect([answer.body.length, answer.cut]).toEqual([100_000, true])
  expect(await failure({ url: `${one.url}/bomb`, larger: 'fail' })).toBe('too_large')
})

test('an endless body is cut, and its connection ends', async () => {
  const answer = await fetchOutbound({ url: `${one.url}/endless`, maxBytes: 200_000 })
  expect([answer.body.length, answer.cut]).toEqual([200_000, true])
  await expect.poll(one.connections).toBe(0)
})

test('the body of a redirect is not waited for', async () => {
  expect(await text({ url: `${one.url}/endless-redirect` })).toBe('you said ')
  await expect.poll(one.connections).toBe(0)
})

test.each(['/silent', '/slow'])('%s ends at the limit of time, whatever has come', async (path) => {
  expect(await failure({ url: one.url + path, timeoutMs: 60 })).toBe('timeout')
  await expect.poll(one.connections).toBe(0)
})

test('a call that is cancelled ends: before it, at a silent server, in the middle of a body', async () => {
  const cancelled = AbortSignal.abort()
  expect(await failure({ url: `${one.url}/echo`, signal: cancelled })).toBe('aborted')
  for (const path of ['/silent', '/slow']) {
    const cancel = new AbortController()
    const before = one.received.length
    const failed = failure({ url: one.url + path, signal: cancel.signal })
    await expect.poll(() => one.received.length).toBe(before + 1)
    cancel.abort()
    expect(await failed).toBe('aborted')
  }
  await expect.poll(one.connections).toBe(0)
})

test.each([
  [{ method: 'CONNECT' }, 'invalid_method'],
  [{ headers: [['Host', 'internal']] }, 'forbidden_header'],
  [{ headers: [['Transfer-Encoding', 'chunked']] }, 'forbidden_header'],
  [{ headers: [['Content-Length', '3']] }, 'forbidden_header'],
  [{ headers: [['X-A', 'b\r\nX-Evil: 1']] }, 'invalid_header'],
  [{ headers: [['X A', 'b']] }, 'invalid_header'],
  [{ headers: [['', 'b']] }, 'invalid_header'],
] as [Partial<OutboundRequest>, string][])('%j is refused with %s', async (request, code) => {
  const before = one.received.length
  expect(await failure({ url: `${one.url}/echo`, ...request })).toBe(code)
  expect(one.received.length).toBe(before)
})

test('where nobody listens, where no HTTP is spoken, where no certificate holds', async () => {
  const plain = createPlainServer((socket) =>
    socket
      .on('error', () => undefined)
      .resume()
      .end('SSH-2.0-OpenSSH_9.2\r\n'),
  )
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
  const { port } = plain.address() as AddressInfo
  expect(await failure({ url: `http://127.0.0.1:${port}` })).toBe('no_http')
  expect(await failure({ url: `https://127.0.0.1:${port}` })).toBe('tls')
  await new Promise((resolve) => plain.close(resolve))
  expect(await failure({ url: `http://127.0.0.1:${port}` })).toBe('refused')
})

test("the environment's proxies are not used", async () => {
  const before = other.received.length
  process.env.HTTP_PROXY = process.env.http_proxy = other.url
  try {
    expect(await text({ url: `${one.url}/echo` })).toBe('you said ')
  } finally {
    delete process.env.HTTP_PROXY
    delete process.env.http_proxy
  }
  expect(other.received.length).toBe(before)
})

test('a socket that ends up elsewhere than was judged is refused', async () => {
  // the resolver is trusted, yet the socket's peer is checked
  const elsewhere = createOutboundFetch({
    allowed: parseNetworks('127.0.0.2'),
    connector: (_, callback) => {
      const socket = connect({ host: '127.0.0.1', port: Number(new URL(one.url).port) })
      socket.once('connect', () => callback(null, socket))
    },
  })
  const before = one.received.length
  expect(await failure({ url: 'http://elsewhere.example/echo' }, elsewhere)).toBe('private_address')
  expect(one.received.length).toBe(before)
})
