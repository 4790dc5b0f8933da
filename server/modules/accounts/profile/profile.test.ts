import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addMember } from '../../../../tests/support/collab'
import { type MailServer, startMailServer } from '../../../../tests/support/mailServer'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { Role } from '../../../access/roles'
import { login } from '../../../contracts/auth'
import * as contract from '../../../contracts/profile'
import { listProjects } from '../../../contracts/projects'

const HOUR = 60 * 60_000
let mails: MailServer
let server: TestServer
let now = new Date('2030-01-01T00:00:00Z')
beforeAll(async () => {
  mails = await startMailServer()
  server = await startTestServer({
    clock: () => now,
    config: { smtpUrl: `smtp://127.0.0.1:${mails.port}`, mailFrom: { name: 'Parley', address: 'bot@example.com' } },
  })
})
afterAll(() => Promise.all([server.close(), mails.close()]))

const mailsTo = (email: string) => mails.mails.filter((_, at) => mails.envelopes[at]?.to.includes(email))
const linkTo = (email: string) =>
  vi.waitFor(
    () =>
      /confirm-email\/([\w-]+)/.exec(mailsTo(email).at(-1)?.text ?? '')?.[1] ??
      Promise.reject(new Error('no mail yet')),
    10_000,
  )
const canLogIn = async (email: string, password: string) =>
  (await (await server.guest()).send('POST', '/api/auth/login', { email, password })).status === 200
/** Another browser of the same person. */
async function again({ user, password }: Registered) {
  const client = await server.guest()
  await client.call(login, { body: { email: user.email, password } })
  return client
}

test('a name is changed, and empty ones are refused', async () => {
  const ada = await server.register()
  expect(await ada.call(contract.updateProfile, { body: { first_name: 'Augusta', last_name: 'King' } })).toMatchObject({
    first_name: 'Augusta',
    last_name: 'King',
  })
  expect((await ada.send('GET', '/api/user')).body.data).toMatchObject({ first_name: 'Augusta' })
  expect((await ada.send('PATCH', '/api/user', { first_name: ' ', last_name: 'King' })).status).toBe(422)
})

test('a new password takes the present one, ends every other session, and a mail tells', async () => {
  const ada = await server.register()
  const other = await again(ada)
  const wrong = await ada.send('POST', '/api/user/password', { current: 'not mine', password: 'a much better one' })
  expect(wrong).toMatchObject({ status: 422, body: { data: { fields: { current: expect.any(String) } } } })
  expect((await other.send('GET', '/api/user')).status).toBe(200)
  await ada.call(contract.changePassword, { body: { current: ada.password, password: 'a much better one' } })
  expect((await ada.send('GET', '/api/user')).status).toBe(200)
  expect((await other.send('GET', '/api/user')).status).toBe(401)
  expect([await canLogIn(ada.user.email, ada.password), await canLogIn(ada.user.email, 'a much better one')]).toEqual([
    false,
    true,
  ])
  await vi.waitFor(() => expect(mailsTo(ada.user.email).at(-1)?.subject).toBe('Your password was changed'), 60_000)
})

test('guesses at the present password are few', async () => {
  const ada = await server.register()
  const guess = () => ada.send('POST', '/api/user/password', { current: 'a guess', password: 'a much better one' })
  const answers = []
  for (let at = 0; at < 11; at++) answers.push((await guess()).status)
  expect(answers).toEqual([...Array<number>(10).fill(422), 429])
})

test('a new email is confirmed from its own mailbox, in any browser, and the one before is told', async () => {
  const ada = await server.register()
  const before = ada.user.email
  await ada.call(contract.changeEmail, { body: { email: 'Countess@Example.com', current: ada.password } })
  // the request alone changes nothing
  expect(await canLogIn(before, ada.password)).toBe(true)
  const token = await linkTo('countess@example.com')
  await (await server.guest()).call(contract.confirmEmail, { body: { token } })
  expect([await canLogIn('countess@example.com', ada.password), await canLogIn(before, ada.password)]).toEqual([
    true,
    false,
  ])
  await vi.waitFor(() => expect(mailsTo(before).at(-1)?.subject).toBe('Your email was changed'), 60_000)
  const used = await (await server.guest()).send('POST', '/api/user/email/confirm', { token })
  expect(used.status).toBe(409)
})

test("a link for an email is past after an hour, and gives nobody another account's address", async () => {
  const [ada, grace] = [await server.register(), await server.register()]
  await ada.call(contract.changeEmail, { body: { email: 'late@example.com', current: ada.password } })
  const late = await linkTo('late@example.com')
  now = new Date(now.getTime() + HOUR + 1)
  const confirm = async (token: string) =>
    (await (await server.guest()).send('POST', '/api/user/email/confirm', { token })).status
  expect(await confirm(late)).toBe(409)
  const taken = await ada.send('POST', '/api/user/email', { email: grace.user.email, current: ada.password })
  // the response does not reveal that it is taken
  expect(taken.status).toBe(200)
  expect(await confirm(await linkTo(grace.user.email))).toBe(409)
  expect(await canLogIn(grace.user.email, grace.password)).toBe(true)
})

