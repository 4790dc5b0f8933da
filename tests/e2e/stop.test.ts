import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { beforeAll, expect, test } from 'vitest'
import type WebSocket from 'ws'
import { closeCodes } from '../../engine/document/syncProtocol'
import { register } from '../../server/contracts/auth'
import { startConversation } from '../../server/contracts/chat'
import { createChatbot } from '../../server/contracts/chatbots'
import { publishFlow } from '../../server/contracts/flows'
import { listProjects } from '../../server/contracts/projects'
import { type BuiltApp, startInstallation } from '../support/app'
import { createClient, pathOf, type TestClient } from '../support/client'
import { socketOf } from '../support/collab'

const STREAMS = 100
const SOCKETS = 50

let app: BuiltApp
let owner: TestClient
let flow: { pgid: string; cgid: string; fid: string; slug: string }

beforeAll(async () => {
  app = await startInstallation()
  owner = await createClient(app.url)
  const setup_token = new URL(app.ownerLink).searchParams.get('setup_token') ?? ''
  const person = { first_name: 'Ada', last_name: 'Owner', email: 'ada@example.com', password: 'correct horse battery' }
  await owner.call(register, { body: { ...person, setup_token } })
  const pgid = (await owner.call(listProjects)).projects[0]?.gid ?? ''
  const { chatbot } = await owner.call(createChatbot, { params: { pgid }, body: { name: 'Bot' } })
  flow = { pgid, cgid: chatbot.gid, fid: chatbot.fid, slug: chatbot.slug }
  await owner.call(publishFlow, { params: { pgid, cgid: chatbot.gid, fid: chatbot.fid } })
})

test('Ctrl-C ends open event streams and sockets, and the server before it would be cut', async () => {
  const { token, conversation } = await owner.call(startConversation, {
    params: { slug: flow.slug },
    body: { client_id: 'visitor-1' },
  })
  const path = pathOf('/api/chat/:slug/conversations/:id/events', { slug: flow.slug, id: conversation.id })
  const streams = await times(STREAMS, () => listen(`${app.url}${path}?token=${token}`))
  const sockets = await times(SOCKETS, () => openSocket())

  const ended = Promise.all(streams.map((stream) => once(stream.resume(), 'close')))
  const closed = Promise.all(sockets.map((socket) => once(socket, 'close').then(([code]) => code)))
  expect(await app.stop()).toBe(0)
  await ended
  expect(new Set(await closed)).toEqual(new Set([closeCodes.tryLater]))
})

const times = <Value>(count: number, make: () => Promise<Value>): Promise<Value[]> =>
  Promise.all(Array.from({ length: count }, make))

/** An event stream that has begun. */
async function listen(url: string): Promise<IncomingMessage> {
  const [answer] = (await once(get(url, { agent: false }), 'response')) as [IncomingMessage]
  expect(answer.statusCode).toBe(200)
  return answer.on('error', () => {})
}

/** A socket to the draft on which the server has spoken: it is in the room. */
async function openSocket(): Promise<WebSocket> {
  const Socket = socketOf(owner) as unknown as new (url: string) => WebSocket
  const socket = new Socket(`${app.url.replace(/^http/, 'ws')}/collab/${flow.fid}`)
  await once(socket, 'message')
  return socket
}
