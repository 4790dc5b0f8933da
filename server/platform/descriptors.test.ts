import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectionsWithin, limitConnections, lowLimitNotice, openFileLimit } from './descriptors'

/** So few descriptors that 16 browsers are accepted. */
const LIMIT = 20
const BROWSERS = 16

let server: Server
let lines: string[]
let sockets: Socket[]
beforeEach(async () => {
  lines = []
  sockets = []
  // long-lived, as in app.ts
  server = createServer({ keepAliveTimeout: 72_000 }, (request, answer) => {
    if (request.url !== '/held') answer.end('there')
  })
  limitConnections(server, LIMIT, pino({}, { write: (line) => lines.push(line) }))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
})

const port = () => (server.address() as AddressInfo).port
/** A keep-alive connection after a call, as browsers have them. */
async function asks(path: string): Promise<Socket> {
  const socket = connect(port(), '127.0.0.1').on('error', () => {})
  sockets.push(socket)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`)
  if (path === '/held') await once(server, 'request')
  else await once(socket, 'data')
  return socket
}
/** @returns the response on a new connection; empty if it was closed */
async function comes(): Promise<string> {
  const socket = connect(port(), '127.0.0.1')
  sockets.push(socket)
  socket.write('GET / HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n')
  return text(socket).catch(() => '')
}

test('whoever comes above the limit is cut off, which ends connections that nobody uses: the next one gets in', async () => {
  const held = await asks('/held')
  const idle = await Promise.all(Array.from({ length: BROWSERS - 1 }, () => asks('/')))
  const ended = Promise.all(idle.map((socket) => once(socket, 'close')))
  expect(await comes()).toBe('')
  expect(await comes()).toMatch(/there$/)
  await ended
  // a connection with a call in progress stays
  expect(held.destroyed).toBe(false)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('EMFILE')
})

test('where connections are all at work, nobody loses his', async () => {
  const held: Socket[] = []
  for (let n = 0; n < BROWSERS; n++) held.push(await asks('/held'))
  expect(await comes()).toBe('')
  expect(held.map(({ destroyed }) => destroyed)).not.toContain(true)
  expect(await new Promise((done) => server.getConnections((_, count) => done(count)))).toBe(BROWSERS)
})

test('the limit is that of the process, of which a quarter, and at least 100, is left to everything else', () => {
  const limit = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim()
  expect(openFileLimit()).toBe(limit === 'unlimited' ? Number.POSITIVE_INFINITY : Number(limit))
  expect([20, 116, 117, 400, 402, 4_096].map(connectionsWithin)).toEqual([16, 16, 17, 300, 301, 3_072])
})

test('an operator is told of a low limit, and how many browsers it lets in', () => {
  expect(lowLimitNotice(1_024)).toBeNull()
  expect(lowLimitNotice(1_023)).toContain('have 1023 files and connections open at once, which lets 767 browsers in')
})
