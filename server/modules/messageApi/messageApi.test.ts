import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { registry } from '../../../blocks/registry'
import { type Block, emptyFlow, type Flow } from '../../../engine/flow/schema'
import { staticValue } from '../../../engine/values/dynamicValue'
import { plainRichText } from '../../../engine/values/richText'
import { endBackgroundWork } from '../../../tests/support/backgroundWork'
import { createTestClock } from '../../../tests/support/clock'
import { makeChatbot } from '../../../tests/support/collab'
import { type OutsideServer, type Received, startOutsideServer } from '../../../tests/support/outsideServer'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { createApiKey } from '../../contracts/api-keys'
import { readChatbotChannels } from '../../contracts/channels'
import { importFlow, publishFlow } from '../../contracts/flows'
import { listInbox, readInboxConversation, readThread, replyToVisitor } from '../../contracts/inbox'
import {
  readMessageApi,
  receiveMessage,
  removeMessageApi,
  renewMessageApiSecret,
  saveMessageApi,
} from '../../contracts/messageApi'
import { parseNetworks } from '../../platform/outbound/addresses'

const clock = createTestClock('2026-11-24T10:00:00Z')
let server: TestServer
let ada: Registered
let program: OutsideServer
let answer: (request: Received, response: ServerResponse) => unknown
let at: { pgid: string; cgid: string }
let secret: string
let send: (body: object) => Promise<{ status: number; body: unknown }>
let messages = 0

beforeAll(async () => {
  program = await startOutsideServer((request, response) => answer(request, response))
  server = await startTestServer({ clock, config: { outboundAllow: parseNetworks('127.0.0.1/32') } })
  ada = await server.register()
})
afterAll(() => Promise.all([server.close(), program.close()]))
beforeEach(async () => {
  program.received.length = 0
  answer = (_, response) => response.writeHead(204).end()
  const { cgid, fid } = await makeChatbot(ada)
  at = { pgid: ada.pgid, cgid }
  const place = { ...at, fid }
  await ada.call(importFlow, { params: place, body: { source: JSON.stringify(flow), mode: 'replace' } })
  await ada.call(publishFlow, { params: place })
  secret = (await turnOn()).secret ?? ''
  const key = await ada.call(createApiKey, { params: { pgid: ada.pgid }, body: { name: 'Program', scope: 'write' } })
  send = (body) => sendWith(key.secret, body)
})

const block = (id: string, kind: string, data: object): Block => ({
  id,
  kind,
  version: registry.get(kind).migrations.length,
  data: { ...(registry.get(kind).defaults(() => `${id}-item`) as object), ...data } as Block['data'],
})
const option = (id: string, label: string) => ({ id, label: staticValue(label) })
const flow: Flow = {
  ...emptyFlow(),
  variables: [{ id: 'name', name: 'name', value: null }],
  groups: [
    {
      ...{ id: 'g', title: 'Start', position: { x: 0, y: 0 } },
      blocks: [
        block('start', 'start', {}),
        block('choose', 'buttons', {
          prompt: plainRichText('What is it about?'),
          options: [option('repair', 'Repair'), option('buy', 'Buy')],
        }),
        block('ask', 'text-input', { prompt: plainRichText('Your name?'), saveTo: 'name' }),
        block('team', 'hand-off', { message: plainRichText('Somebody will answer.') }),
      ],
    },
  ],
}

const turnOn = (url = `${program.url}/messages`) => ada.call(saveMessageApi, { params: at, body: { url } })
const path = () => receiveMessage.path.replace(':pgid', at.pgid).replace(':cgid', at.cgid)
async function sendWith(key: string, body: object) {
  const response = await fetch(server.url + path(), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ from: 'grace', id: `message-${++messages}`, ...body }),
  })
  return { status: response.status, body: (await response.json()) as unknown }
}
/** Lets all happen that is due. */
const deliver = async () => {
  await server.context.jobs.runDue()
  await endBackgroundWork(server)
}
const sent = () => program.received.map(({ body }) => JSON.parse(body))
const signatureOf = (key: string, { headers, body }: Received) =>
  `v1,${createHmac('sha256', Buffer.from(key.replace('whsec_', ''), 'base64'))
    .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
    .digest('base64')}`
const inbox = async () =>
  (await ada.call(listInbox, { params: { pgid: ada.pgid }, query: { view: 'all', chatbot: at.cgid } })).conversations
const thread = async () => {
  const [one] = await inbox()
  const { messages: all } = await ada.call(readThread, {
    params: { pgid: ada.pgid, conversation: one?.gid ?? '' },
    query: {},
  })
  return all
}

test('a program brings what people write, and is sent each answer once, signed, with the options of a question', async () => {
  const { body } = await send({ text: 'Hello', name: 'Grace' })
  const conversation = (body as { data: { conversation: string } }).data.conversation
  await deliver()
  expect(sent()).toEqual([
    {
      ...{ type: 'message', id: expect.any(String), conversation, to: 'grace' },
      ...{ kind: 'text', text: 'What is it about?' },
      question: {
        input: 'choice',
        options: [
          { id: 'repair', label: 'Repair' },
          { id: 'buy', label: 'Buy' },
        ],
      },
    },
  ])
  const [first] = program.received
  if (!first) throw new Error('nothing was sent')
  expect(first.headers['webhook-id']).toBe(sent()[0].id)
  expect(first.headers['webhook-signature']).toBe(signatureOf(secret, first))
  await send({ choice: 'buy' })
  await deliver()
  await send({ text: 'Grace' })
  await deliver()
  expect(sent().map(({ text }) => text)).toEqual(['What is it about?', 'Your name?', 'Somebody will answer.'])
  expect((await inbox()).map(({ gid, channel, visitor }) => [gid, channel, visitor])).toEqual([
    [conversation, 'message_api', 'Grace'],
  ])
})

