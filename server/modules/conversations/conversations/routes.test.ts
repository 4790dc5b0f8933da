import { afterAll, beforeAll, expect, it } from 'vitest'
import { addMember, makeChatbot } from '../../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { timedFlow, timedRegistry } from '../../../../tests/support/timedFlow'
import { Role } from '../../../access/roles'
import { sendMessage, startConversation } from '../../../contracts/chat'
import { readChatbot } from '../../../contracts/chatbots'
import { readTranscript, sendAgain } from '../../../contracts/conversations'
import { importFlow, publishFlow } from '../../../contracts/flows'

let server: TestServer
let ada: Registered
beforeAll(async () => {
  server = await startTestServer({ registry: timedRegistry })
  ada = await server.register()
})
afterAll(() => server.close())

it('shows who said a message and which one its channel gave up, and has that sent again for who may answer', async () => {
  const { db } = server.context
  const flow = await makeChatbot(ada)
  const { pgid, cgid } = flow
  const { chatbot } = await ada.call(readChatbot, { params: { pgid, cgid } })
  const again = timedFlow({ noReplyAfter: 172_800 })
  const source = JSON.stringify({ ...again, edges: again.edges.slice(0, 1) })
  await ada.call(importFlow, { params: flow, body: { source, mode: 'replace' } })
  await ada.call(publishFlow, { params: flow })
  const guest = await server.guest()
  const { token, conversation } = await guest.call(startConversation, {
    params: { slug: chatbot.slug },
    body: { client_id: 'start-0001' },
  })
  const path = sendMessage.path.replace(':slug', chatbot.slug).replace(':conversation', conversation.id)
  const body = { client_id: 'message-1', reply: { type: 'text', text: 'hi' } }
  expect((await guest.send('POST', path, body, { authorization: `Bearer ${token}` })).status).toBe(200)
  const { id, project_id } = await db.selectFrom('conversations').select(['id', 'project_id']).executeTakeFirstOrThrow()
  const user = await db.selectFrom('users').select(['id', 'first_name', 'last_name']).executeTakeFirstOrThrow()
  await db.updateTable('messages').set({ sender_id: user.id }).where('seq', '=', 2).execute()
  const at = new Date()
  const owed = { key: 'k', project_id, conversation_id: id, seq: 2, request: null, due_at: at, created_at: at }
  await db
    .insertInto('deliveries')
    .values({ ...owed, status: 'dead', error: 'Ada moved' })
    .execute()

  const params = { pgid, cgid, conversation: conversation.id }
  const { transcript } = await ada.call(readTranscript, { params })
  expect(transcript.messages.map(({ sender, delivery }) => [sender, delivery])).toEqual([
    [undefined, undefined],
    [`${user.first_name} ${user.last_name}`, { status: 'dead', reason: 'Ada moved' }],
  ])

  const editor = await server.register()
  await addMember(server, pgid, editor, [Role.EDITOR])
  await expect(editor.call(sendAgain, { params: { ...params, seq: 2 } })).rejects.toThrow(': 403 ')
  await expect(ada.call(sendAgain, { params: { ...params, seq: 1 } })).rejects.toThrow(': 404 ')
  await ada.call(sendAgain, { params: { ...params, seq: 2 } })
  // it is taken up at once: this conversation has no channel that could send it
  const tried = () => db.selectFrom('deliveries').select(['status', 'attempts', 'error']).executeTakeFirst()
  await expect.poll(tried).toEqual({ status: 'dead', attempts: 1, error: "There is no channel 'web'." })
})
