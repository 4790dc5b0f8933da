import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeChatbot } from '../../../tests/support/collab'
import { flowAround } from '../../../tests/support/conversations'
import { type ModelServer, refuse, startModelServer } from '../../../tests/support/modelServer'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { sendMessage, startConversation } from '../../contracts/chat'
import { readChatbot } from '../../contracts/chatbots'
import { importFlow, publishFlow } from '../../contracts/flows'
import { readThread, readThreadTranslator, translateThread } from '../../contracts/inbox'

let models: ModelServer
let server: TestServer
let owner: Registered
let params: { pgid: string; conversation: string }
let seqs: number[]

beforeAll(async () => {
  models = await startModelServer()
  server = await startTestServer({ config: { ai: models.settings } })
  owner = await server.register()
  const flow = await makeChatbot(owner)
  const { pgid, cgid } = flow
  const text = { prompt: [{ type: 'paragraph', children: [{ text: 'What?' }] }] }
  const source = JSON.stringify(flowAround('text-input', text, {}))
  await owner.call(importFlow, { params: flow, body: { source, mode: 'replace' } })
  await owner.call(publishFlow, { params: flow })
  const { slug } = (await owner.call(readChatbot, { params: { pgid, cgid } })).chatbot
  const guest = await server.guest()
  const { token, conversation } = await guest.call(startConversation, {
    params: { slug },
    body: { client_id: 'start-0001' },
  })
  const path = sendMessage.path.replace(':slug', slug).replace(':conversation', conversation.id)
  const reply = { type: 'text', text: 'Wo ist mein Paket?' }
  await guest.send('POST', path, { client_id: 'message-0001', reply }, { authorization: `Bearer ${token}` })
  params = { pgid, conversation: conversation.id }
  const { messages } = await owner.call(readThread, { params, query: {} })
  seqs = messages.map(({ seq }) => seq)
})
afterAll(() => Promise.all([server.close(), models.close()]))

const translate = () => owner.call(translateThread, { params, body: { language: 'fr', seqs } })
const used = async () => {
  const rows = await server.context.db.selectFrom('credit_uses').select(['credit', 'amount']).execute()
  return rows.reduce((sum, { credit, amount }) => sum + (credit === 'ai_message_credits' ? Number(amount) : 0), 0)
}

it('a model that fails is said, and costs nothing', async () => {
  models.answers(refuse(401, 'no'))
  await expect(translate()).rejects.toThrow(': 503 ')
  expect(await used()).toBe(0)
})

it('messages are translated once: a model is asked, its credits are booked, and the next time it is known', async () => {
  const { model } = await owner.call(readThreadTranslator, { params })
  models.answers(JSON.stringify(Object.fromEntries(seqs.map((seq, at) => [`text_${at + 1}`, `Texte ${seq}`]))))
  const first = await translate()
  expect(first.messages.map(({ text }) => text)).toEqual(seqs.map((seq) => `Texte ${seq}`))
  expect([first.credits, await used()]).toEqual([model?.credits, model?.credits])
  const { length } = models.calls
  expect(await translate()).toEqual({ messages: first.messages, credits: 0 })
  expect([models.calls.length, await used()]).toEqual([length, model?.credits])
})
