import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { plainRichText } from '../../../engine/values/richText'
import { endBackgroundWork } from '../../../tests/support/backgroundWork'
import { createTestClock, type TestClock } from '../../../tests/support/clock'
import { addMember, makeChatbot } from '../../../tests/support/collab'
import { flowAround } from '../../../tests/support/conversations'
import { type OutsideServer, type Received, startOutsideServer } from '../../../tests/support/outsideServer'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { Role } from '../../access/roles'
import { startConversation } from '../../contracts/chat'
import { readChatbot } from '../../contracts/chatbots'
import { createContact } from '../../contracts/contacts'
import { importFlow, publishFlow } from '../../contracts/flows'
import { type WebhookEvent, webhookEvents, webhookExamples } from '../../contracts/webhookEvents'
import {
  createWebhook,
  deleteWebhook,
  listWebhookMessages,
  listWebhooks,
  readWebhookMessage,
  replayWebhook,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
  WEBHOOK_LOG_DAYS,
  type WebhookSettings,
  webhookCaps,
} from '../../contracts/webhooks'
import { parseNetworks } from '../../platform/outbound/addresses'
import { webhooks } from './module'
import { waits } from './schedule'

const HOUR = 3_600
let server: TestServer
let clock: TestClock
let ada: Registered
let receiver: OutsideServer
let answer: (request: Received, response: ServerResponse) => unknown

beforeAll(async () => {
  clock = createTestClock('2026-11-24T10:00:00Z')
  receiver = await startOutsideServer((request, response) => answer(request, response))
  server = await startTestServer({ clock, config: { outboundAllow: parseNetworks('127.0.0.1/32') } })
})
afterAll(() => Promise.all([server.close(), receiver.close()]))
beforeEach(async () => {
  // what others' messages wait for
  await server.context.db.deleteFrom('webhook_endpoints').execute()
  receiver.received.length = 0
  answer = (_, response) => response.writeHead(200).end('thanks')
  ada = await server.register()
})

const params = (gid: string) => ({ pgid: ada.pgid, gid })
const settings = (events: WebhookEvent[], more: Partial<WebhookSettings> = {}): WebhookSettings => ({
  url: `${receiver.url}/hook`,
  description: 'CRM',
  personal: true,
  enabled: true,
  events,
  ...more,
})
const add = (events: WebhookEvent[], more: Partial<WebhookSettings> = {}) =>
  ada.call(createWebhook, { params: { pgid: ada.pgid }, body: settings(events, more) })
const addContact = (email: string) =>
  ada.call(createContact, { params: { pgid: ada.pgid }, body: { fields: { name: 'Grace', email } } })
const deliveries = () => server.app.modules.provided(webhooks).deliveries
/** Carries out all that is due. */
async function settle() {
  for (let left = true; left; ) {
    await endBackgroundWork(server)
    left = (await deliveries().runDue()) > 0
  }
  await endBackgroundWork(server)
}
async function pass(seconds: number) {
  clock.pass(seconds)
  await settle()
}
const log = async (gid: string) => (await ada.call(listWebhookMessages, { params: params(gid), query: {} })).messages
const bodies = () => receiver.received.map(({ body }) => JSON.parse(body))
/** What was sent of one event: deliveries of one moment arrive in any order. */
const bodyOf = (event: WebhookEvent) => bodies().find(({ type }) => type === event)
const signatureOf = (secret: string, { headers, body }: Received) =>
  `v1,${createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
    .digest('base64')}`

let chats = 0
/** A visitor's conversation with a chatbot that says hello. */
async function chat() {
  const { cgid, fid } = await makeChatbot(ada)
  const at = { pgid: ada.pgid, cgid, fid }
  const flow = flowAround('text', { content: plainRichText('Hello visitor') })
  await ada.call(importFlow, { params: at, body: { source: JSON.stringify(flow), mode: 'replace' } })
  await ada.call(publishFlow, { params: at })
  const { slug } = (await ada.call(readChatbot, { params: at })).chatbot
  const guest = await server.guest()
  const { conversation } = await guest.call(startConversation, {
    params: { slug },
    body: { client_id: `start-${++chats}0000` },
  })
  return { ...at, conversation: conversation.id }
}

