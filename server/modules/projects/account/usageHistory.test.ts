import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestClock } from '../../../../tests/support/clock'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { createChatbot } from '../../../contracts/chatbots'
import { readUsageHistory, type UsageHistory } from '../../../contracts/usage'
import { reserveCredits, settleCredits } from '../../billing/credits'
import { returnCredits, takeCredits } from '../../billing/monthlyCredits'

/** What was used by the month, and for what: by the same calls that use it. */
const clock = createTestClock('2026-11-11T00:00:00Z')
let server: TestServer
let owner: Registered
let projectId: string

beforeAll(async () => {
  server = await startTestServer({ clock })
  owner = await server.register()
  const row = server.context.db.selectFrom('projects').select('id').where('gid', '=', owner.pgid)
  projectId = (await row.executeTakeFirstOrThrow()).id
})
afterAll(() => server.close())

async function historyOf(meter: string): Promise<UsageHistory> {
  const { meters } = await owner.call(readUsageHistory, { params: { pgid: owner.pgid } })
  const found = meters.find((one) => one.meter === meter)
  if (!found) throw new Error(`no ${meter}`)
  return found
}

const bot = async (name: string) => {
  const { chatbot } = await owner.call(createChatbot, { params: { pgid: owner.pgid }, body: { name } })
  const row = server.context.db.selectFrom('chatbots').select('id').where('gid', '=', chatbot.gid)
  return { ...chatbot, id: (await row.executeTakeFirstOrThrow()).id }
}

let answers = 0
async function answer(chatbotId: string, amount: number, visitor: string | null = 'ada', at = clock()) {
  const key = `answer-${answers++}`
  const { db } = server.context
  expect(await reserveCredits(db, { projectId, chatbotId, visitor, key, amount, at })).toEqual({ ok: true })
  await settleCredits(db, { projectId, key, amount, at })
}

test('of answers that nobody asked for, nobody asked', async () => {
  expect((await historyOf('ai_message_credits')).who).toEqual({ visitors: 0, members: 0 })
})

test('answers: month by month, by chatbot, and by who asked; the forecast goes on as the month began', async () => {
  const [sales, help] = [await bot('Sales'), await bot('Help')]
  await answer(sales.id, 7, 'ada', new Date('2026-09-30T23:59:59Z'))
  await answer(sales.id, 2.5)
  await answer(help.id, 10)
  await answer(help.id, 0.1, null)
  const { months, ...told } = await historyOf('ai_message_credits')
  expect(months).toHaveLength(12)
  expect(months.slice(-3)).toEqual([
    { month: '2026-09', used: 7 },
    { month: '2026-10', used: 0 },
    { month: '2026-11', used: 12.6 },
  ])
  expect(months[0]).toEqual({ month: '2025-12', used: 0 })
  expect(told).toMatchObject({ used: 12.6, forecast: 37.8, runs_out: null, others: 0 })
  expect(told.parts).toEqual([
    { name: 'Help', used: 10.1 },
    { name: 'Sales', used: 2.5 },
  ])
  expect(told.who).toEqual({ visitors: 12.5, members: 0.1 })
})

test('one-time credits count for the month until they are used, and what runs out is told by its day', async () => {
  await server.context.db.updateTable('projects').set({ plan_id: 'free' }).where('id', '=', projectId).execute()
  const chatbot = await server.context.db
    .selectFrom('chatbots')
    .select('id')
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  await answer(chatbot.id, 62.4)
  const told = await historyOf('ai_message_credits')
  // 100 of the month and 50 for once; 75 were used in ten days
  expect(told).toMatchObject({ max: 150, used: 75, forecast: 225, runs_out: '2026-11-21T00:00:00.000Z' })
  // they are for answers alone
  expect(await historyOf('email_credits')).toMatchObject({ max: 20, who: null })
  await server.context.db.updateTable('projects').set({ plan_id: 'self-hosted' }).where('id', '=', projectId).execute()
})

test('training by source, syncs by how they began, mails by what they are for; what was given back is not used', async () => {
  const { id: chatbot } = await bot('Trained')
  // trained already: the training of one that is added would be charged at a time of its own
  const source = { gid: 's'.repeat(16) }
  const data = JSON.stringify({ kind: 'faq', question: 'When?', answer: 'From nine to five.', phrasings: [] })
  await server.context.db
    .insertInto('knowledge_sources')
    .values({
      ...{ ...source, project_id: projectId, chatbot_id: chatbot, kind: 'faq', title: 'When?', data },
      ...{ status: 'ready', created_at: clock(), updated_at: clock() },
    })
    .execute()
  const use = (credit: 'training_credits' | 'resync_credits' | 'email_credits', key: string, amount: number) =>
    takeCredits(server.context.db, { projectId, credit, key, amount, at: clock() })
  await use('training_credits', `${source.gid}:hash`, 40)
  await use('training_credits', 'gonegonegonegone:hash', 3)
  await use('training_credits', `${source.gid}:other`, 5)
  await returnCredits(server.context.db, { projectId, credit: 'training_credits', key: `${source.gid}:other` })
  const trained = await historyOf('training_credits')
  expect(trained.used).toBe(43)
  expect(trained.parts).toEqual([
    { name: 'When?', used: 40 },
    { name: null, used: 3 },
  ])

  await use('resync_credits', `${source.gid}:2026-11-10T00:00:00Z`, 1)
  await use('resync_credits', crypto.randomUUID(), 2)
  expect((await historyOf('resync_credits')).parts).toEqual([
    { name: 'manual', used: 2 },
    { name: 'automatic', used: 1 },
  ])
  await use('email_credits', 'no-mail', 1)
  expect((await historyOf('email_credits')).parts).toEqual([{ name: null, used: 1 }])
})

test('another project’s uses are not told', async () => {
  const stranger = await server.register()
  const { meters } = await stranger.call(readUsageHistory, { params: { pgid: stranger.pgid } })
  expect(meters.map(({ used, parts }) => [used, parts])).toEqual([
    [0, []],
    [0, []],
    [0, []],
    [0, []],
    [0, []],
  ])
})
