import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertSources } from '../../../../tests/support/knowledgeBase'
import { startTestServer, type TestServer } from '../../../../tests/support/server'
import { createChatbot } from '../../../contracts/chatbots'
import { questionsIn } from './questionsIn'

let server: TestServer
let place: { projectId: string; chatbotId: string }
beforeAll(async () => {
  server = await startTestServer()
  const owner = await server.register()
  const { chatbot } = await owner.call(createChatbot, { params: { pgid: owner.pgid }, body: { name: 'Shop' } })
  const row = await server.context.db
    .selectFrom('chatbots')
    .select(['id', 'project_id'])
    .where('gid', '=', chatbot.gid)
    .executeTakeFirstOrThrow()
  place = { projectId: row.project_id, chatbotId: row.id }
  await insertSources(server.context.db, place, [
    { title: 'Delivery', texts: ['We deliver within three working days. Parcels to islands take a week.'] },
    { title: 'Returns', texts: ['You can return a lamp within thirty days. We refund the price to your card.'] },
    { title: 'Opening hours', texts: ['The shop is open from nine to six on weekdays and closed on Sundays.'] },
  ])
  await server.parts.knowledge.calibrate(place)
})
afterAll(() => server.close())

let asked = 0
async function answerTo(question: string) {
  const given = { place, question, before: [], key: `each.${++asked}`, visitor: null }
  for await (const part of server.parts.answering.answer(given)) if (part.type === 'answer') return part.answer
  throw new Error('no answer')
}

test('two questions in one message are answered both, each with its source', async () => {
  const { text, found, citations, debug } = await answerTo(
    'How long do parcels to islands take? Within how many days can I return a lamp?',
  )
  expect(found).toBe(true)
  expect(text).toContain('Parcels to islands take a week. [1]')
  expect(text).toContain('You can return a lamp within thirty days.')
  expect(text.indexOf('[1]')).toBeLessThan(text.indexOf('[2]'))
  expect(citations.map(({ number, title }) => [number, title])).toEqual([
    [1, 'Delivery'],
    [2, 'Returns'],
  ])
  expect(debug.steps.map(({ name }) => name)).toContain('questions')
})

test('of two questions the one without an answer is said to have none, at its place', async () => {
  const { text, citations } = await answerTo(
    'Do you hire out helicopters with a pilot? How long do parcels to islands take?',
  )
  expect(text).toMatch(/^Do you hire out helicopters with a pilot\?\n\nSorry, I don’t know that\./)
  expect(text).toContain('Parcels to islands take a week. [1]')
  expect(citations).toHaveLength(1)
})

test('questions that have no answer at all are told so once', async () => {
  const { text, found } = await answerTo('Do you hire out helicopters with a pilot? Who painted the Mona Lisa?')
  expect(found).toBe(false)
  expect(text.match(/Sorry/g)).toHaveLength(1)
})

test('one question is answered as before', async () => {
  const { text, debug } = await answerTo('Hello! I live far away. How long do parcels to islands take? Thanks!')
  expect(text).toContain('Parcels to islands take a week. [1]')
  expect(debug.steps.map(({ name }) => name)).not.toContain('questions')
})

test.each([
  ['When do you open?', undefined],
  ['When do you open? Where can I park?', ['When do you open?', 'Where can I park?']],
  ['I come by car. Where can I park? And what does it cost', undefined],
  ['Hello! How are you? When do you open?', undefined],
  ['When do you open?? Where can I park? Thank you!', ['When do you open?', 'Where can I park?']],
  ['Where? When? Who? Why did it change?', undefined],
  ['什么时候开门？可以停车吗？', ['什么时候开门?', '可以停车吗?']],
  ['متى تفتحون؟ هل يوجد موقف؟', ['متى تفتحون?', 'هل يوجد موقف?']],
  ['Can I pay by card? Yes?', undefined],
])('%j asks %j', (message, questions) => {
  expect(questionsIn(message)).toEqual(questions)
})
