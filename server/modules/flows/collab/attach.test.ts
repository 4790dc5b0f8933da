import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../../tests/support/server'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const address = () => ({ host: '127.0.0.1', port: Number(new URL(server.url).port) })
const handshake = (path: string, headers = '') =>
  `GET ${path} HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${headers}\r\n`
const isAlive = async () => (await fetch(`${server.url}/api/installation`)).status

/** Invalid paths, which no browser sends: the process must survive them. */
test.each(['//', '///x', '/\\', 'http://', 'http://[', '*', '/collab/%', '/collab/../x'])(
  'an upgrade of %j is refused, and the server goes on',
  async (path) => {
    const socket = connect(address())
    socket.write(handshake(path))
    expect(await text(socket)).toMatch(/^HTTP\/1.1 (400|404)/)
    expect(await isAlive()).toBe(200)
  },
)

test('an upgrade whose sender is gone before it is refused leaves the server standing', async () => {
  const upgraded = once(server.app.server, 'upgrade')
  const socket = connect(address())
  socket.write(handshake('/collab/x', 'Origin: http://elsewhere.example\r\n'))
  const [, stream] = await upgraded
  // without a listener the event would be thrown
  expect(stream.emit('error', new Error('read ECONNRESET'))).toBe(true)
  expect(await text(socket.on('error', () => {})).catch(() => 'cut')).toMatch(/^$|cut|403/)
  expect(await isAlive()).toBe(200)
})

test.each([
  ['https://parley.example.com', 101],
  ['http://parley.example.com', 403],
  ['https://parley.example.com.evil.example', 403],
  ['null', 403],
])('behind a proxy that names another host, a page of %s gets %i', async (origin, status) => {
  server.context.config.publicUrl = 'https://parley.example.com'
  const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
  const socket = connect(address())
  socket.write(handshake(`/collab/${'a'.repeat(16)}`, `Origin: ${origin}\r\n${key}`))
  const [head] = await once(socket, 'data')
  expect(String(head)).toContain(`HTTP/1.1 ${status} `)
  socket.destroy()
})
