import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type IncomingHttpHeaders, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import cookie from '@fastify/cookie'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyFlow } from '../../../engine/flow/schema'
import { socketOf } from '../../../tests/support/collab'
import { insertPublishedFlow } from '../../../tests/support/publishedFlow'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { authenticate } from '../../access/sessions'
import { separateChatOrigin } from './chatOrigin'

let server: TestServer
let owner: Registered
let clientDir: string
let chatHost: string
let builderHost: string
beforeAll(async () => {
  clientDir = await mkdtemp(join(tmpdir(), 'parley-origins-'))
  for (const folder of ['assets', 'widget']) await mkdir(join(clientDir, folder))
  await writeFile(join(clientDir, 'index.html'), '<title>app</title>')
  await writeFile(join(clientDir, 'widget/chat.html'), '<title>chat</title>')
  await writeFile(join(clientDir, 'assets/main-abc123.js'), 'main()')
  server = await startTestServer({ clientDir })
  const { port } = new URL(server.url)
  chatHost = `localhost:${port}`
  builderHost = `127.0.0.1:${port}`
  server.context.config.chatUrl = `http://${chatHost}`
  owner = await server.register()
  await insertPublishedFlow(server.context.db, emptyFlow(), 'some-bot')
})
afterAll(async () => {
  await server.close()
  await rm(clientDir, { recursive: true })
})

/** Over a real socket, with the `Host` header of a browser. */
async function get(host: string, path: string, headers: Record<string, string> = {}, method = 'GET') {
  const { port } = new URL(server.url)
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path, method, headers: { ...headers, host } }, resolve)
    call.on('error', reject).end()
  })
  const answer: { status: number | undefined; headers: IncomingHttpHeaders; text: string } = {
    status: response.statusCode,
    headers: response.headers,
    text: await text(response),
  }
  return answer
}
const cookies = () => ({ cookie: [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ') })

test('the visitors’ origin serves chat pages, what they load and call, and files', async () => {
  expect(await get(chatHost, '/c/some-bot')).toMatchObject({ status: 200, text: '<title>chat</title>' })
  expect(await get(chatHost, '/assets/main-abc123.js')).toMatchObject({ status: 200, text: 'main()' })
  expect(await get(chatHost, '/c/no-such-bot')).toMatchObject({ status: 404, text: '<title>chat</title>' })
  expect((await get(chatHost, '/api/chat/no-such-bot')).text).toContain('This chatbot is not available.')
  // a missing file is not redirected
  expect((await get(chatHost, `/files/${'a'.repeat(16)}`)).headers.location).toBeUndefined()
})

test('it serves nothing of the builder, in whatever spelling its name is asked for', async () => {
  const paths = [
    '/',
    '/login',
    '/projects',
    '/api/user',
    '/api/installation',
    '/api/csrf-cookie',
    '/c/Not a slug',
    '/%zz',
  ]
  for (const host of [chatHost, chatHost.toUpperCase()])
    for (const path of paths) {
      const answer = await get(host, encodeURI(path).replace('%25', '%'), cookies())
      expect(answer.status, path).toBe(404)
      expect(answer.text, path).not.toContain('<title>app')
    }
  expect((await get(chatHost, '/mcp', {}, 'POST')).status).toBe(404)
  expect((await get(chatHost, '/api/auth/login', cookies(), 'POST')).status).toBe(404)
})

test('probes answer at both origins, and at a name that neither has', async () => {
  for (const host of [chatHost, builderHost, '10.0.0.7', 'any.example:8080'])
    for (const path of ['/healthz', '/readyz']) expect((await get(host, path)).status, `${host}${path}`).toBe(200)
  for (const path of ['/healthz/', '/healthz/x', '/readyzz']) expect((await get(chatHost, path)).status, path).toBe(404)
})

test('there no session is read, and no cookie is set', async () => {
  for (const path of ['/c/some-bot', '/api/chat/some-bot', '/api/csrf-cookie'])
    expect((await get(chatHost, path, cookies())).headers['set-cookie'], path).toBeUndefined()
  const Socket = socketOf(owner, `http://${chatHost}`)
  const opened = await new Promise<string>((resolve) => {
    const socket = new Socket(`ws://${chatHost}/collab/${'f'.repeat(16)}`)
    socket.onopen = () => resolve('open')
    socket.onerror = () => resolve('refused')
  })
  expect(opened).toBe('refused')
  // the same session is valid at the builder's origin
  expect((await get(builderHost, '/api/user', cookies())).status).toBe(200)
})

test('whatever is ever served there, a session that was sent there is nobody’s', async () => {
  const app = fastify()
  separateChatOrigin(app, { ...server.context.config, chatUrl: 'http://chat.example' })
  await app.register(cookie)
  app.get('/assets/who', async (request) => (await authenticate(server.context, request))?.email ?? 'nobody')
  const who = async (host: string) =>
    (await app.inject({ url: '/assets/who', headers: { ...cookies(), host } })).payload
  expect(await who('chat.example')).toBe('nobody')
  expect(await who('builder.example')).toBe(owner.user.email)
  await app.close()
})

test('the builder’s origin sends chat pages and files there, with their query, and serves the rest', async () => {
  for (const path of [
    '/c/some-bot',
    '/c/some-bot?user=1',
    `/files/${'a'.repeat(16)}`,
    `/files/sent/${'a'.repeat(16)}`,
  ]) {
    const { status, headers } = await get(builderHost, path)
    expect([status, headers.location]).toEqual([302, `http://${chatHost}${path}`])
  }
  expect(await get(builderHost, '/login')).toMatchObject({ status: 200, text: '<title>app</title>' })
  // of the builder's own routes some have such a word further on
  for (const path of ['/api/files/one', '/api/c/one'])
    expect((await get(builderHost, path, cookies())).headers.location, path).toBeUndefined()
})

test('without an origin of their own, chat pages are where the builder is', async () => {
  server.context.config.chatUrl = null
  expect((await get(builderHost, '/c/some-bot')).status).toBe(200)
  expect((await get(chatHost, '/login')).status).toBe(200)
  server.context.config.chatUrl = `http://${chatHost}`
})
