import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { drainOnClose } from './drain'

async function listen() {
  const app = fastify()
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  let reached = () => {}
  const working = new Promise<void>((done) => {
    reached = done
  })
  let whenDraining = () => {}
  const onDraining = (listener: () => void) => {
    whenDraining = listener
  }
  app.get('/events', (_, reply) => {
    reply.hijack()
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: hello\n\n')
  })
  app.get('/slow', async () => {
    reached()
    await held
    return { done: true }
  })
  app.get('/quick', async () => ({ done: true }))
  drainOnClose(app)
  app.addHook('preClose', async () => whenDraining())
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  return { app, port, release, working, onDraining }
}

function call(port: number, path: string): { socket: Socket; text: () => string } {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  socket.on('error', () => {})
  socket.write(`GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`)
  return { socket, text: () => text }
}

test('a close ends an open stream, which would hold it for ever', async () => {
  const { app, port } = await listen()
  const { socket, text } = call(port, '/events')
  await once(socket, 'data')
  const ended = once(socket, 'close')
  await app.close()
  await ended
  expect(text()).toContain('data: hello')
})

test('a call at work is answered before its connection ends', async () => {
  const { app, port, release, working, onDraining } = await listen()
  const { socket, text } = call(port, '/slow')
  await working
  const ended = once(socket, 'close')
  onDraining(release)
  await app.close()
  await ended
  expect(text()).toMatch(/connection: close/i)
  expect(text()).toContain('{"done":true}')
})

test('a call that never ends is cut', async () => {
  const { app, port, working } = await listen()
  const { socket, text } = call(port, '/slow')
  await working
  const ended = once(socket, 'close')
  await app.close()
  await ended
  expect(text()).toBe('')
})

test('an idle connection holds nothing up', async () => {
  const { app, port } = await listen()
  const { socket } = call(port, '/quick')
  await once(socket, 'data')
  const ended = once(socket, 'close')
  await app.close()
  await ended
})
