import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, createServer as createDoor, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestServer } from '../../../tests/support/server'
import { trusts } from '../config/trustProxy'
import { type ConnectionLimits, shareConnections } from './connections'

const LIMITS: ConnectionLimits = { burst: 20, perSecond: 10, open: 30, share: 0.5 }

let server: Server
let sockets: Socket[]
/** addresses of connections that were served, in their order */
let handed: string[]
let lines: string[]
let time: number
beforeEach(() => {
  sockets = []
  handed = []
  lines = []
  time = 0
  server = createServer((request, answer) => {
    request.resume().on('end', () => answer.end('there'))
  })
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
})

const listen = async (trust: number | string[] = 0, limits: Partial<ConnectionLimits> = {}) => {
  server.on('connection', (socket) => handed.push(socket.remoteAddress ?? ''))
  const log = pino({}, { write: (line) => lines.push(line) })
  shareConnections(server, trust, log, { ...LIMITS, ...limits }, () => time)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
}
const open = (from: string) => {
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', localAddress: from })
  sockets.push(socket.on('error', () => {}))
  return socket
}
/** @returns what was answered to a call on a connection of its own */
function call(from: string, ends = true, body = ''): Promise<string> {
  const socket = open(from)
  const keep = ends ? 'Connection: close\r\n' : ''
  socket.write(`POST / HTTP/1.1\r\nHost: test\r\n${keep}Content-Length: ${body.length}\r\n\r\n${body}`)
  return ends ? text(socket) : once(socket, 'data').then(([data]) => String(data))
}
const calls = (from: string, count: number, ends = true) =>
  Promise.all(Array.from({ length: count }, () => call(from, ends)))
const statuses = (answers: string[]) => answers.map((answer) => Number(answer.slice(9, 12)))
const refusals = (answers: string[]) => statuses(answers).filter((status) => status === 503).length

test('more connections at once of one address than many browsers open are refused, and those of others are served', async () => {
  await listen()
  expect(refusals(await calls('127.0.0.2', 50))).toBe(30)
  expect(refusals(await calls('127.0.0.3', 20))).toBe(0)
  expect(lines).toHaveLength(30)
})

test('an address gets in again as time passes, as often as the limits have it', async () => {
  await listen()
  await calls('127.0.0.2', 20)
  expect(refusals(await calls('127.0.0.2', 1))).toBe(1)
  time += 500
  expect(refusals(await calls('127.0.0.2', 10))).toBe(5)
  // addresses are forgotten by then, and are those who come for the first time
  time += 60_000
  expect(refusals(await calls('127.0.0.2', 21))).toBe(1)
})

test('an address holds so many connections, and no more than its share of all', async () => {
  await listen(0, { open: 10 })
  expect(refusals(await calls('127.0.0.2', 15, false))).toBe(5)
  expect(refusals(await calls('127.0.0.3', 1, false))).toBe(0)
  server.maxConnections = 40
  expect(refusals(await calls('127.0.0.4', 10, false))).toBe(0)
  // a connection that ends makes room
  sockets[0]?.destroy()
  await expect.poll(async () => refusals(await calls('127.0.0.2', 1))).toBe(0)
})

test('where the process may have few connections, one address may have half of them', async () => {
  await listen()
  server.maxConnections = 12
  expect(refusals(await calls('127.0.0.2', 10, false))).toBe(4)
})

test('a refusal is a whole answer, which tells each to come back at another time', async () => {
  await listen(0, { burst: 1 })
  await call('127.0.0.2')
  const answers = await calls('127.0.0.2', 100)
  const [head = '', body = ''] = answers[0]?.split('\r\n\r\n') ?? []
  expect(head).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/)
  expect(head).toContain('x-content-type-options: nosniff')
  expect(head).toContain('connection: close')
  expect(JSON.parse(body)).toMatchObject({ success: false, code: 'overloaded' })
  const seconds = answers.map((answer) => Number(/\r\nretry-after: (\d+)\r\n/.exec(answer)?.[1]))
  expect(Math.min(...seconds)).toBeGreaterThanOrEqual(2)
  expect(Math.max(...seconds)).toBeLessThanOrEqual(10)
  expect(new Set(seconds).size).toBeGreaterThan(3)
})

