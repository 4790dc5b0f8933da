import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { createChatbot } from '../../contracts/chatbots'
import { reserveCredits, settleCredits } from '../billing/credits'

let now = new Date('2026-11-10T12:00:00Z')
let server: TestServer
let owner: Registered
let place: { projectId: string; chatbotId: string }
beforeAll(async () => {
  server = await startTestServer({ clock: () => now })
})
afterAll(() => server.close())
beforeEach(async () => {
  now = new Date('2026-11-10T12:00:00Z')
  owner = await server.register()
  const { db } = server.context
  const { id } = await db
    .updateTable('projects')
    .set({ plan_id: 'free' })
    .where('gid', '=', owner.pgid)
    .returning('id')
    .executeTakeFirstOrThrow()
  const { chatbot } = await owner.call(createChatbot, { params: { pgid: owner.pgid }, body: { name: 'Bot' } })
  const row = await db.selectFrom('chatbots').select('id').where('gid', '=', chatbot.gid).executeTakeFirstOrThrow()
  place = { projectId: id, chatbotId: row.id }
})

let key = 0
/** Of the hundred credits of the month. */
async function spend(amount: number) {
  const { db } = server.context
  const answer = { ...place, visitor: null, key: `k${++key}`, amount, at: now }
  const reserved = await reserveCredits(db, answer)
  if (reserved.ok) await settleCredits(db, answer)
}
async function look() {
  await server.app.modules.consumers.runDue()
  await server.context.jobs.runDue()
  const { db } = server.context
  const mails = await db
    .selectFrom('mails')
    .select(['subject', 'addresses', 'body', 'purpose'])
    .where('project_id', '=', place.projectId)
    .orderBy('id')
    .execute()
  return mails.map(({ subject, addresses, ...rest }) => ({ ...rest, subject, to: addresses.to.join() }))
}
const percents = async () => (await look()).map(({ subject }) => /\d+ %|used up/.exec(subject)?.[0])

test('owners are told at each threshold, once a month, and again in the next', async () => {
  await spend(49.9)
  expect(await look()).toEqual([])
  await spend(0.1)
  expect(await look()).toEqual([
    {
      subject: "My project: 50 % of this month's AI credits are used",
      to: owner.user.email,
      purpose: 'credits',
      body: expect.stringContaining('has used 50 of 100 credits'),
    },
  ])
  await spend(20)
  expect(await percents()).toEqual(['50 %'])
  // two thresholds at once: only the higher one
  await spend(21)
  await spend(1)
  expect(await percents()).toEqual(['50 %', '90 %'])
  await spend(8)
  expect(await percents()).toEqual(['50 %', '90 %', 'used up'])
  await spend(1)
  expect(await percents()).toHaveLength(3)
  now = new Date('2026-12-01T00:00:00Z')
  await spend(60)
  expect(await percents()).toEqual(['50 %', '90 %', 'used up', '50 %'])
})

test('an answer that was refused since too little was left says that they are used up', async () => {
  await spend(95)
  expect(await percents()).toEqual(['90 %'])
  await spend(60)
  expect(await percents()).toEqual(['90 %', 'used up'])
})

test("the project's addresses and thresholds are kept to, and it may want none", async () => {
  const { db } = server.context
  const set = (values: object) => db.updateTable('projects').set(values).where('id', '=', place.projectId).execute()
  await set({ credit_notice_emails: ['team@example.org', 'boss@example.org'], credit_notice_thresholds: [75] })
  await spend(60)
  expect(await look()).toEqual([])
  await spend(20)
  expect((await look()).map(({ to }) => to)).toEqual(['team@example.org', 'boss@example.org'])
  await set({ credit_notices: false, credit_notice_thresholds: [90] })
  await spend(20)
  expect(await look()).toHaveLength(2)
})
