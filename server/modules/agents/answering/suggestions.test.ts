import { afterAll, beforeAll, expect, test } from 'vitest'
import { aiAnswer } from '../../../../blocks/ai-answer/block'
import { aiAnswerDefaults } from '../../../../blocks/ai-answer/schema'
import { textInput } from '../../../../blocks/text-input/block'
import type { Reply } from '../../../../engine/flow/effects'
import { createCountingIds } from '../../../../engine/flow/ids'
import { makeChatbot } from '../../../../tests/support/collab'
import { flowAround } from '../../../../tests/support/conversations'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { sendMessage, startConversation } from '../../../contracts/chat'
import { readChatbot } from '../../../contracts/chatbots'
import { importFlow, publishFlow } from '../../../contracts/flows'
import { addFaq } from '../../../contracts/sources'
import { listUnanswered } from '../../../contracts/unanswered'

let server: TestServer
let ada: Registered
let place: { pgid: string; cgid: string; fid: string }
let slug: string
beforeAll(async () => {
  server = await startTestServer()
  ada = await server.register()
  place = await makeChatbot(ada)
  const { pgid, cgid } = place
  slug = (await ada.call(readChatbot, { params: { pgid, cgid } })).chatbot.slug
  const flow = flowAround('text-input', textInput.defaults(createCountingIds('i')))
  const version = aiAnswer.migrations.length
  flow.groups[0]?.blocks.push({ id: 'answer', kind: 'ai-answer', version, data: aiAnswerDefaults() as never })
  await ada.call(importFlow, { params: place, body: { source: JSON.stringify(flow), mode: 'replace' } })
  await ada.call(publishFlow, { params: place })
  for (const question of ['Where can I park?', 'When do you open?'])
    await ada.call(addFaq, {
      params: { pgid, cgid },
      body: { question, answer: `${question} Answered.`, phrasings: [] },
    })
  await server.context.jobs.runDue()
})
afterAll(() => server.close())

/** A visitor's conversation. @returns what is said and asked after each reply */
async function talk() {
  const guest = await server.guest()
  const client_id = server.context.ids()
  const visitor = `v${server.context.ids()}xyz`
  const { token, conversation } = await guest.call(startConversation, {
    params: { slug },
    body: { client_id, visitor },
  })
  const path = sendMessage.path.replace(':slug', slug).replace(':conversation', conversation.id)
  return async (reply: Reply) => {
    const body = { client_id: server.context.ids(), reply }
    const { body: answer } = await guest.send('POST', path, body, { authorization: `Bearer ${token}` })
    return sendMessage.answer.parse(answer.data).conversation
  }
}
const unanswered = async () => {
  const { pgid, cgid } = place
  const { groups } = await ada.call(listUnanswered, { params: { pgid, cgid } })
  return groups.flatMap(({ questions }) => questions.map(({ question }) => question))
}

test('a visitor chooses one of the nearest questions, is answered with its source, and nothing is left unanswered', async () => {
  const question = 'any spot for my vehicle while I shop'
  const say = await talk()
  const { messages, request } = await say({ type: 'text', text: question })
  expect(JSON.stringify(messages.at(-1))).toContain('Did you mean')
  expect(request).toMatchObject({ input: 'choice', typing: true })
  const options = request?.input === 'choice' ? request.options : []
  expect(options.at(-1)).toEqual({ id: 'none', label: 'None of these' })
  const park = options.find(({ label }) => label === 'Where can I park?')
  await expect.poll(unanswered).toEqual([question])

  const answered = await say({ type: 'choice', optionIds: [park?.id ?? ''] })
  expect(answered.messages.at(-1)?.content).toMatchObject({ kind: 'answer', sources: [{ title: 'Where can I park?' }] })
  expect(JSON.stringify(answered.messages.at(-1))).toContain('Answered.')
  await expect.poll(unanswered).toEqual([])
})

test('who wants none of them has asked in vain', async () => {
  const question = 'can I leave my vehicle for a night'
  const say = await talk()
  const { request } = await say({ type: 'text', text: question })
  expect(request).toMatchObject({ input: 'choice' })
  await say({ type: 'choice', optionIds: ['none'] })
  await expect.poll(unanswered).toEqual([question])
})
