import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type MailServer, startMailServer } from '../../../../tests/support/mailServer'
import { startTestServer, type TestServer } from '../../../../tests/support/server'
import { updateSettings } from '../../../contracts/account'
import { askToRegister, finishRegistration, lookAtRegistration } from '../../../contracts/auth'
import { setupLink } from './setup'

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
const later = (ms: number) => {
  now = new Date(now.getTime() + ms)
}

const names = { first_name: 'Grace', last_name: 'Hopper' }
const password = 'another password'
const mailsTo = (email: string) => mails.mails.filter((_, at) => mails.envelopes[at]?.to.includes(email))
async function askAndRead(email: string): Promise<string> {
  const before = mailsTo(email).length
  await (await server.guest()).call(askToRegister, { body: { email } })
  const mail = await vi.waitFor(() => mailsTo(email)[before] ?? Promise.reject(new Error('no mail yet')), 60_000)
  return mail.text ?? ''
}
const tokenIn = (text: string) => /\/register\?token=([\w-]+)/.exec(text)?.[1] ?? ''

test('the owner registers by the printed link, in one step', async () => {
  expect(await (await server.guest()).send('POST', '/api/auth/register/ask', { email: 'a@b.co' })).toMatchObject({
    status: 403,
    body: { code: 'setup_required' },
  })
  const setup_token = new URL((await setupLink(server.context)) ?? '').searchParams.get('setup_token')
  const body = { ...names, email: 'owner@example.com', password, setup_token }
  expect((await (await server.guest()).send('POST', '/api/auth/register', body)).status).toBe(200)
})

test('an account is made by the link in a mail, with the names and the password of whoever opens it', async () => {
  const token = tokenIn(await askAndRead('Grace@Example.com'.toLowerCase()))
  const guest = await server.guest()
  expect(await guest.call(lookAtRegistration, { body: { token } })).toEqual({ email: 'grace@example.com' })
  const common = await guest.send('POST', '/api/auth/register/finish', { token, ...names, password: 'password1' })
  expect(common).toMatchObject({ status: 422, body: { data: { fields: { password: expect.any(String) } } } })
  const { user } = await guest.call(finishRegistration, { body: { token, ...names, password } })
  expect(user).toMatchObject({ email: 'grace@example.com', first_name: 'Grace' })
  expect((await guest.send('GET', '/api/projects')).body.data).toMatchObject({ projects: [{ name: 'My project' }] })
  expect(await (await server.guest()).call(lookAtRegistration, { body: { token } })).toEqual({ email: null })
})

test('its mail is in the language of the screen, or of the account that there is', async () => {
  const known = await server.register()
  await known.call(updateSettings, { body: { language: 'de' } })
  const subjectTo = async (email: string, language?: 'en' | 'de') => {
    await (await server.guest()).call(askToRegister, { body: { email, ...(language && { language }) } })
    const mail = await vi.waitFor(() => mailsTo(email)[0] ?? Promise.reject(new Error('no mail yet')), 60_000)
    return mail.subject
  }
  expect(await subjectTo('deutsch@example.com', 'de')).toBe('Konto erstellen')
  expect(await subjectTo('english@example.com')).toBe('Create your account')
  expect(await subjectTo(known.user.email, 'en')).toBe('Sie haben bereits ein Konto')
})

test('whether there is an account, only its mail tells', async () => {
  const known = await server.register()
  const ask = async (email: string) => (await server.guest()).send('POST', '/api/auth/register/ask', { email })
  const [unknown, taken] = [await ask('nobody@example.com'), await ask(known.user.email)]
  expect([unknown.status, unknown.text]).toEqual([200, taken.text])
  await vi.waitFor(() => expect(mailsTo(known.user.email)).toHaveLength(1), 60_000)
  expect(mailsTo(known.user.email)[0]?.text).toContain('There already is one')
  expect(tokenIn(mailsTo(known.user.email)[0]?.text ?? '')).toBe('')
  // nor does registration in one step
  const send = async (email: string) =>
    (await server.guest()).send('POST', '/api/auth/register', { ...names, email, password })
  const [one, other] = [await send('nobody@example.com'), await send(known.user.email)]
  expect([one.status, one.text]).toEqual([409, other.text])
})

test('the answer waits for nothing that only an unknown address costs', async () => {
  await server.context.db.transaction().execute(async (trx) => {
    await sql`lock table registrations in access exclusive mode`.execute(trx)
    const body = { email: 'waiting@example.com' }
    expect((await (await server.guest()).send('POST', '/api/auth/register/ask', body)).status).toBe(200)
    expect(mailsTo('waiting@example.com')).toEqual([])
  })
  await vi.waitFor(() => expect(mailsTo('waiting@example.com')).toHaveLength(1), 60_000)
})

test('a link works once, for an hour, and takes all others of its address along', async () => {
  const first = tokenIn(await askAndRead('once@example.com'))
  const second = tokenIn(await askAndRead('once@example.com'))
  const finish = async (token: string) =>
    (await (await server.guest()).send('POST', '/api/auth/register/finish', { token, ...names, password })).status
  expect((await Promise.all([finish(second), finish(second)])).sort()).toEqual([200, 409])
  expect(await finish(first)).toBe(409)
  const late = tokenIn(await askAndRead('late@example.com'))
  later(HOUR)
  expect(await finish(late)).toBe(409)
})

test('an hour brings one address five mails at most', async () => {
  later(HOUR)
  for (let at = 0; at < 6; at++)
    await (await server.guest()).call(askToRegister, { body: { email: 'many@example.com' } })
  await askAndRead('after@example.com')
  await vi.waitFor(() => expect(mailsTo('many@example.com')).toHaveLength(5), 60_000)
})

test('a closed installation sends no link', async () => {
  const { smtpUrl, mailFrom } = server.context.config
  const closed = await startTestServer({ config: { smtpUrl, mailFrom, registration: 'closed' } })
  await closed.register()
  expect(await (await closed.guest()).send('POST', '/api/auth/register/ask', { email: 'x@example.com' })).toMatchObject(
    {
      status: 403,
      body: { code: 'registration_closed' },
    },
  )
  await closed.close()
})
