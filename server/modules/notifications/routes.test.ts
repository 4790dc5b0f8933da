import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMember, makeChatbot } from '../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { Role } from '../../access/roles'
import { readNotifications, updateNotifications } from '../../contracts/notifications'
import { reserveCredits, settleCredits } from '../billing/credits'

let server: TestServer
let ada: Registered
beforeAll(async () => {
  server = await startTestServer()
  ada = await server.register()
})
afterAll(() => server.close())

const params = () => ({ pgid: ada.pgid })
const path = () => `/api/projects/${ada.pgid}/notifications`
const change = (ai_credits_usage: object) => ada.send('PATCH', path(), { ai_credits_usage })

test('who is told of used credits, and when, is set in the project, and the mails keep to it', async () => {
  const { ai_credits_usage: first, owners } = await ada.call(readNotifications, { params: params() })
  expect(first).toMatchObject({ enabled: true, emails: [], thresholds: [50, 75, 90, 100] })
  expect(owners).toEqual([ada.user.email])
  const { ai_credits_usage: set } = await ada.call(updateNotifications, {
    params: params(),
    body: { ai_credits_usage: { emails: [' team@example.org '], thresholds: [90, 75] } },
  })
  expect(set).toMatchObject({ enabled: true, emails: ['team@example.org'], thresholds: [75, 90] })

  const { db } = server.context
  await db.updateTable('projects').set({ plan_id: 'free' }).where('gid', '=', ada.pgid).execute()
  const { cgid } = await makeChatbot(ada)
  const { id: chatbotId, project_id: projectId } = await db
    .selectFrom('chatbots')
    .select(['id', 'project_id'])
    .where('gid', '=', cgid)
    .executeTakeFirstOrThrow()
  const mailsAfter = async (amount: number) => {
    const use = { projectId, chatbotId, visitor: null, key: `spent.${amount}`, amount, at: server.context.clock() }
    await reserveCredits(db, use)
    await settleCredits(db, use)
    await server.app.modules.consumers.runDue()
    await server.context.jobs.runDue()
    const mails = await db
      .selectFrom('mails')
      .select(['addresses', 'subject'])
      .where('project_id', '=', projectId)
      .orderBy('id')
      .execute()
    return mails.map(({ addresses, subject }) => [addresses.to.join(), /\d+ %/.exec(subject)?.[0]])
  }
  expect(await mailsAfter(60)).toEqual([])
  expect(await mailsAfter(20)).toEqual([['team@example.org', '75 %']])
  expect((await ada.call(readNotifications, { params: params() })).ai_credits_usage).toMatchObject({
    used: 80,
    max: 100,
  })
  await change({ enabled: false })
  expect(await mailsAfter(15)).toHaveLength(1)
})

test('what is wrong is said at its field', async () => {
  const fieldsOf = async (body: object) =>
    ((await change(body)).body.data as { fields?: Record<string, string> }).fields
  expect(await fieldsOf({ emails: ['team@example.org', 'nobody'] })).toEqual({
    'ai_credits_usage.emails.1': 'Enter a valid email address',
  })
  expect(await fieldsOf({ emails: ['a@example.org', 'A@example.org'] })).toEqual({
    'ai_credits_usage.emails.1': 'This address is already on the list',
  })
  expect(await fieldsOf({ emails: Array.from({ length: 21 }, (_, at) => `a${at}@example.org`) })).toEqual({
    'ai_credits_usage.emails': 'Give at most 20 addresses',
  })
  expect(await fieldsOf({ thresholds: [] })).toEqual({
    'ai_credits_usage.thresholds': 'Choose at least one share, or switch these mails off',
  })
  expect((await change({ thresholds: [60] })).status).toBe(422)
})

test('owners and admins alone see and set it', async () => {
  // with seats for them
  await server.context.db.updateTable('projects').set({ plan_id: 'growth' }).where('gid', '=', ada.pgid).execute()
  const editor = await server.register()
  await addMember(server, ada.pgid, editor, [Role.EDITOR])
  expect((await editor.send('GET', path())).status).toBe(403)
  expect((await editor.send('PATCH', path(), { ai_credits_usage: { enabled: false } })).status).toBe(403)
  const admin = await server.register()
  await addMember(server, ada.pgid, admin, [Role.ADMIN])
  expect((await admin.send('PATCH', path(), { ai_credits_usage: { enabled: true } })).status).toBe(200)
})
