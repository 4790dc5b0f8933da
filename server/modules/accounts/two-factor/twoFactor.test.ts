import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { codeOf, turnOnTwoFactor } from '../../../../tests/support/codes'
import { type MailServer, mailTo, startMailServer } from '../../../../tests/support/mailServer'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { login } from '../../../contracts/auth'
import { readAccountData } from '../../../contracts/profile'
import * as contract from '../../../contracts/two-factor'
import { issueReset } from '../password-reset/tokens'

const MINUTE = 60_000
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
// limits of addresses are those of one minute
beforeEach(() => later(2 * MINUTE))
const later = (ms: number) => {
  now = new Date(now.getTime() + ms)
}

/** A browser in which the password was right. */
async function begin({ user, password }: Registered) {
  const guest = await server.guest()
  const answer = await guest.call(login, { body: { email: user.email, password } })
  return { guest, answer, enter: (code: string) => guest.send('POST', contract.loginByCode.path, { code }) }
}

test('once on, the password alone logs nobody in, and the code finishes it in the browser that began', async () => {
  const ada = await server.register()
  const { secret } = await turnOnTwoFactor(ada, now)
  later(MINUTE)
  const { guest, answer, enter } = await begin(ada)
  expect(answer).toEqual({ user: null, code_required: true })
  expect((await guest.send('GET', '/api/user')).status).toBe(401)
  // the code alone is worth nothing in another browser
  const other = await server.guest()
  const code = codeOf(secret, now)
  expect(await other.send('POST', contract.loginByCode.path, { code })).toMatchObject({
    body: { code: 'login_expired' },
  })
  const before = guest.cookies.get('parley_session')
  expect((await enter(code)).status).toBe(200)
  expect(guest.cookies.get('parley_session')).not.toBe(before)
  expect(guest.cookies.has('parley_login')).toBe(false)
  expect((await guest.send('GET', '/api/user')).body.data).toMatchObject({ email: ada.user.email })
  await mailTo(mails, ada.user.email, 'New log-in to your account')
})

test('turning it on takes the password and a code, ends the other sessions, and a mail tells', async () => {
  const ada = await server.register()
  const other = await server.guest()
  await other.call(login, { body: { email: ada.user.email, password: ada.password } })
  const wrong = await ada.send('POST', contract.beginTwoFactor.path, { current: 'not mine' })
  expect(wrong).toMatchObject({ status: 422, body: { data: { fields: { current: expect.any(String) } } } })
  const { secret, link } = await ada.call(contract.beginTwoFactor, { body: { current: ada.password } })
  expect(link).toMatch(/^otpauth:\/\/totp\/Parley:.*secret=[A-Z2-7]{32}&/)
  expect(await ada.call(contract.readTwoFactor)).toEqual({ on_since: null, recovery_codes_left: 0 })
  // until it is confirmed the password suffices
  expect((await begin(ada)).answer.code_required).toBe(false)
  const refused = await ada.send('POST', contract.confirmTwoFactor.path, { code: codeOf(secret, now, 5) })
  expect(refused).toMatchObject({ status: 422, body: { data: { fields: { code: expect.any(String) } } } })
  const { recovery_codes } = await ada.call(contract.confirmTwoFactor, { body: { code: codeOf(secret, now) } })
  expect(new Set(recovery_codes).size).toBe(10)
  expect(await ada.call(contract.readTwoFactor)).toEqual({ on_since: now.toISOString(), recovery_codes_left: 10 })
  expect((await other.send('GET', '/api/user')).status).toBe(401)
  expect((await ada.send('GET', '/api/user')).status).toBe(200)
  await mailTo(mails, ada.user.email, 'Two-factor sign-in is on')
  // nobody replaces the secret of an account that has one
  expect(await ada.send('POST', contract.beginTwoFactor.path, { current: ada.password })).toMatchObject({ status: 409 })
})

test('a code works once, one step early or late, also where two browsers send it at the same time', async () => {
  const ada = await server.register()
  const { secret } = await turnOnTwoFactor(ada, now)
  // the one that turned it on was taken
  expect((await (await begin(ada)).enter(codeOf(secret, now))).status).toBe(422)
  later(5 * MINUTE)
  expect((await (await begin(ada)).enter(codeOf(secret, now, -2))).status).toBe(422)
  expect((await (await begin(ada)).enter(codeOf(secret, now, 2))).status).toBe(422)
  const both = await Promise.all([begin(ada), begin(ada)])
  const answers = await Promise.all(both.map(({ enter }) => enter(codeOf(secret, now, -1))))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
  expect((await (await begin(ada)).enter(codeOf(secret, now, 1))).status).toBe(200)
  // earlier than the last one that was taken
  expect((await (await begin(ada)).enter(codeOf(secret, now))).status).toBe(422)
})

