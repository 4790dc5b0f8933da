import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { registry } from '../../../../blocks/registry'
import { emptyFlow, type Flow } from '../../../../engine/flow/schema'
import { plainRichText } from '../../../../engine/values/richText'
import { createTestClock, type TestClock } from '../../../../tests/support/clock'
import { addMember, makeChatbot } from '../../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { Role } from '../../../access/roles'
import { startConversation } from '../../../contracts/chat'
import { readChatbot } from '../../../contracts/chatbots'
import { importFlow, publishFlow } from '../../../contracts/flows'
import { HOOK_SAMPLE_DAYS, openHook, renewHook, signHook } from '../../../contracts/webhookTriggers'

let server: TestServer
let clock: TestClock
let ada: Registered
let place: { pgid: string; cgid: string; fid: string }

beforeAll(async () => {
  clock = createTestClock('2026-11-24T10:00:00Z')
  server = await startTestServer({ clock })
})
afterAll(() => server.close())
beforeEach(async () => {
  clock.pass(120)
  ada = await server.register()
  place = await makeChatbot(ada)
})

const block = (id: string, kind: string, data: object) => ({
  ...{ id, kind, version: registry.get(kind).migrations.length },
  data: { ...(registry.get(kind).defaults(() => id) as object), ...data } as Flow['groups'][0]['blocks'][0]['data'],
})
const row = (path: string, variableId: string, required = false) => ({
  id: `row-${variableId}`,
  path,
  variableId,
  required,
})

/** Asks visitors for a name; a call says its order. */
const flowOf = (data: object): Flow => ({
  ...emptyFlow(),
  variables: [
    { id: 'order', name: 'order', value: null },
    { id: 'name', name: 'name', value: null },
  ],
  groups: [
    {
      ...{ id: 'ask', title: 'Ask', position: { x: 0, y: 0 } },
      blocks: [
        block('start', 'start', {}),
        block('name', 'text-input', { prompt: plainRichText('Your name?'), saveTo: 'name' }),
      ],
    },
    {
      ...{ id: 'called', title: 'Called', position: { x: 500, y: 0 } },
      blocks: [
        block('hook', 'webhook', { mapping: [row('$.order.id', 'order', true)], ...data }),
        block('paid', 'text', {
          content: [
            { type: 'paragraph', children: [{ text: 'Paid: ' }, { text: '', variable: true, variable_id: 'order' }] },
          ],
        }),
        block('more', 'text-input', { prompt: plainRichText('Anything else?') }),
      ],
    },
  ],
  edges: [],
})

