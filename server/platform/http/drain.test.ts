import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import fastify from 'fastify'
import { expect, test, vi } from 'vitest'
import { ask } from '../../../engine/flow/steps'
import { flowRow, makeChatbot } from '../../../tests/support/collab'
import { insertPublishedFlow } from '../../../tests/support/publishedFlow'
import { courses, leave, flow as scripted, scriptedRegistry } from '../../../tests/support/scripted'
import { startTestServer } from '../../../tests/support/server'
import { drainOnClose } from './drain'

async function listen() {
  // as in app.ts: the app itself says what a call gets meanwhile
  const app = fastify({ return503OnClosing: false })
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
  let whenClosing = () => {}
  const onClosing = (listener: () => void) => {
    whenClosing = listener
  }
  app.addHook('preClose', async () => whenClosing())
  drainOnClose(app)
  app.addHook('preClose', async () => whenDraining())
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  return { app, port, release, working, onDraining, onClosing }
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

test('an open stream holds up nothing of a close but its own connection', async () => {
  const { app, port, onDraining } = await listen()
  const { socket } = call(port, '/events')
  await once(socket, 'data')
  let open = 0
  onDraining(() => {
    app.server.getConnections((_, count) => {
      open = count
    })
  })
  // however slow the machine is: the wait for last calls has a limit of time
  vi.useFakeTimers({ toFake: ['performance'] })
  await app.close().finally(() => vi.useRealTimers())
  expect(open).toBe(1)
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

test('a call that comes on a kept connection while the server stops is answered, as the last one', async () => {
  const { app, port, onClosing } = await listen()
  const { socket, text } = call(port, '/quick')
  await once(socket, 'data')
  const ended = once(socket, 'close')
  // however slow the machine is: the wait for last calls has a limit of time
  vi.useFakeTimers({ toFake: ['performance'] })
  onClosing(() => void socket.write('GET /quick HTTP/1.1\r\nHost: test\r\n\r\n'))
  await app.close().finally(() => vi.useRealTimers())
  await ended
  expect(text().match(/HTTP\/1.1 200 /g)).toHaveLength(2)
  expect(text().match(/(?<=^connection: )\S+/gim)).toEqual(['keep-alive', 'close'])
})

test('an idle connection holds nothing up', async () => {
  const { app, port } = await listen()
  const { socket } = call(port, '/quick')
  await once(socket, 'data')
  const ended = once(socket, 'close')
  await app.close()
  await ended
})

test('a server that stops tells readiness probes, on connections that are there, and lives', async () => {
  const server = await startTestServer({ drains: true })
  const port = Number(new URL(server.url).port)
  const before = call(port, '/readyz')
  await once(before.socket, 'data')
  expect(before.text()).toMatch(/^HTTP\/1.1 200 /)
  const probes = ['/readyz', '/healthz'].map((path) => ({ path, socket: connect(port, '127.0.0.1') }))
  await Promise.all(probes.map(({ socket }) => once(socket, 'connect')))
  // a completed call proves that the server has accepted the earlier connections
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  const closing = server.close()
  await expect.poll(() => server.app.server.listening, { interval: 5 }).toBe(false)
  const answers = await Promise.all(
    probes.map(({ path, socket }) => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`)
      return text(socket)
    }),
  )
  const [ready = '', alive = ''] = answers
  expect(ready).toMatch(/^HTTP\/1.1 503 /)
  expect(ready).toMatch(/^retry-after: 5/im)
  expect(ready).toContain('{"success":false,"data":"The server is stopping.","code":"unavailable"}')
  expect(alive).toMatch(/^HTTP\/1.1 200 /)
  for (const answer of answers) expect(answer).toMatch(/^connection: close/im)
  await closing
})

test('while a server stops and its database is gone, streams and uploads too are a 503 in the envelope', async () => {
  courses.start = () => leave('next')
  courses.gather = function* () {
    yield* ask({ input: 'file', required: true, accept: [], maxSize: 1_000, maxCount: 1 })
    return 'next'
  }
  const server = await startTestServer({ drains: true, registry: scriptedRegistry })
  const { db } = server.context
  await insertPublishedFlow(db, scripted({ g: ['start', 'gather'] }), 'stops')
  const base = '/api/chat/stops/conversations'
  const { body } = await (await server.guest()).send('POST', base, { client_id: 'visitor-1' })
  const { token, conversation } = body.data as { token: string; conversation: { id: string } }
  const path = `${base}/${conversation.id}`
  const head = `HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${token}\r\n`
  const calls = [
    `GET ${path}/events?token=${token} ${head}\r\n`,
    `POST ${path}/files?name=a.txt ${head}Content-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello`,
    `GET ${path} ${head}\r\n`,
  ]
  const sockets = calls.map(() => connect(Number(new URL(server.url).port), '127.0.0.1'))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  const closing = server.close()
  await expect.poll(() => server.app.server.listening, { interval: 5 }).toBe(false)
  // it ends when the turns' own connection is released, at the end of the close
  const destroyed = db.destroy()
  const answers = sockets.map((socket, at) => {
    socket.write(calls[at] ?? '')
    return text(socket)
  })
  for (const [at, answer] of (await Promise.all(answers)).entries()) {
    expect(answer, calls[at]).toMatch(/^HTTP\/1.1 503 /)
    expect(answer).toMatch(/^retry-after: 5/im)
    expect(answer).toContain('"code":"unavailable"}')
  }
  await closing
  await destroyed
})

test('a server of tests closes while a test that failed has left a stream open', async () => {
  const server = await startTestServer({
    plant: (app) =>
      void app.get('/planted', (_, reply) => {
        reply.hijack()
        reply.raw.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: hello\n\n')
      }),
  })
  const { socket } = call(Number(new URL(server.url).port), '/planted')
  await once(socket, 'data')
  await server.close()
})

test('a draft that is asked for after open flows were closed is a 503, not a failure', async () => {
  const server = await startTestServer()
  const { fid } = await makeChatbot(await server.register())
  const { id, projectId } = await flowRow(server, fid)
  const { rooms } = server.parts.documents
  await rooms.close()
  await expect(rooms.enter({ id, projectId })).rejects.toMatchObject({ code: 'unavailable', status: 503 })
  await server.close()
})