describe('what is sent', () => {
  it('is each chosen event once, signed as Standard Webhooks says', async () => {
    const { endpoint, secret } = await add(['conversation.started', 'message.created', 'flow.published'])
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const { conversation, cgid } = await chat()
    await settle()
    await settle()
    expect(bodies()).toHaveLength(3)
    const said = bodyOf('message.created')
    expect(bodyOf('flow.published')).toMatchObject({
      version: 1,
      project: ada.pgid,
      data: { chatbot: { id: cgid }, version: 1 },
    })
    expect(bodyOf('conversation.started').data.conversation).toMatchObject({
      id: conversation,
      channel: 'web',
      contact: null,
    })
    expect(said.data.messages).toMatchObject([{ number: 1, author: 'bot', kind: 'text', text: 'Hello visitor' }])
    for (const request of receiver.received) {
      expect(request.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Parley' })
      expect(request.headers['webhook-id']).toBe(JSON.parse(request.body).id)
      expect(Number(request.headers['webhook-timestamp'])).toBe(Math.floor(clock().getTime() / 1_000))
      expect(request.headers['webhook-signature']).toBe(signatureOf(secret, request))
    }
    expect(await log(endpoint.gid)).toMatchObject([
      {
        type: 'message.created',
        status: 'delivered',
        attempts: 1,
        last: { status: 200, answer: 'thanks', error: null },
      },
      { type: 'conversation.started' },
      { type: 'flow.published' },
    ])
  })

  it('names nobody where that was not chosen', async () => {
    await add(['contact.created', 'message.created'], { personal: false })
    const { contact } = await addContact('grace@example.org')
    await chat()
    await settle()
    expect(bodyOf('contact.created').data).toEqual({ contact: { id: contact.gid, created_at: expect.any(String) } })
    expect(bodyOf('message.created').data.messages).toEqual([
      { number: 1, author: 'bot', kind: 'text', at: expect.any(String) },
    ])
    expect(JSON.stringify(bodies())).not.toMatch(/Grace|grace@|Hello visitor/)
  })

  it('has the form that the examples show', async () => {
    await add([...webhookEvents])
    await addContact('grace@example.org')
    await chat()
    await settle()
    for (const { type, data } of bodies()) {
      const example = webhookExamples[type as WebhookEvent]
      expect(Object.keys(data)).toEqual(Object.keys(example))
      for (const [name, part] of Object.entries(example))
        if (part !== null && typeof part === 'object' && !Array.isArray(part))
          expect([name, Object.keys(data[name])]).toEqual([name, Object.keys(part)])
    }
    expect(bodies().length).toBeGreaterThan(4)
  })

  it('is nothing while it is off, and nothing of other projects', async () => {
    await add(['contact.created'], { enabled: false })
    await addContact('a@example.org')
    await settle()
    ada = await server.register()
    await addContact('b@example.org')
    await settle()
    expect(receiver.received).toEqual([])
  })

  it('is told to its own project alone, where events of several are handled together', async () => {
    const told = []
    for (const email of ['a@example.org', 'b@example.org']) {
      ada = await server.register()
      await add(['contact.created'])
      await addContact(email)
      told.push({ project: ada.pgid, email })
    }
    await settle()
    const received = bodies().map(({ project, data }) => ({ project, email: data.contact.email }))
    expect(received.toSorted((a, b) => (a.email < b.email ? -1 : 1))).toEqual(told)
  })

  it('is tried again over three days, with one id, then kept as failed, and sent anew on demand', async () => {
    const { endpoint, secret } = await add(['contact.created'])
    answer = (_, response) => response.writeHead(500).end('out of order')
    await addContact('a@example.org')
    await settle()
    for (const wait of waits) {
      const before = receiver.received.length
      await pass(wait / 1_000 - 1)
      expect(receiver.received).toHaveLength(before)
      await pass(1)
      expect(receiver.received).toHaveLength(before + 1)
    }
    expect(waits.reduce((sum, wait) => sum + wait, 0) / 86_400_000).toBeCloseTo(3, 2)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
    // each has its own time, so that receivers may refuse old ones
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(waits.length + 1)
    const [message] = await log(endpoint.gid)
    expect(message).toMatchObject({ status: 'failed', next_at: null, last: { status: 500, answer: 'out of order' } })

    await ada.call(updateWebhook, { params: params(endpoint.gid), body: { enabled: true } })
    answer = (_, response) => response.writeHead(204).end()
    const body = { message: message?.gid ?? '' }
    expect(await ada.call(replayWebhook, { params: params(endpoint.gid), body })).toEqual({ count: 1 })
    await settle()
    const last = receiver.received.at(-1) as Received
    expect(last.headers['webhook-id']).toBe(`msg_${message?.gid}`)
    expect(last.headers['webhook-signature']).toBe(signatureOf(secret, last))
    const read = await ada.call(readWebhookMessage, {
      params: { ...params(endpoint.gid), mgid: message?.gid ?? '' },
    })
    expect(read.message).toMatchObject({ status: 'delivered', attempts: waits.length + 2 })
    expect(read.body).toBe(last.body)
  })

  it('waits as long as the receiver asks, at most a day', async () => {
    await add(['contact.created'])
    answer = (_, response) => response.writeHead(429, { 'retry-after': '1800' }).end()
    await addContact('a@example.org')
    await settle()
    await pass(1_799)
    expect(receiver.received).toHaveLength(1)
    answer = (_, response) => response.writeHead(503, { 'retry-after': String(90 * 24 * HOUR) }).end()
    await pass(1)
    expect(receiver.received).toHaveLength(2)
    answer = (_, response) => response.writeHead(200).end()
    await pass(24 * HOUR)
    expect(receiver.received).toHaveLength(3)
  })

  it('follows no redirect, and keeps the first thousand bytes of an answer', async () => {
    const { endpoint } = await add(['contact.created'])
    answer = (_, response) => response.writeHead(302, { location: '/elsewhere' }).end('x'.repeat(5_000))
    await addContact('a@example.org')
    await settle()
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook'])
    const [message] = await log(endpoint.gid)
    expect(message?.last).toMatchObject({ status: 302, answer: 'x'.repeat(webhookCaps.answer) })
    expect(message?.last?.error).toMatch(/redirects \(302\)/)
  })

  it('is signed by both secrets for a day after a change, and by the new one alone then', async () => {
    const { endpoint, secret: old } = await add(['contact.created'])
    const { secret, endpoint: changed } = await ada.call(rotateWebhookSecret, { params: params(endpoint.gid) })
    expect(changed.old_secret_until).toBe(new Date(clock().getTime() + 24 * HOUR * 1_000).toISOString())
    await addContact('a@example.org')
    await settle()
    const [first] = receiver.received
    expect(first?.headers['webhook-signature']).toBe(
      [secret, old].map((each) => signatureOf(each, first as Received)).join(' '),
    )
    clock.pass(24 * HOUR)
    await addContact('b@example.org')
    await settle()
    const last = receiver.received.at(-1) as Received
    expect(last.headers['webhook-signature']).toBe(signatureOf(secret, last))
  })

  it('goes on to others while one receiver takes its time', async () => {
    const held: ServerResponse[] = []
    answer = ({ path }, response) => (path === '/slow' ? held.push(response) : response.writeHead(200).end())
    await add(['contact.created'], { url: `${receiver.url}/slow` })
    await add(['contact.created'])
    for (let count = 0; count < 10; count++) await addContact(`p${count}@example.org`)
    await endBackgroundWork(server)
    const done = deliveries().runDue()
    await expect.poll(() => receiver.received.filter(({ path }) => path === '/hook').length).toBe(10)
    // and its own next ones wait: four at once
    expect(held).toHaveLength(4)
    answer = (_, response) => response.writeHead(200).end()
    for (const response of held) response.writeHead(200).end()
    await done
    expect(receiver.received).toHaveLength(20)
  })
})

describe('an endpoint', () => {
  it('is switched off after failing for three days, with a mail to the owners', async () => {
    const { endpoint } = await add(['contact.created'])
    answer = (_, response) => response.writeHead(500).end()
    await addContact('a@example.org')
    await settle()
    for (const wait of waits.slice(0, -1)) await pass(wait / 1_000)
    const state = async () => (await ada.call(listWebhooks, { params: { pgid: ada.pgid } })).endpoints[0]
    expect(await state()).toMatchObject({ enabled: true, failures: waits.length, pending: 1 })
    await pass((waits.at(-1) ?? 0) / 1_000)
    expect(await state()).toMatchObject({ enabled: false, stopped: 'failures', failures: waits.length + 1 })
    expect(await mails()).toEqual([[ada.user.email, 'A webhook of My project was switched off']])
    const count = receiver.received.length
    await addContact('b@example.org')
    await pass(24 * HOUR)
    expect(receiver.received).toHaveLength(count)
    expect(await log(endpoint.gid)).toMatchObject([{ status: 'failed' }])
    const refused = await ada.send('POST', `/api/projects/${ada.pgid}/webhooks/${endpoint.gid}/replay`, {
      since: '2026-11-01T00:00:00Z',
      which: 'all',
    })
    expect(refused.status).toBe(409)
  })

  it('is switched off at once where its receiver is gone for good', async () => {
    await add(['contact.created'])
    answer = (_, response) => response.writeHead(410).end()
    await addContact('a@example.org')
    await settle()
    const { endpoints } = await ada.call(listWebhooks, { params: { pgid: ada.pgid } })
    expect(endpoints).toMatchObject([{ enabled: false, stopped: 'gone' }])
    expect(await mails()).toHaveLength(1)
  })

  it('is not switched off by failures with a success in between', async () => {
    await add(['contact.created'])
    for (let day = 0; day < 3; day++) {
      answer = (_, response) => response.writeHead(500).end()
      for (let count = 0; count < 6; count++) await addContact(`p${day}${count}@example.org`)
      await settle()
      answer = (_, response) => response.writeHead(200).end()
      await pass(24 * HOUR)
    }
    const { endpoints } = await ada.call(listWebhooks, { params: { pgid: ada.pgid } })
    expect(endpoints).toMatchObject([{ enabled: true, failures: 0, failing_since: null, pending: 0 }])
  })

  it('sends a test on demand, marked as one, and says what came of it', async () => {
    const { endpoint } = await add(['contact.created'])
    for (const type of webhookEvents) {
      const { message } = await ada.call(testWebhook, { params: params(endpoint.gid), body: { type } })
      expect(message).toMatchObject({ type, test: true, status: 'delivered', attempts: 1 })
      expect(bodies().at(-1)).toEqual({
        ...{ id: `msg_${message.gid}`, type, version: 1, project: ada.pgid, test: true },
        ...{ timestamp: expect.any(String), data: webhookExamples[type] },
      })
    }
    answer = (_, response) => response.writeHead(401).end()
    const { message } = await ada.call(testWebhook, { params: params(endpoint.gid), body: { type: 'lead.created' } })
    expect(message).toMatchObject({ status: 'failed', last: { status: 401 } })
    await pass(24 * HOUR)
    expect(receiver.received).toHaveLength(webhookEvents.length + 1)
  })

  it('sends all since a time again: those that failed, or every one', async () => {
    const { endpoint } = await add(['contact.created'])
    await addContact('early@example.org')
    await settle()
    clock.pass(HOUR)
    const since = clock().toISOString()
    await addContact('a@example.org')
    await settle()
    answer = (_, response) => response.writeHead(500).end()
    await addContact('b@example.org')
    await settle()
    await ada.call(updateWebhook, { params: params(endpoint.gid), body: { enabled: false } })
    await ada.call(updateWebhook, { params: params(endpoint.gid), body: { enabled: true } })
    answer = (_, response) => response.writeHead(200).end()
    const replay = async (which: 'failed' | 'all') => {
      receiver.received.length = 0
      const { count } = await ada.call(replayWebhook, { params: params(endpoint.gid), body: { since, which } })
      await settle()
      return [
        count,
        bodies()
          .map(({ data }) => data.contact.email)
          .sort(),
      ]
    }
    expect(await replay('failed')).toEqual([1, ['b@example.org']])
    expect(await replay('all')).toEqual([2, ['a@example.org', 'b@example.org']])
  })

  it('is refused where it leads nowhere or into a private network, at its field', async () => {
    const fieldsOf = async (body: object) => {
      const { body: said } = await ada.send('POST', `/api/projects/${ada.pgid}/webhooks`, {
        ...settings(['contact.created']),
        ...body,
      })
      return (said.data as { fields?: Record<string, string> }).fields
    }
    expect(await fieldsOf({ url: 'ftp://example.org' })).toEqual({ url: expect.stringContaining('https://') })
    expect(await fieldsOf({ url: 'http://10.0.0.1/x' })).toEqual({ url: expect.stringContaining('10.0.0.1') })
    expect(await fieldsOf({ url: 'http://169.254.169.254/' })).toEqual({ url: expect.stringContaining('metadata') })
    expect(await fieldsOf({ events: [] })).toEqual({ events: 'Choose at least one event' })
    expect(await fieldsOf({ description: 'x'.repeat(201) })).toEqual({ description: 'Must not exceed 200 characters' })
    for (let count = 0; count < webhookCaps.endpoints; count++) await add(['lead.created'])
    const full = await ada.send('POST', `/api/projects/${ada.pgid}/webhooks`, settings(['lead.created']))
    expect([full.status, full.body.data]).toEqual([409, expect.stringContaining('20 webhooks')])
  })

  it('is seen by editors, without what visitors say; owners and admins alone set it', async () => {
    const { endpoint, secret } = await add(['contact.created'])
    answer = (request, response) => response.writeHead(200).end(request.body)
    await addContact('grace@example.org')
    await settle()
    const editor = await server.register()
    await addMember(server, ada.pgid, editor, [Role.EDITOR])
    const listed = await editor.call(listWebhooks, { params: { pgid: ada.pgid } })
    expect(JSON.stringify(listed)).not.toContain(secret)
    const [message] = (await editor.call(listWebhookMessages, { params: params(endpoint.gid), query: {} })).messages
    const read = await editor.call(readWebhookMessage, {
      params: { ...params(endpoint.gid), mgid: message?.gid ?? '' },
    })
    expect(read.body).toBeNull()
    expect(JSON.stringify([message, read])).not.toContain('grace@example.org')
    const path = `/api/projects/${ada.pgid}/webhooks`
    expect((await editor.send('POST', path, settings(['contact.created']))).status).toBe(403)
    expect((await editor.send('POST', `${path}/${endpoint.gid}/secret`)).status).toBe(403)
    expect((await editor.send('POST', `${path}/${endpoint.gid}/test`, { type: 'lead.created' })).status).toBe(403)
    const analyst = await server.register()
    await addMember(server, ada.pgid, analyst, [Role.ANALYST])
    expect((await analyst.send('GET', path)).status).toBe(403)
  })

  it('and its log go when it is deleted; the log alone after thirty days', async () => {
    await add(['contact.created'])
    await addContact('a@example.org')
    await settle()
    await pass(WEBHOOK_LOG_DAYS * 24 * HOUR + HOUR)
    await pass(24 * HOUR)
    const left = () => server.context.db.selectFrom('webhook_attempts').select('status').execute()
    expect(await left()).toEqual([])
    ada = await server.register()
    const other = await add(['contact.created'])
    await addContact('b@example.org')
    await settle()
    expect(await left()).toHaveLength(1)
    await ada.call(deleteWebhook, { params: params(other.endpoint.gid) })
    expect(await left()).toEqual([])
  })
})

async function mails() {
  const rows = await server.context.db
    .selectFrom('mails')
    .innerJoin('projects', 'projects.id', 'mails.project_id')
    .select(['addresses', 'subject'])
    .where('projects.gid', '=', ada.pgid)
    .execute()
  return rows.map(({ addresses, subject }) => [addresses.to.join(), subject])
}
