import { afterAll, beforeAll, expect, it } from 'vitest'
import { textInputDefaults } from '../../../../blocks/text-input/schema'
import type { Json } from '../../../../engine/values/json'
import { callingFlow } from '../../../../tests/support/callingFlow'
import { insertPublishedFlow } from '../../../../tests/support/publishedFlow'
import { startTestServer, type TestServer } from '../../../../tests/support/server'
import type { Conversation } from '../../../contracts/chat'

let server: TestServer
let now = new Date('2026-01-01T00:00:00Z')
beforeAll(async () => {
  server = await startTestServer({ config: { chatStartsPerMinute: 3, chatMessagesPerMinute: 2 }, clock: () => now })
  const { groups, ...flow } = callingFlow({ calls: false })
  const question = {
    id: 'question',
    kind: 'text-input',
    version: 0,
    data: { ...textInputDefaults() } as Record<string, Json>,
  }
  const asking = groups.map((group) => ({ ...group, blocks: group.id === 'g1' ? [question] : group.blocks }))
  const edges = flow.edges.map((edge) =>
    edge.from.blockId === 'first' ? { ...edge, from: { ...edge.from, blockId: 'question' } } : edge,
  )
  await insertPublishedFlow(server.context.db, { ...flow, groups: asking, edges }, 'asking-bot')
})
afterAll(() => server.close())

it('bounds what one address starts and what one conversation takes in a minute, and says when to retry', async () => {
  const visitor = await server.guest()
  const base = '/api/chat/asking-bot/conversations'
  const start = (id: string) => visitor.send('POST', base, { client_id: `start-${id}` })
  const say = async (started: Awaited<ReturnType<typeof start>>, id: string) => {
    const { token, conversation } = started.body.data as { token: string; conversation: Conversation }
    const body = { client_id: `message-${id}`, reply: { type: 'text', text: id } }
    return visitor.send('POST', `${base}/${conversation.id}/messages`, body, { authorization: `Bearer ${token}` })
  }
  const [one, two] = [await start('one'), await start('two')]
  expect([(await say(one, '1')).status, (await say(one, '2')).status]).toEqual([200, 200])
  const refused = await say(one, '3')
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('60')
  expect(refused.body.data).toBe("You're sending too many requests! Please retry after one minute.")
  expect((await say(two, '1')).status).toBe(200)
  expect([(await start('three')).status, (await start('four')).status]).toEqual([200, 429])

  now = new Date(now.getTime() + 60_000)
  expect((await say(one, '3')).status).toBe(200)
  expect((await start('four')).status).toBe(200)
})

it('answers a message that is sent again as it answered the first time', async () => {
  now = new Date(now.getTime() + 60_000)
  const visitor = await server.guest()
  const base = '/api/chat/asking-bot/conversations'
  const started = (await visitor.send('POST', base, { client_id: 'start-again' })).body.data as {
    token: string
    conversation: Conversation
  }
  const body = { client_id: 'message-again', reply: { type: 'text', text: 'Hello' } }
  const headers = { authorization: `Bearer ${started.token}` }
  const send = () => visitor.send('POST', `${base}/${started.conversation.id}/messages`, body, headers)
  const [first, second] = [await send(), await send()]
  expect(first.body).toEqual(second.body)
  expect((first.body.data as { conversation: Conversation }).conversation.messages).toHaveLength(1)
})
