import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeChatbot } from '../../../tests/support/collab'
import { flowAround } from '../../../tests/support/conversations'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { sendMessage, startConversation } from '../../contracts/chat'
import { readChatbot } from '../../contracts/chatbots'
import { importFlow, publishFlow } from '../../contracts/flows'
import { changeConversations, readThread } from '../../contracts/inbox'
import { saveRetention } from '../../contracts/privacy'
import { BLACKED_OUT } from '../privacy/redact'
import { applyRetention } from '../privacy/retention'

/** What a visitor could choose from, between the messages of a thread. */
let server: TestServer
let ada: Registered
let pgid: string
let slug: string
/** ms that the server's clock is ahead */
let ahead = 0
beforeAll(async () => {
  server = await startTestServer({ clock: () => new Date(Date.now() + ahead) })
  ada = await server.register()
  const flow = await makeChatbot(ada)
  pgid = flow.pgid
  slug = (await ada.call(readChatbot, { params: flow })).chatbot.slug
  const { registry } = server.context
  const of = (kind: string, id: string, data: object) => ({
    ...{ id, kind, version: registry.get(kind).migrations.length },
    data: { ...(registry.get(kind).defaults(() => `${id}x`) as object), ...data } as never,
  })
  const still = (value: string) => ({ type: 'static', value })
  const around = flowAround('text', {}, {})
  const groups = around.groups.map((group) => ({
    ...group,
    blocks: [
      ...group.blocks.slice(0, 1),
      of('buttons', 'ask', {
        options: [
          { id: 'tea', label: still('Tea') },
          { id: 'coffee', label: still('Coffee') },
          { id: 'mail', label: still('Write to shop@example.com') },
        ],
      }),
      of('form', 'fill', {}),
    ],
  }))
  await ada.call(importFlow, {
    params: flow,
    body: { source: JSON.stringify({ ...around, groups }), mode: 'replace' },
  })
  await ada.call(publishFlow, { params: flow })
})
afterAll(() => server.close())

it('is shown where the visitor saw it, the past and the present', async () => {
  const guest = await server.guest()
  const begun = { client_id: 'start-0001', visitor: 'visitor000000001' }
  const { token, conversation } = await guest.call(startConversation, { params: { slug }, body: begun })
  const params = { pgid, conversation: conversation.id }
  const offers = async () => {
    const { turns } = await ada.call(readThread, { params, query: {} })
    return turns.flatMap(({ last, offered }) => (offered ? [{ last, offered }] : []))
  }
  const choice = {
    input: 'choice',
    multiple: false,
    options: ['Tea', 'Coffee', 'Write to shop@example.com'].map((label) => ({ label })),
  }
  expect(await offers()).toEqual([{ last: 0, offered: choice }])
  const path = sendMessage.path.replace(':slug', slug).replace(':conversation', conversation.id)
  const reply = { type: 'choice', optionIds: ['coffee'] }
  const sent = await guest.send('POST', path, { client_id: 'reply-0001', reply }, { authorization: `Bearer ${token}` })
  expect(sent.status).toBe(200)
  expect(await offers()).toMatchObject([
    { last: 0, offered: choice },
    { last: 1, offered: { input: 'form', submit: 'Submit', fields: [{ label: 'Name' }, { label: 'Email' }] } },
  ])

  // what is blacked out in messages is blacked out here
  const change = { conversations: [conversation.id], change: { status: 'closed' as const } }
  await ada.call(changeConversations, { params: { pgid }, body: change })
  const rules = { delete_after_days: null, redact_after_days: 1, redact: ['email' as const] }
  await ada.call(saveRetention, { params: { pgid }, body: rules })
  ahead = 2 * 86_400_000
  await applyRetention(server.context)
  const labels = async () => JSON.stringify((await offers())[0])
  await expect.poll(labels).toContain(`Write to ${BLACKED_OUT}`)
  expect(await labels()).toContain('Coffee')
})