/** A published flow whose webhook is as said. @returns what calls it */
async function publish(data: object) {
  const params = place
  await ada.call(importFlow, { params, body: { source: JSON.stringify(flowOf(data)), mode: 'replace' } })
  await ada.call(publishFlow, { params })
  return caller((await ada.call(openHook, { params: { ...place, block: 'hook' } })).url)
}
const caller =
  (url: string) =>
  async (body: unknown, headers: Record<string, string> = {}) => {
    const answer = await fetch(server.url + new URL(url).pathname, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return { status: answer.status, ...((await answer.json()) as { data: Record<string, unknown>; code?: string }) }
  }
const settle = () => server.context.jobs.runDue()
async function saidIn(gid: unknown) {
  await settle()
  const read = server.context.db
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
    .select(['words', 'channel'])
    .where('conversations.gid', '=', String(gid))
    .orderBy('seq')
  return (await read.execute()).map(({ words }) => words)
}

it('starts a conversation with the values that were sent, and answers at once with its id', async () => {
  const call = await publish({})
  const { status, data } = await call({ order: { id: 'A7' } })
  expect([status, data]).toEqual([
    202,
    { conversation: expect.stringMatching(/^[a-z0-9]{16}$/), started: true, state: null, messages: [] },
  ])
  await expect.poll(() => saidIn(data.conversation)).toEqual(['Paid: A7', 'Anything else?'])
  const { db } = server.context
  const conversation = await db
    .selectFrom('conversations')
    .select(['channel', 'environment'])
    .where('gid', '=', String(data.conversation))
    .executeTakeFirst()
  expect(conversation).toEqual({ channel: 'api', environment: 'production' })
})

it('answers with what the flow says, where that is chosen', async () => {
  const call = await publish({ answer: 'flow' })
  const { status, data } = await call({ order: { id: 7 } })
  expect([status, data]).toMatchObject([
    200,
    {
      ...{ started: true, state: 'waiting' },
      messages: [
        { kind: 'text', text: 'Paid: 7' },
        { kind: 'text', text: 'Anything else?' },
      ],
    },
  ])
})

it('goes on with the conversation that a call names, and asks the open question again', async () => {
  const call = await publish({ conversationPath: '$.conversation', mapping: [row('$.order', 'order')] })
  const { slug } = (await ada.call(readChatbot, { params: place })).chatbot
  const guest = await server.guest()
  const { conversation } = await guest.call(startConversation, { params: { slug }, body: { client_id: 'start-0001' } })
  const { status, data } = await call({ conversation: conversation.id, order: 'B8' })
  expect([status, data]).toMatchObject([202, { conversation: conversation.id, started: false }])
  expect(await saidIn(conversation.id)).toEqual(['Your name?', 'Paid: B8', 'Anything else?'])
  const strange = await call({ conversation: 'nobodys', order: 'B8' })
  expect([strange.status, strange.data]).toEqual([404, "The chatbot has no conversation 'nobodys'."])
  const wrong = await call({ conversation: 7, order: 'B8' })
  expect([wrong.status, wrong.data.message]).toEqual([422, expect.stringContaining('$.conversation')])
})

it('goes on with the conversation of a key, until it is closed', async () => {
  const call = await publish({ keyPath: '$.order.id', answer: 'flow' })
  const first = await call({ order: { id: 'A7' } })
  const again = await call({ order: { id: 'A7' } })
  const other = await call({ order: { id: 'B8' } })
  expect(again.data).toMatchObject({ conversation: first.data.conversation, started: false })
  expect(again.data.messages).toMatchObject([{ text: 'Paid: A7' }, { text: 'Anything else?' }])
  expect(other.data).toMatchObject({ started: true })
  await server.context.db.updateTable('conversations').set({ status: 'person' }).execute()
  const held = await call({ order: { id: 'A7' } })
  expect([held.status, held.data]).toEqual([409, expect.stringContaining('A person has the conversation')])
  await server.context.db.updateTable('conversations').set({ status: 'closed' }).execute()
  expect((await call({ order: { id: 'A7' } })).data).toMatchObject({ started: true })
})

it('begins one conversation for calls with one key at once, and for one idempotency key', async () => {
  const byKey = await publish({ keyPath: '$.order.id', answer: 'flow' })
  const calls = await Promise.all(Array.from({ length: 5 }, () => byKey({ order: { id: 'A7' } })))
  expect(calls.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(new Set(calls.map(({ data }) => data.conversation)).size).toBe(1)
  const call = await publish({})
  const headers = { 'idempotency-key': 'delivery-1' }
  const twice = [await call({ order: { id: 1 } }, headers), await call({ order: { id: 1 } }, headers)]
  expect(new Set(twice.map(({ data }) => data.conversation)).size).toBe(1)
})

it('says what is wrong with a call by its value', async () => {
  const call = await publish({ keyPath: '$.key' })
  const missing = await call({ key: 'x', order: {} })
  expect([missing.status, missing.data]).toMatchObject([
    422,
    { message: 'Nothing was sent at $.order.id.', fields: { '$.order.id': expect.any(String) } },
  ])
  expect((await call({ order: { id: 1 } })).data.message).toBe('Nothing was sent at $.key, the key.')
  expect((await call({ order: { id: 1 }, key: 'x'.repeat(201) })).data.message).toContain('201 characters')
  expect((await call('{"order":')).status).toBe(400)
  expect((await call('['.repeat(100) + ']'.repeat(100))).code).toBe('nested_too_deeply')
  expect((await call('{"__proto__":{"order":1}}')).status).toBe(400)
  expect((await call({ order: { id: 'x'.repeat(300_000) } })).status).toBe(413)
  const { problem } = await ada.call(openHook, { params: { ...place, block: 'hook' } })
  expect(problem).toContain('201 characters')
})

it('is refused before the flow is published, and shows what was sent all the same', async () => {
  const params = { ...place, block: 'hook' }
  const { url, sample } = await ada.call(openHook, { params })
  expect(sample).toBeNull()
  const early = await caller(url)({ order: { id: 'A7' } })
  expect([early.status, early.data]).toEqual([409, expect.stringContaining('Publish it')])
  const state = await ada.call(openHook, { params })
  expect(JSON.parse(state.sample ?? '')).toEqual({ order: { id: 'A7' } })
  expect(state.problem).toContain('Publish it')
  // it may hold what visitors said
  clock.pass((HOOK_SAMPLE_DAYS + 2) * 86_400)
  await settle()
  const kept = server.context.db.selectFrom('webhook_triggers').select('sample')
  expect(await kept.where('sample', 'is not', null).execute()).toEqual([])
})

it('takes signed calls alone where that is chosen, and one address at a time', async () => {
  const call = await publish({})
  const params = { ...place, block: 'hook' }
  const { secret } = await ada.call(signHook, { params, body: { signed: true } })
  const body = JSON.stringify({ order: { id: 'A7' } })
  const signature = `sha256=${createHmac('sha256', secret ?? '')
    .update(body)
    .digest('hex')}`
  expect((await call(body)).status).toBe(401)
  expect((await call(body, { 'x-parley-signature': signature.replace(/.$/, 'x') })).status).toBe(401)
  expect((await call(body, { 'x-parley-signature': signature })).status).toBe(202)
  await ada.call(signHook, { params, body: { signed: false } })
  expect((await call(body)).status).toBe(202)
  const { url } = await ada.call(renewHook, { params })
  expect((await call(body)).status).toBe(404)
  expect((await caller(url)(body)).status).toBe(202)
})

it('shows its address to who may edit the flow alone', async () => {
  await publish({})
  const viewer = await server.register()
  await addMember(server, place.pgid, viewer, [Role.VIEWER])
  const path = openHook.path.replace(':pgid', place.pgid).replace(':cgid', place.cgid).replace(':block', 'hook')
  expect((await viewer.send('POST', path)).status).toBe(403)
})

it('limits the calls of one address in a minute', async () => {
  const call = await publish({ keyPath: '$.key', answer: 'flow' })
  const statuses: number[] = []
  for (let count = 0; count < 125; count++) statuses.push((await call({})).status)
  expect(statuses.filter((status) => status === 429)).toHaveLength(5)
})