test('sessions say from where they were used last, and all others are ended at once', async () => {
  const ada = await server.register()
  const others = await Promise.all([again(ada), again(ada)])
  const { sessions } = await ada.call(contract.listSessions)
  expect(sessions).toHaveLength(3)
  for (const { address, network } of sessions) {
    expect(address).toMatch(/^(?:127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)$/)
    expect(network).toBe('machine')
  }
  expect(await ada.call(contract.endOtherSessions)).toEqual({ ended: 2 })
  expect((await ada.call(contract.listSessions)).sessions).toMatchObject([{ current: true }])
  for (const other of others) expect((await other.send('GET', '/api/user')).status).toBe(401)
})

test('sessions are listed with what they are, and one is ended without the others', async () => {
  const ada = await server.register()
  const other = await again(ada)
  const { sessions } = await ada.call(contract.listSessions)
  expect(sessions).toHaveLength(2)
  expect(sessions.filter(({ current }) => current)).toHaveLength(1)
  const gone = sessions.find(({ current }) => !current)
  const eve = await server.register()
  expect((await eve.send('DELETE', `/api/user/sessions/${gone?.id}`, {})).status).toBe(404)
  await ada.call(contract.endSession, { params: { gid: gone?.id ?? '' } })
  expect([(await other.send('GET', '/api/user')).status, (await ada.send('GET', '/api/user')).status]).toEqual([
    401, 200,
  ])
})

test('a session is listed by the first 300 characters of what its browser says of itself', async () => {
  const ada = await server.register()
  const browser = await server.guest()
  const credentials = { email: ada.user.email, password: ada.password }
  const agent = 'Browser '.padEnd(301, '7')
  expect((await browser.send('POST', '/api/auth/login', credentials, { 'user-agent': agent })).status).toBe(200)
  const { sessions } = await ada.call(contract.listSessions)
  expect(sessions.map(({ user_agent }) => user_agent)).toContain(agent.slice(0, 300))
})

test('a deleted account takes along the projects that nobody else is in, and leaves the others to those in them', async () => {
  const [ada, grace] = [await server.register(), await server.register()]
  await addMember(server, grace.pgid, ada, [Role.EDITOR])
  await addMember(server, ada.pgid, grace, [Role.EDITOR])
  expect(await ada.call(contract.previewDeletion)).toMatchObject({
    deleted: [],
    left: [{ gid: grace.pgid }],
    blocked: [{ gid: ada.pgid }],
  })
  const gone = (current: string) => ada.send('DELETE', '/api/user', { current })
  // the project would have no owner
  expect((await gone(ada.password)).status).toBe(409)
  expect(await canLogIn(ada.user.email, ada.password)).toBe(true)
  await addMember(server, ada.pgid, grace, [Role.OWNER])
  expect((await gone('not mine')).status).toBe(422)
  expect((await gone(ada.password)).status).toBe(200)
  expect((await ada.send('GET', '/api/user')).status).toBe(401)
  expect(await canLogIn(ada.user.email, ada.password)).toBe(false)
  const { projects } = await grace.call(listProjects)
  expect(projects.map(({ gid }) => gid).sort()).toEqual([ada.pgid, grace.pgid].sort())
  const eve = await server.register()
  await eve.call(contract.deleteAccount, { body: { current: eve.password } })
  await server.context.jobs.runDue()
  const left = await server.context.db.selectFrom('projects').select('gid').where('gid', '=', eve.pgid).execute()
  expect(left).toEqual([])
})

test('an account’s data are all that is kept of it, without what lets anybody in, and of nobody else', async () => {
  const ada = await server.register()
  const bob = await server.register()
  await again(ada)
  const key = { name: 'Nightly', scope: 'write' }
  const made = await ada.send('POST', `/api/projects/${ada.pgid}/api-keys`, key)
  expect(made.status).toBe(200)
  const data = await ada.call(contract.readAccountData)
  expect(data).toMatchObject({
    account: { id: ada.user.ui, email: ada.user.email, email_verified: expect.any(Boolean) },
    projects: [{ id: ada.pgid, roles: ['Owner'] }],
    api_keys: [{ name: 'Nightly', project: ada.pgid, last_used_at: null }],
    settings: { hide_onboarding_checklist: false },
  })
  expect(data.sessions).toHaveLength(2)
  const text = JSON.stringify(data)
  expect(text).not.toContain((made.body.data as { key: string }).key)
  expect(text).not.toContain(bob.user.email)
  expect(text).not.toMatch(/hash|argon/)
})