test('the same message twice is one, and other people have conversations of their own', async () => {
  const once = { id: 'same', text: 'Hello' }
  const [one, two] = await Promise.all([send(once), send(once)])
  expect(one).toEqual(two)
  await send({ from: 'linus', id: 'same', text: 'Hello' })
  await deliver()
  expect(
    sent()
      .map(({ to }) => to)
      .toSorted(),
  ).toEqual(['grace', 'linus'])
})

test('a person’s answer in the inbox is delivered too, and how far it came stands at it', async () => {
  for (const text of ['Hello', 'Buy', 'Grace']) await send({ text })
  await deliver()
  const [entry] = await inbox()
  const inConversation = { pgid: ada.pgid, conversation: entry?.gid ?? '' }
  const { conversation } = await ada.call(readInboxConversation, { params: inConversation })
  expect(conversation.channel).toBe('message_api')
  answer = (_, response) => response.writeHead(503).end()
  const reply = { client_id: 'reply-00001', text: 'I am here', seen: 1_000_000 }
  await ada.call(replyToVisitor, { params: inConversation, body: reply })
  await deliver()
  expect((await thread()).at(-1)).toMatchObject({ delivery: { status: 'due', reason: expect.stringContaining('503') } })
  expect((await ada.call(readMessageApi, { params: at })).channel).toMatchObject({
    problem: expect.stringContaining('503'),
  })
  const before = program.received.at(-1)
  answer = (_, response) => response.writeHead(204).end()
  clock.pass(3_600)
  await deliver()
  // with the same id, so that a program whose answer got lost passes over it
  expect(program.received.at(-1)?.headers['webhook-id']).toBe(before?.headers['webhook-id'])
  expect(sent().at(-1)).toMatchObject({ to: 'grace', text: 'I am here' })
  expect((await thread()).at(-1)).toMatchObject({ delivery: { status: 'sent' } })
  expect((await ada.call(readMessageApi, { params: at })).channel).toMatchObject({ problem: null })
})

test('what the program refuses for good is given up, and what it redirects is not followed', async () => {
  answer = (_, response) => response.writeHead(302, { location: `${program.url}/elsewhere` }).end()
  await send({ text: 'Hello' })
  await deliver()
  clock.pass(3_600)
  await deliver()
  expect(program.received.map(({ path: one }) => one)).toEqual(['/messages'])
  expect((await thread()).at(-1)).toMatchObject({
    delivery: { status: 'dead', reason: expect.stringContaining('302') },
  })
})

test('a new secret signs from then on; switched off, nothing comes in or goes out', async () => {
  const { secret: renewed } = await ada.call(renewMessageApiSecret, { params: at })
  await send({ text: 'Hello' })
  await deliver()
  const [first] = program.received
  if (!first) throw new Error('nothing was sent')
  expect(first.headers['webhook-signature']).toBe(signatureOf(renewed, first))
  expect(first.headers['webhook-signature']).not.toBe(signatureOf(secret, first))
  answer = (_, response) => response.writeHead(503).end()
  await send({ text: 'Buy' })
  await deliver()
  const tried = program.received.length
  const channels = () => ada.call(readChatbotChannels, { params: at })
  expect(await channels()).toEqual({ channels: ['web', 'message_api'], planned: [] })
  await ada.call(removeMessageApi, { params: at })
  expect(await channels()).toEqual({ channels: ['web'], planned: [] })
  clock.pass(3_600)
  await deliver()
  expect(program.received).toHaveLength(tried)
  expect((await thread()).at(-1)).toMatchObject({
    delivery: { status: 'dead', reason: expect.stringContaining('off') },
  })
  expect(await send({ text: 'Grace' })).toMatchObject({ status: 409 })
})

test('only a key that may write brings messages, of people who are named, to an address that may be called', async () => {
  const reading = await ada.call(createApiKey, { params: { pgid: ada.pgid }, body: { name: 'Reader', scope: 'read' } })
  expect((await sendWith(reading.secret, { text: 'Hello' })).status).toBe(403)
  expect((await sendWith('wrong', { text: 'Hello' })).status).toBe(401)
  for (const [body, at] of [
    [{ text: 'x', from: ' ' }, 'from'],
    [{ text: ' ' }, 'text'],
    [{ text: 'x', id: 'i'.repeat(101) }, 'id'],
    [{ text: 'x'.repeat(20_001) }, 'text'],
  ] as const)
    expect(await send(body)).toMatchObject({ status: 422, body: { data: { fields: { [at]: expect.any(String) } } } })
  await expect(turnOn('http://10.0.0.1/messages')).rejects.toThrow('url')
  await expect(turnOn('ftp://example.com')).rejects.toThrow('url')
  expect(await inbox()).toEqual([])
})