/** Connections that are there and that the server has not heard of. */
async function arriving(...from: string[]): Promise<Socket[]> {
  const door = createDoor()
  const arrived: Socket[] = []
  door.on('connection', (socket) => arrived.push(socket))
  await new Promise<void>((done) => door.listen(0, '127.0.0.1', done))
  const { port } = door.address() as AddressInfo
  for (const localAddress of from)
    sockets.push(connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {}))
  await expect.poll(() => arrived.length).toBe(from.length)
  sockets.push(...arrived)
  door.close()
  return arrived
}
const turnOfLoop = () => new Promise((resolve) => setImmediate(resolve))

test('of those who wait, the address that holds fewest is served first', async () => {
  await listen()
  const there = await arriving(...Array<string>(10).fill('127.0.0.2'), '127.0.0.3')
  there.sort((a, b) => String(a.remoteAddress).localeCompare(String(b.remoteAddress)))
  for (const socket of there) server.emit('connection', socket)
  await expect.poll(() => handed.length).toBe(11)
  expect(handed.indexOf('127.0.0.3')).toBe(0)
})

test('as long as connections come they are only taken, and one is served after some ms all the same', async () => {
  await listen()
  time = 100
  const there = await arriving(...Array<string>(12).fill('127.0.0.2'))
  const take = async (socket: Socket | undefined) => {
    server.emit('connection', socket)
    await turnOfLoop()
  }
  await take(there[0])
  expect(handed).toHaveLength(1)
  for (const socket of there.slice(1, 8)) await take(socket)
  expect(handed).toHaveLength(1)
  time += 5
  await take(there[8])
  expect(handed).toHaveLength(2)
  await expect.poll(() => handed.length).toBe(9)
})

test('a proxy that is trusted speaks for many', async () => {
  await listen(['127.0.0.2'])
  expect(refusals(await calls('127.0.0.2', 60))).toBe(0)
  expect(refusals(await calls('127.0.0.3', 60))).toBe(40)
})

test('whom the settings trust is known by the address of the connection', () => {
  const loopback = ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1']
  for (const address of loopback) expect(trusts(['loopback'], address), address).toBe(true)
  for (const address of ['10.1.2.3', '192.168.7.1', '172.16.0.1', 'fd00::1'])
    expect([trusts(['uniquelocal'], address), trusts(['loopback'], address)], address).toEqual([true, false])
  for (const address of ['169.254.1.1', 'fe80::1']) expect(trusts(['linklocal'], address), address).toBe(true)
  expect(trusts(['10.0.0.0/8'], '::ffff:10.1.2.3')).toBe(true)
  expect(trusts(['10.0.0.0/8'], '203.0.113.7')).toBe(false)
  expect([trusts(0, '127.0.0.1'), trusts(1, '203.0.113.7')]).toEqual([false, true])
})

test('what comes while a connection waits is not lost, and who leaves meanwhile is nobody’s trouble', async () => {
  await listen()
  const [leaving, staying] = await arriving('127.0.0.2', '127.0.0.3')
  for (const socket of [leaving, staying]) server.emit('connection', socket)
  leaving?.destroy(new Error('read ECONNRESET'))
  await expect.poll(() => handed).toEqual(['127.0.0.3'])
  const answers = await Promise.all(Array.from({ length: 15 }, () => call('127.0.0.2', true, 'x'.repeat(300_000))))
  expect(statuses(answers)).toEqual(Array(15).fill(200))
})

test('the app has them shared, by whom it trusts', async () => {
  const app = await startTestServer({ config: { trustProxy: 0 } })
  app.app.server.maxConnections = 10
  server = app.app.server as Server
  expect(refusals(await calls('127.0.0.2', 8, false))).toBe(3)
  await app.close()
})
