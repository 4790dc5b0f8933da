import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestClock } from '../../../tests/support/clock'
import { addMember, makeChatbot } from '../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { Role } from '../../access/roles'
import { createChatbot } from '../../contracts/chatbots'
import { addFaq, linkKnowledge } from '../../contracts/sources'
import { handleUnanswered, listUnanswered } from '../../contracts/unanswered'
import { groupQuestions } from './groupQuestions'

const clock = createTestClock()
let server: TestServer
let ada: Registered
let at: { pgid: string; cgid: string }
beforeAll(async () => {
  server = await startTestServer({ clock })
  ada = await server.register()
})
afterAll(() => server.close())
beforeEach(async () => {
  at = await makeChatbot(ada)
})

/** Visitors ask, each in a conversation of its own. */
async function asked(
  questions: string[],
  { answered = false, said = null as string | null, daysAgo = 0 } = {},
): Promise<void> {
  const { db } = server.context
  const { id: chatbot_id, project_id } = await db
    .selectFrom('chatbots')
    .select(['id', 'project_id'])
    .where('gid', '=', at.cgid)
    .executeTakeFirstOrThrow()
  for (const question of questions) {
    clock.pass(1)
    const now = new Date(clock().getTime() - daysAgo * 86_400_000)
    const place = { project_id, chatbot_id, environment: 'production' as const }
    const { id: conversation_id } = await db
      .insertInto('conversations')
      .values({
        ...place,
        gid: server.context.ids(),
        start_client_id: server.context.ids(),
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const wording = question
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, ' ')
      .trim()
    await db
      .insertInto('asked_questions')
      .values({
        ...{ ...place, conversation_id, channel: 'web', started_at: now, position: 0 },
        ...{ question, wording, answered, said, sources: [], asked_at: now },
      })
      .execute()
  }
}
const list = () => ada.call(listUnanswered, { params: at })
const questionsOf = async () => (await list()).groups.map(({ questions }) => questions.map(({ question }) => question))

test('lists alike questions together, those asked most first, each as it was asked last', async () => {
  await asked(['Do you repair e-bikes?', 'do you repair e-bikes', 'Can you repair my e-bike?', 'Where can I park?'])
  const { groups, more } = await list()
  expect(groups.map(({ asked: times, questions }) => [times, questions.map(({ question }) => question)])).toEqual([
    [3, ['do you repair e-bikes', 'Can you repair my e-bike?']],
    [1, ['Where can I park?']],
  ])
  expect(more).toBe(0)
})

test('leaves out what got an answer when it was asked last, what is older than 90 days, and what was blacked out', async () => {
  await asked(['Long ago?'], { daysAgo: 91 })
  await asked(['Do you repair e-bikes?', ''])
  await asked(['Where can I park?'])
  await asked(['Where can I park?'], { answered: true })
  expect(await questionsOf()).toEqual([['Do you repair e-bikes?']])
})

test('names the nearest passage, also of the chatbot whose knowledge base is used', async () => {
  await ada.call(addFaq, {
    params: at,
    body: { question: 'Where can I park?', answer: 'Behind the house.', phrasings: [] },
  })
  await server.context.jobs.runDue()
  await asked(['Is there a place to park my car?'])
  const source = { kind: 'faq', title: 'Where can I park?' }
  const nearest = { source, heading: 'Where can I park?', text: 'Behind the house.' }
  const own = await list()
  expect(own).toMatchObject({ groups: [{ nearest }], knowledge_of: at.cgid })

  const lender = at.cgid
  const { chatbot } = await ada.call(createChatbot, { params: { pgid: at.pgid }, body: { name: 'Borrower' } })
  at = { pgid: at.pgid, cgid: chatbot.gid }
  await ada.call(linkKnowledge, { params: at, body: { chatbot: lender } })
  await asked(['Is there a place to park my car?'])
  expect(await list()).toMatchObject({ groups: [{ nearest }], knowledge_of: lender })
})

test('what an editor has dealt with is gone until it is asked again in vain, and can be put back', async () => {
  await asked(['Where can I park?', 'Do you repair e-bikes?'])
  const handle = (wordings: string[], handled: boolean) =>
    ada.call(handleUnanswered, { params: at, body: { wordings, handled } })
  await handle(['where can i park', 'do you repair e bikes'], true)
  expect(await questionsOf()).toEqual([])
  await asked(['Where can I park?'])
  expect(await questionsOf()).toEqual([['Where can I park?']])
  await handle(['where can i park', 'do you repair e bikes'], true)
  await handle(['do you repair e bikes'], false)
  expect(await questionsOf()).toEqual([['Do you repair e-bikes?']])
})

test('lists what got an uncertain answer when it was asked last, with what was said, until it is dealt with', async () => {
  await asked(['Where can I park?'], { answered: true, said: 'Near the mill.' })
  await asked(['Where can I park?', 'Can I park a van?'], { answered: true, said: 'Behind the house.' })
  await asked(['Do you repair e-bikes?'], { answered: true, said: 'We repair lamps.' })
  await asked(['Do you repair e-bikes?'], { answered: true })
  await asked(['Is the mayor nice?'])
  const uncertain = async () =>
    (await ada.call(listUnanswered, { params: at, query: { show: 'uncertain' } })).groups.map(
      ({ asked: times, said, questions }) => [times, said, questions[0]?.question],
    )
  expect(await uncertain()).toEqual([
    [2, 'Behind the house.', 'Where can I park?'],
    [1, 'Behind the house.', 'Can I park a van?'],
  ])
  expect(await questionsOf()).toEqual([['Is the mayor nice?']])
  await ada.call(handleUnanswered, { params: at, body: { wordings: ['where can i park'], handled: true } })
  expect(await uncertain()).toEqual([[1, 'Behind the house.', 'Can I park a van?']])
})

test('another chatbot has its own list, and who may not edit sources sees none', async () => {
  await asked(['Where can I park?'])
  await ada.call(handleUnanswered, { params: at, body: { wordings: ['where can i park'], handled: true } })
  const first = at
  at = await makeChatbot(ada)
  await asked(['Where can I park?'])
  expect(await questionsOf()).toEqual([['Where can I park?']])
  const bob = await server.register({ first_name: 'Bob', last_name: 'Bell' })
  await addMember(server, first.pgid, bob, [Role.ANALYST])
  await expect(bob.call(listUnanswered, { params: first })).rejects.toThrow('403')
})

test('a question of small words alone is compared by these, and long ones by their first words', () => {
  const group = (...wordings: string[]) =>
    groupQuestions(wordings.map((wording) => ({ wording }))).map((each) => each.map(({ wording }) => wording))
  expect(group('is it on', 'are you', 'is it on')).toEqual([['is it on', 'is it on'], ['are you']])
  const long = Array.from({ length: 400 }, (_, at) => `word${at}x`).join(' ')
  expect(group(long, `${long} more`)).toEqual([[long, `${long} more`]])
})