test('a recovery code works once, however it is written, and a mail tells', async () => {
  const ada = await server.register()
  const { recovery_codes } = await turnOnTwoFactor(ada, now)
  const [code = ''] = recovery_codes
  expect((await (await begin(ada)).enter(code.toUpperCase().replaceAll('-', ' '))).status).toBe(200)
  expect((await (await begin(ada)).enter(code)).status).toBe(422)
  expect(await ada.call(contract.readTwoFactor)).toMatchObject({ recovery_codes_left: 9 })
  await mailTo(mails, ada.user.email, 'A recovery code was used')
  // not of somebody else
  const eva = await server.register()
  await turnOnTwoFactor(eva, now)
  expect((await (await begin(eva)).enter(recovery_codes[1] ?? '')).status).toBe(422)
})

test('new recovery codes take password and code, and end the old ones', async () => {
  const ada = await server.register()
  const { secret, recovery_codes } = await turnOnTwoFactor(ada, now)
  later(MINUTE)
  const body = { current: ada.password, code: codeOf(secret, now) }
  const refused = await ada.send('POST', contract.renewRecoveryCodes.path, { ...body, current: 'not mine' })
  expect(refused.status).toBe(422)
  const made = await ada.call(contract.renewRecoveryCodes, { body })
  expect((await (await begin(ada)).enter(recovery_codes[0] ?? '')).status).toBe(422)
  expect((await (await begin(ada)).enter(made.recovery_codes[0] ?? '')).status).toBe(200)
})

test('five wrong codes end the log-in, and many of them make the account wait', async () => {
  const ada = await server.register()
  const { secret } = await turnOnTwoFactor(ada, now)
  later(MINUTE)
  const { enter } = await begin(ada)
  for (let at = 0; at < 5; at++) expect((await enter('000000')).status).toBe(422)
  expect(await enter(codeOf(secret, now))).toMatchObject({ status: 409, body: { code: 'login_expired' } })
  const again = await begin(ada)
  for (let at = 0; at < 3; at++) expect((await again.enter('000000')).status).toBe(422)
  expect(await again.enter(codeOf(secret, now))).toMatchObject({ status: 429 })
  // the owner's browser has a count of its own
  expect((await ada.send('POST', '/api/auth/logout', {})).status).toBe(200)
  await ada.send('GET', '/api/csrf-cookie')
  expect(await ada.call(login, { body: { email: ada.user.email, password: ada.password } })).toMatchObject({
    user: null,
  })
  expect((await ada.send('POST', contract.loginByCode.path, { code: codeOf(secret, now) })).status).toBe(200)
})

test('what was begun ends after five minutes, and with a new password', async () => {
  const ada = await server.register()
  const { secret } = await turnOnTwoFactor(ada, now)
  const late = await begin(ada)
  later(5 * MINUTE)
  expect(await late.enter(codeOf(secret, now))).toMatchObject({ body: { code: 'login_expired' } })
  const early = await begin(ada)
  const { id } = await server.context.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', ada.user.email)
    .executeTakeFirstOrThrow()
  const token = await issueReset(server.context.db, id, now)
  const password = 'an even better one'
  await (await server.guest()).send('POST', '/api/auth/reset/finish', { token, password, delete_api_keys: false })
  expect(await early.enter(codeOf(secret, now))).toMatchObject({ status: 422, body: { code: 'credentials' } })
  // the new password needs the code as the old one did
  expect((await begin({ ...ada, password } as Registered)).answer.code_required).toBe(true)
})

test('turning it off takes password and code; the password alone logs in from then on', async () => {
  const ada = await server.register()
  const { secret } = await turnOnTwoFactor(ada, now)
  later(MINUTE)
  const off = (body: { current: string; code: string }) => ada.send('POST', contract.turnOffTwoFactor.path, body)
  expect((await off({ current: ada.password, code: '000000' })).status).toBe(422)
  expect((await off({ current: 'not mine', code: codeOf(secret, now) })).status).toBe(422)
  expect((await off({ current: ada.password, code: codeOf(secret, now) })).status).toBe(200)
  expect((await begin(ada)).answer).toMatchObject({ code_required: false, user: { email: ada.user.email } })
  await mailTo(mails, ada.user.email, 'Two-factor sign-in is off')
})

test('the database has no secret and no code as they are, and what the account’s person reads has neither', async () => {
  const ada = await server.register()
  const { secret, recovery_codes } = await turnOnTwoFactor(ada, now)
  const { db } = server.context
  const rows = await Promise.all([
    db.selectFrom('two_factors').selectAll().execute(),
    db.selectFrom('recovery_codes').selectAll().execute(),
  ])
  const data = await ada.call(readAccountData)
  expect(data.account.two_factor_since).toBe(now.toISOString())
  const stored = JSON.stringify([rows, data])
  for (const word of [secret, ...recovery_codes]) expect(stored).not.toContain(word)
})
