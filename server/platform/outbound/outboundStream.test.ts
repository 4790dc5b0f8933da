import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import { parseNetworks } from './addresses'
import { createOutboundStream } from './outboundStream'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const fetch = createOutboundStream({ allowed: parseNetworks('127.0.0.0/8') })

test('an answer is read as it comes, with what was sent', async () => {
  let goOn = () => {}
  const url = await serve(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    response.writeHead(201, { 'x-sent': `${request.method} ${request.headers.authorization} ${body}` })
    response.write('first')
    goOn = () => response.end(' and last')
  })
  const answer = await fetch(url, { method: 'POST', headers: { authorization: 'Bearer k' }, body: 'hello' })
  expect([answer.status, answer.headers.get('x-sent')]).toEqual([201, 'POST Bearer k hello'])
  const reader = answer.body?.getReader()
  const textOf = async () => Buffer.from((await reader?.read())?.value ?? []).toString()
  expect(await textOf()).toBe('first')
  goOn()
  expect(await textOf()).toBe(' and last')
})

test('an answer is asked for as it is, since a packed one is refused', async () => {
  const url = await serve((request, response) => response.end(String(request.headers['accept-encoding'])))
  expect(await (await fetch(url)).text()).toBe('identity')
})

test('an answer of up to 50 MB is read; a longer one fails, and ends its connection', async () => {
  let closed = false
  const length = { bytes: 0 }
  const chunk = Buffer.alloc(1_000_000)
  const url = await serve((_, response) => {
    response.on('close', () => {
      closed = true
    })
    Readable.from(
      (function* () {
        for (let left = length.bytes; left > 0; left -= chunk.length) yield chunk.subarray(0, left)
      })(),
    ).pipe(response)
  })
  const read = async (bytes: number) => {
    length.bytes = bytes
    return (await (await fetch(url)).arrayBuffer()).byteLength
  }
  expect(await read(50_000_000)).toBe(50_000_000)
  closed = false
  await expect(read(50_000_001)).rejects.toThrow('The response is larger than 50 MB.')
  await expect.poll(() => closed).toBe(true)
})

test('private addresses are not called, and redirects, which would take keys along, not followed', async () => {
  const paths: (string | undefined)[] = []
  const url = await serve((request, response) => {
    paths.push(request.url)
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  await expect(createOutboundStream({})(url)).rejects.toMatchObject({ code: 'private_address' })
  await expect(createOutboundStream({})('http://localhost:1')).rejects.toMatchObject({ code: 'private_address' })
  await expect(fetch('file:///etc/passwd')).rejects.toMatchObject({ code: 'invalid_url' })
  expect(paths).toEqual([])
  await expect(fetch(url)).rejects.toMatchObject({ code: 'bad_redirect' })
  expect(paths).toEqual(['/'])
})

test('whoever ends it ends the connection', async () => {
  let closed = false
  const url = await serve((_, response) => {
    response.on('close', () => {
      closed = true
    })
    response.write('more to come')
  })
  const ending = new AbortController()
  const answer = await fetch(url, { signal: ending.signal })
  ending.abort()
  await expect(answer.text()).rejects.toThrow()
  await expect.poll(() => closed).toBe(true)
})

test('a place that an answer names is no redirect unless its status says so', async () => {
  const answers = [201, 202, 400, 404]
  const url = await serve((request, response) =>
    response.writeHead(Number(request.url?.slice(1)), { location: '/made' }).end(),
  )
  const statuses = []
  for (const status of answers) statuses.push((await fetch(`${url}/${status}`)).status)
  expect(statuses).toEqual(answers)
  for (const status of [300, 308, 399])
    await expect(fetch(`${url}/${status}`)).rejects.toMatchObject({ code: 'bad_redirect' })
})

test('answers that have no body are answers', async () => {
  let status = 204
  const url = await serve((_, response) => response.writeHead(status).end())
  for (status of [204, 205, 304]) {
    const answer = await fetch(url)
    expect([answer.status, await answer.text()]).toEqual([status, ''])
  }
})

test('redirects are followed where that is asked for, each checked like the address itself', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/file') response.end('the file')
    else response.writeHead(302, { location: request.url === '/in' ? '/file' : 'http://169.254.169.254/file' }).end()
  })
  const follow = createOutboundStream({ allowed: parseNetworks('127.0.0.0/8'), redirects: 1 })
  expect(await (await follow(`${url}/in`)).text()).toBe('the file')
  await expect(follow(`${url}/out`)).rejects.toThrow('metadata address')
  await expect(fetch(`${url}/in`)).rejects.toThrow('redirects to "/file"')
})

test('more bytes than the caller allows end the answer', async () => {
  const url = await serve((_, response) => response.end('x'.repeat(1_000)))
  const little = createOutboundStream({ allowed: parseNetworks('127.0.0.0/8'), most: 999 })
  const answer = await little(url)
  await expect(answer.text()).rejects.toThrow('larger than')
})
