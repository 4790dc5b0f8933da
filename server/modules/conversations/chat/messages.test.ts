import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient, type TestClient } from '../../../../tests/support/client'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { type Conversation, startConversation } from '../../../contracts/chat'
import { createChatbot } from '../../../contracts/chatbots'
import { readTranscript } from '../../../contracts/conversations'
import { publishFlow } from '../../../contracts/flows'
import { publishLook, saveLook } from '../../../contracts/web'
import { defaultLook } from '../../../contracts/web/look'

/** What a visitor does with messages that are there: pages of a long conversation, ratings, a transcript. */
let server: TestServer
let editor: Registered
let visitor: TestClient
beforeAll(async () => {
  server = await startTestServer()
  visitor = await createClient(server.url)
  editor = await server.register()
})
afterAll(() => server.close())

/** A conversation with so many messages of the bot's. */
async function talk(messages: number, transcript = false) {
  const { chatbot } = await editor.call(createChatbot, { params: { pgid: editor.pgid }, body: { name: 'Shop' } })
  const params = { pgid: editor.pgid, cgid: chatbot.gid }
  await editor.call(publishFlow, { params: { ...params, fid: chatbot.fid }, body: {} })
  if (transcript) {
    const look = { ...defaultLook, parts: { ...defaultLook.parts, transcript } }
    await editor.call(saveLook, { params, body: { look, revision: 0 } })
    await editor.call(publishLook, { params, body: { revision: 1 } })
  }
  const { token, conversation } = await visitor.call(startConversation, {
    params: { slug: chatbot.slug },
    body: { client_id: 'start-of-it-01' },
  })
  const { db } = server.context
  const row = await db
    .selectFrom('conversations')
    .select(['id', 'project_id', 'last_seq'])
    .where('gid', '=', conversation.id)
    .executeTakeFirstOrThrow()
  const said = Array.from({ length: messages - row.last_seq }, (_, index) => ({
    conversation_id: row.id,
    project_id: row.project_id,
    seq: row.last_seq + index + 1,
    author: 1 as const,
    content: JSON.stringify({ kind: 'text', text: [{ type: 'paragraph', children: [{ text: `No. ${index}` }] }] }),
    block_id: null,
    client_id: null,
    created_at: new Date(),
  }))
  if (said.length > 0) await db.insertInto('messages').values(said).execute()
  await db.updateTable('conversations').set({ last_seq: messages }).where('id', '=', row.id).execute()
  const path = `/api/chat/${chatbot.slug}/conversations/${conversation.id}`
  const headers = { authorization: `Bearer ${token}` }
  const get = async <Data>(rest = '') =>
    (await visitor.send('GET', `${path}${rest}`, undefined, headers)).body.data as Data
  const post = (rest: string, body: object) => visitor.send('POST', `${path}${rest}`, body, headers)
  return { params, conversation, path, get, post }
}

it('opens a long conversation with its newest messages, and gives the others page by page', async () => {
  const { get } = await talk(120)
  const { conversation } = await get<{ conversation: Conversation }>()
  expect(conversation.earlier).toBe(true)
  expect(conversation.messages.map(({ seq }) => seq)).toEqual(Array.from({ length: 50 }, (_, index) => index + 71))
  const second = await get<{ messages: { seq: number }[]; earlier: boolean }>('/messages?before=71')
  expect([second.messages.at(0)?.seq, second.messages.at(-1)?.seq, second.earlier]).toEqual([21, 70, true])
  const third = await get<{ messages: { seq: number }[]; earlier: boolean }>('/messages?before=21')
  expect([third.messages.length, third.messages.at(0)?.seq, third.earlier]).toEqual([20, 1, false])
})

it('keeps what a visitor said of a message, until it is taken back, and shows it to the team', async () => {
  const { params, conversation, get, post } = await talk(2)
  const helpful = async () => (await get<{ conversation: Conversation }>()).conversation.messages[1]?.helpful
  expect((await post('/messages/2/rating', { helpful: false })).status).toBe(200)
  expect(await helpful()).toBe(false)
  const { transcript } = await editor.call(readTranscript, { params: { ...params, conversation: conversation.id } })
  expect(transcript.messages[1]?.helpful).toBe(false)
  await post('/messages/2/rating', { helpful: null })
  expect(await helpful()).toBeUndefined()
  expect((await post('/messages/99/rating', { helpful: true })).status).toBe(404)
  expect((await post('/messages/2/rating', { helpful: 'yes' })).status).toBe(422)
  const events = await server.context.db
    .selectFrom('events')
    .select('payload')
    .where('type', '=', 'message.rated')
    .orderBy('id')
    .execute()
  expect(events.map(({ payload }) => payload)).toMatchObject([
    { helpful: false, seq: 2 },
    { helpful: null, seq: 2 },
  ])
})

it('mails the conversation to whom the visitor names, where the look offers it, three times an hour', async () => {
  const off = await talk(2)
  expect((await off.post('/transcript', { email: 'ada@example.com' })).status).toBe(404)
  const { post } = await talk(3, true)
  expect((await post('/transcript', { email: 'nobody' })).status).toBe(422)
  expect((await post('/transcript', { email: 'ada@example.com' })).status).toBe(200)
  const mails = () =>
    server.context.db.selectFrom('mails').select(['addresses', 'subject', 'body']).orderBy('id').execute()
  const [mail, ...more] = await mails()
  expect(more).toEqual([])
  expect(mail).toMatchObject({ subject: 'Shop', addresses: { to: ['ada@example.com'] } })
  expect(mail?.body).toContain('Shop: No. ')
  // asked for again, with nothing said meanwhile
  await post('/transcript', { email: 'ada@example.com' })
  expect(await mails()).toHaveLength(1)
  await post('/transcript', { email: 'ben@example.com' })
  expect((await post('/transcript', { email: 'cleo@example.com' })).status).toBe(429)
})

it('mails all of a long conversation, with who said it', async () => {
  const { conversation, post } = await talk(1_234, true)
  const { db } = server.context
  const { id } = await db
    .selectFrom('conversations')
    .select('id')
    .where('gid', '=', conversation.id)
    .executeTakeFirstOrThrow()
  const sender_id = (
    await db.selectFrom('users').select('id').where('gid', '=', editor.user.ui).executeTakeFirstOrThrow()
  ).id
  const change = (seq: number, values: object) =>
    db.updateTable('messages').set(values).where('conversation_id', '=', id).where('seq', '=', seq).execute()
  await change(600, { author: 2 })
  await change(700, { sender_id })
  expect((await post('/transcript', { email: 'ada@example.com' })).status).toBe(200)
  const mail = await db.selectFrom('mails').select('body').where('conversation_id', '=', id).executeTakeFirstOrThrow()
  const said = [...(mail.body ?? '').matchAll(/^(.+): No\. (\d+)$/gm)].map(([, who, number]) => [who, Number(number)])
  const numbers = said.map(([, number]) => number)
  expect(numbers).toEqual(numbers.map((_, at) => at))
  expect(numbers.length).toBeGreaterThan(1_200)
  const who = said.map(([one]) => one)
  expect(who.filter((one) => one !== 'Shop')).toEqual(['You', 'Ada'])
})
