import { afterAll, beforeAll, expect, it } from 'vitest'
import { plainRichText } from '../../../engine/values/richText'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { Role } from '../../access/roles'
import { dashboard } from '../../contracts/account'
import { listMails, MAILS_PER_PAGE, readMail } from '../../contracts/mails'
import { createMailer } from './createMailer'

let server: TestServer
let ada: Registered
let projectId: string
let now = new Date('2026-11-21T10:00:00Z')
beforeAll(async () => {
  server = await startTestServer({ clock: () => now })
  ada = await server.register()
  const { id } = await server.context.db
    .selectFrom('projects')
    .select('id')
    .where('gid', '=', ada.pgid)
    .executeTakeFirstOrThrow()
  projectId = id
})
afterAll(() => server.close())

const send = (key: string, text = 'Hello <b>') =>
  createMailer(server.context)({
    projectId,
    conversationId: null,
    key,
    purpose: 'flow',
    fromName: 'Acme',
    to: ['a@example.org'],
    cc: [],
    bcc: ['b@example.org'],
    replyTo: [],
    subject: `Subject ${key}`,
    body: { template: 'flow', body: plainRichText(text) },
  })
const list = (before?: string) => ada.call(listMails, { params: { pgid: ada.pgid }, query: before ? { before } : {} })

it('an outbox begins empty and says that there is no mail server', async () => {
  expect(await list()).toEqual({ mail_from: null, mails: [], more: false })
  expect((await ada.call(dashboard, { body: {} })).mail_server).toBe(false)
})

it('lists mails, the newest first, and shows one', async () => {
  await send('k.1')
  await send('k.2')
  const { mails } = await list()
  expect(mails.map(({ subject }) => subject)).toEqual(['Subject k.2', 'Subject k.1'])
  expect(mails[0]).toMatchObject({ status: 'outbox', from: expect.stringContaining('Acme <'), bcc: ['b@example.org'] })
  const { mail } = await ada.call(readMail, { params: { pgid: ada.pgid, mgid: mails[0]?.gid ?? '' } })
  expect(mail.html).toContain('Hello &lt;b&gt;')
  expect(mail.text).toContain('Hello <b>')
})

it('the account says how many mails of the month are used', async () => {
  const used = async () => (await ada.call(dashboard, { body: {} })).user.usage.email_credits
  expect(await used()).toEqual({ max: 1e9, used: 2 })
  now = new Date('2026-12-01T00:00:00Z')
  expect(await used()).toEqual({ max: 1e9, used: 0 })
})

it('gives long lists page by page', async () => {
  for (let n = 0; n < MAILS_PER_PAGE; n++) await send(`more.${n}`)
  const first = await list()
  expect([first.mails.length, first.more]).toEqual([MAILS_PER_PAGE, true])
  const second = await list(first.mails.at(-1)?.gid)
  expect([second.mails.length, second.more]).toEqual([2, false])
})

it('belongs to the project, and to owners and admins alone', async () => {
  const bob = await server.register()
  const [mail] = (await list()).mails
  const path = `/api/projects/${ada.pgid}/mails`
  expect((await bob.send('GET', path)).status).toBe(404)
  expect((await bob.send('GET', `/api/projects/${bob.pgid}/mails/${mail?.gid}`)).status).toBe(404)
  const { id } = await server.context.db
    .selectFrom('users')
    .select('id')
    .where('gid', '=', bob.user.ui)
    .executeTakeFirstOrThrow()
  await server.context.db
    .insertInto('project_members')
    .values({ project_id: projectId, user_id: id, roles: [Role.EDITOR, Role.ANALYST], created_at: now })
    .execute()
  expect((await bob.send('GET', path)).status).toBe(403)
  expect((await bob.send('GET', `${path}/${mail?.gid}`)).status).toBe(403)
  expect((await (await server.guest()).send('GET', path)).status).toBe(401)
})
