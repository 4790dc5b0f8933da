import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { updateSettings } from '../../contracts/account'
import { createChatbot } from '../../contracts/chatbots'
import { setPlan } from '../billing/setPlan'

const now = new Date('2026-11-10T12:00:00Z')
let server: TestServer
let owner: Registered
let projectId: string
beforeAll(async () => {
  server = await startTestServer({ clock: () => now })
})
afterAll(() => server.close())
beforeEach(async () => {
  owner = await server.register()
  const { db } = server.context
  const row = await db.selectFrom('projects').select('id').where('gid', '=', owner.pgid).executeTakeFirstOrThrow()
  projectId = row.id
  await change('growth')
  for (let made = 1; made <= 10; made++)
    await owner.call(createChatbot, { params: { pgid: owner.pgid }, body: { name: `Bot ${made}` } })
})

let changes = 0
const change = (plan_id: string, addons: Record<string, number> = { 2: 0 }) =>
  setPlan(
    server.context.db,
    { plan_id, addons },
    { projectId, by: { actor: 'system' }, correlation: `change ${++changes}`, at: now },
  )
async function mails() {
  await server.app.modules.consumers.runDue()
  await server.context.jobs.runDue()
  return server.context.db
    .selectFrom('mails')
    .select(['subject', 'body', 'purpose', 'addresses'])
    .where('project_id', '=', projectId)
    .orderBy('id')
    .execute()
}

test('owners are mailed once for a change after which something can only be read, with its names', async () => {
  expect(await mails()).toEqual([])
  await change('starter')
  const [mail, ...others] = await mails()
  expect(others).toEqual([])
  expect(mail).toMatchObject({
    subject: 'My project: some of it can only be read now',
    purpose: 'billing',
    addresses: { to: [owner.user.email] },
  })
  expect(mail?.body).toContain('now it has Starter')
  expect(mail?.body).toContain('Bot 4, Bot 5, Bot 6, Bot 7, Bot 8, Bot 9, Bot 10')
  expect(mail?.body).not.toContain('Bot 3')
  expect(mail?.body).toContain(`/projects/${owner.pgid}/settings/billing/usage`)
})

test('a change that leaves nothing more to read only is not mailed; the next one names what came to it', async () => {
  await change('starter')
  expect(await mails()).toHaveLength(1)
  await change('starter', { 2: 2 })
  await change('growth')
  expect(await mails()).toHaveLength(1)
  await change('starter')
  expect(await mails()).toHaveLength(2)
  await change('free')
  const last = (await mails()).at(-1)
  expect(await mails()).toHaveLength(3)
  expect(last?.body).toContain('Bot 2, Bot 3')
  expect(last?.body).not.toContain('Bot 4')
})

test('the mail is in the language of the owner’s account', async () => {
  await owner.call(updateSettings, { body: { language: 'de' } })
  await change('free')
  const [mail] = await mails()
  expect(mail?.subject).toBe('My project: Manches kann jetzt nur noch gelesen werden')
  expect(mail?.body).toContain('der Tarif hat 1')
  expect(mail?.body).toContain('Oder öffnen Sie diesen Link')
})
