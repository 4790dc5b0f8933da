import { dictionary } from '@zxcvbn-ts/language-common'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestClient } from '../../../../tests/support/client'
import { startTestServer, type TestServer } from '../../../../tests/support/server'
import { hashToken } from '../../../access/tokens'
import { login, logoutElsewhere } from '../../../contracts/auth'
import { setupLink } from './setup'

let server: TestServer
let now = new Date('2030-01-01T00:00:00Z')
beforeAll(async () => {
  server = await startTestServer({ clock: () => now })
})
afterAll(() => server.close())
const later = (ms: number) => {
  now = new Date(now.getTime() + ms)
}
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const person = { first_name: 'Ada', last_name: 'Lovelace', email: 'Ada@Example.com', password: 'difference engine' }

test('the first account takes the link that was printed last, and there is one first account', async () => {
  const outdated = new URL((await setupLink(server.context)) ?? '').searchParams.get('setup_token')
  const setup_token = new URL((await setupLink(server.context)) ?? '').searchParams.get('setup_token')
  const guest = await server.guest()
  expect(await guest.send('GET', '/api/installation')).toMatchObject({
    body: { data: { has_owner: false, registration_open: false, logged_in: false } },
  })
  expect(await guest.send('POST', '/api/auth/register', person)).toMatchObject({
    status: 403,
    body: { code: 'setup_required' },
  })
  const wrong = await guest.send('POST', '/api/auth/register', { ...person, setup_token: outdated })
  expect(wrong).toMatchObject({ status: 422, body: { data: { fields: { setup_token: expect.any(String) } } } })

  const clients = await Promise.all([server.guest(), server.guest(), server.guest()])
  const answers = await Promise.all(
    clients.map((client, at) =>
      client.send('POST', '/api/auth/register', { ...person, email: `ada${at}@example.com`, setup_token }),
    ),
  )
  // registration is open here, so the slower ones become ordinary accounts
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await setupLink(server.context)).toBeNull()
})

test('a closed installation takes nobody after the first', async () => {
  const closed = await startTestServer({ config: { registration: 'closed' } })
  await closed.register()
  const guest = await closed.guest()
  expect(await guest.send('POST', '/api/auth/register', person)).toMatchObject({
    status: 403,
    body: { code: 'registration_closed' },
  })
  await closed.close()
})

test('registering logs in, makes a default project, and takes an email once, whatever its case', async () => {
  const guest = await server.guest()
  const before = guest.cookies.get('parley_session')
  const { status, body, headers } = await guest.send('POST', '/api/auth/register', person)
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { success: true, data: { user: { email: 'ada@example.com', first_name: 'Ada' } } },
  })
  expect(guest.cookies.get('parley_session')).not.toBe(before)
  const cookie = headers.getSetCookie().findLast((each) => each.startsWith('parley_session'))
  expect(cookie).toMatch(/HttpOnly/)
  expect(cookie).toMatch(/SameSite=Lax/)
  expect(cookie).not.toMatch(/Secure/)
  expect(await guest.send('GET', '/api/projects')).toMatchObject({
    body: { data: { projects: [{ name: 'My project', default: true, roles: [1] }] } },
  })
  const again = await (await server.guest()).send('POST', '/api/auth/register', { ...person, email: 'ADA@example.COM' })
  expect(again).toMatchObject({
    status: 422,
    body: { data: { fields: { email: 'This email can’t be used. If it is yours, log in, or set a new password.' } } },
  })
})

test('cookies go to this site alone, that of the session to no script; a browser keeps them while one is logged in', async () => {
  const attributes = ({ headers }: { headers: Headers }) =>
    headers.getSetCookie().flatMap((cookie) => {
      const [name, ...rest] = cookie.replace(/=[^;]*/, '').split('; ')
      return name === 'parley_session' || name === 'XSRF-TOKEN' ? [[name, ...rest.sort()]] : []
    })
  const guest = await server.guest()
  const cookie = ['Path=/', 'SameSite=Lax']
  expect(attributes(await guest.send('GET', '/api/csrf-cookie'))).toEqual([
    ['parley_session', 'HttpOnly', ...cookie],
    ['XSRF-TOKEN', ...cookie],
  ])
  const { user, password } = await server.register()
  expect(attributes(await guest.send('POST', '/api/auth/login', { email: user.email, password }))).toEqual([
    ['parley_session', 'HttpOnly', 'Max-Age=2592000', ...cookie],
    ['XSRF-TOKEN', 'Max-Age=2592000', ...cookie],
  ])
})

test('over https the cookies are secure', async () => {
  const secure = await startTestServer({ config: { publicUrl: 'https://parley.example.com' } })
  const { headers } = await (await secure.guest()).send('GET', '/api/csrf-cookie')
  for (const cookie of headers.getSetCookie()) expect(cookie).toMatch(/Secure/)
  expect(headers.get('strict-transport-security')).toBeTruthy()
  await secure.close()
})

test('logging in and out', async () => {
  const known = await server.register()
  const guest = await server.guest()
  const login = await guest.send('POST', '/api/auth/login', {
    email: known.user.email.toUpperCase(),
    password: known.password,
  })
  expect(login.status).toBe(200)
  expect(await guest.send('GET', '/api/user')).toMatchObject({ body: { data: { ui: known.user.ui } } })
  expect(await guest.send('POST', '/api/auth/login', { email: 'a@b.cd', password: 'x' })).toMatchObject({ status: 409 })
  const stolen = guest.cookies.get('parley_session')
  expect((await guest.send('POST', '/api/auth/logout', {})).status).toBe(200)
  expect(guest.cookies.has('parley_session')).toBe(false)
  const thief = await server.guest()
  thief.cookies.set('parley_session', stolen ?? '')
  expect(await thief.send('GET', '/api/user')).toMatchObject({
    status: 401,
    body: { success: false, code: 'unauthenticated', data: 'You are not authenticated. Please login.' },
  })
  expect((await known.send('GET', '/api/user')).status).toBe(200)
})

test('who is given the cookies again stays logged in, with the same token', async () => {
  const known = await server.register()
  const before = new Map(known.cookies)
  const { headers } = await known.send('GET', '/api/csrf-cookie')
  expect(headers.getSetCookie().join()).toContain('Max-Age=2592000')
  expect(new Map(known.cookies)).toEqual(before)
  expect((await known.send('GET', '/api/user')).status).toBe(200)
})

test('a wrong password and an unknown email get the same answer; the sixth failure in a minute is refused', async () => {
  const known = await server.register()
  const guest = await server.guest()
  const attempt = (email: string, password = 'wrong password') =>
    guest.send('POST', '/api/auth/login', { email, password })
  const wrong = await attempt(known.user.email)
  const unknown = await attempt('nobody@example.com')
  expect(wrong).toMatchObject({ status: 422, body: { code: 'credentials' } })
  expect(unknown.text).toBe(wrong.text)
  const burst = await Promise.all(Array.from({ length: 8 }, () => attempt(known.user.email)))
  expect(burst.map(({ status }) => status).sort()).toEqual([422, 422, 422, 422, 429, 429, 429, 429])
  const refused = await attempt(known.user.email, known.password)
  expect(refused).toMatchObject({
    status: 429,
    body: { data: "You're sending too many requests! Please retry after one minute.", code: 'too_many_requests' },
  })
  expect(refused.headers.get('retry-after')).toBe('60')
  later(MINUTE)
  expect((await attempt(known.user.email, known.password)).status).toBe(200)
})

test('a change without the XSRF token of the session is refused with 419, logged in or not', async () => {
  const known = await server.register()
  const other = await server.register()
  const forged = [{ 'x-xsrf-token': '' }, { 'x-xsrf-token': other.cookies.get('XSRF-TOKEN') ?? '' }]
  for (const headers of forged) {
    expect(await known.send('POST', '/api/projects', { name: 'Forged' }, headers)).toMatchObject({
      status: 419,
      body: { code: 'session_expired' },
    })
  }
  const credentials = { email: known.user.email, password: known.password }
  const guest = await server.guest()
  expect((await guest.send('POST', '/api/auth/login', credentials, { 'x-xsrf-token': '' })).status).toBe(419)
  guest.cookies.delete('parley_session')
  expect((await guest.send('POST', '/api/auth/login', credentials)).status).toBe(419)
})

test('a session lasts 30 days from when it was last used', async () => {
  const known = await server.register()
  later(29 * DAY)
  const used = await known.send('GET', '/api/user')
  expect(used.status).toBe(200)
  expect(used.headers.getSetCookie().join()).toMatch(/parley_session=.*Max-Age=2592000/)
  later(29 * DAY)
  expect((await known.send('GET', '/api/user')).status).toBe(200)
  later(31 * DAY)
  expect((await known.send('GET', '/api/user')).status).toBe(401)
})

test('what is used is one session: it alone is seen, hourly, and prolonged, daily; others end when they would have', async () => {
  const used = await server.register()
  const idle = await server.register()
  const kept = async ({ cookies }: TestClient) => {
    const row = await server.context.db
      .selectFrom('sessions')
      .select(['seen_at', 'expires_at'])
      .where('token_hash', '=', hashToken(cookies.get('parley_session') ?? ''))
      .executeTakeFirstOrThrow()
    return { seen: row.seen_at?.getTime(), ends: row.expires_at.getTime() }
  }
  const began = now.getTime()
  const untouched = { seen: began, ends: began + 30 * DAY }
  const after = async (ms: number) => {
    later(ms)
    expect((await used.send('POST', '/api/dashboard', {})).status).toBe(200)
    expect(await kept(idle)).toEqual(untouched)
    return kept(used)
  }
  expect(await after(60 * MINUTE)).toEqual(untouched)
  const seen = began + 60 * MINUTE + 1
  expect(await after(1)).toEqual({ ...untouched, seen })
  expect(await after(DAY - 60 * MINUTE - 1)).toEqual({ seen: began + DAY, ends: began + 30 * DAY })
  expect(await after(1)).toEqual({ seen: began + DAY, ends: began + 31 * DAY + 1 })
})

test('the database holds neither the password nor the token', async () => {
  const known = await server.register({ password: 'a very plain password' })
  const { password_hash } = await server.context.db
    .selectFrom('users')
    .select('password_hash')
    .where('email', '=', known.user.email)
    .executeTakeFirstOrThrow()
  expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  const sessions = await server.context.db.selectFrom('sessions').selectAll().execute()
  const token = known.cookies.get('parley_session') ?? ''
  expect(token.length).toBeGreaterThanOrEqual(43)
  expect(
    sessions.some(
      ({ token_hash }) => token_hash.includes(token) || token_hash.includes(Buffer.from(token, 'base64url')),
    ),
  ).toBe(false)
})

test.each([
  ['first_name', 75, 'n'],
  ['last_name', 75, 'n'],
  ['password', 50, 'p'],
])('%s takes %i characters and not one more', async (field, most, letter) => {
  const send = async (length: number, email: string) =>
    (await server.guest()).send('POST', '/api/auth/register', { ...person, email, [field]: letter.repeat(length) })
  expect((await send(most, `${field}@cap.example`)).status).toBe(200)
  expect(await send(most + 1, `${field}1@cap.example`)).toMatchObject({
    status: 422,
    body: { code: 'invalid', data: { fields: { [field]: `Must not exceed ${most} characters` } } },
  })
})

test('an email takes 320 characters, and a password at least 8', async () => {
  const email = (length: number) => `${'e'.repeat(length - '@cap.example'.length)}@cap.example`
  const send = async (change: object) =>
    (await server.guest()).send('POST', '/api/auth/register', { ...person, ...change })
  expect((await send({ email: email(320) })).status).toBe(200)
  expect(await send({ email: email(321) })).toMatchObject({
    body: { data: { fields: { email: 'Must not exceed 320 characters' } } },
  })
  expect((await send({ email: 'eight@cap.example', password: 'tq7-mv2x' })).status).toBe(200)
  expect(await send({ email: 'seven@cap.example', password: '1234567' })).toMatchObject({ status: 422 })
})

test('what most people choose is no password, in whatever case; the remedy stands at the field', async () => {
  const send = async (password: string) =>
    (await server.guest()).send('POST', '/api/auth/register', { ...person, email: 'common@example.com', password })
  for (const password of ['password', 'PassWord123', '12345678', 'qwertyuiop', '1q2w3e4r5t'])
    expect(await send(password), password).toMatchObject({
      status: 422,
      body: {
        data: {
          fields: {
            password: 'This password is among the most common ones. Choose a longer or less usual one.',
          },
        },
      },
    })
  expect((await send('tq7-mv2x')).status).toBe(200)
})

test('the list of common passwords holds ten thousand', () => {
  expect(dictionary['passwords-common'].length).toBeGreaterThan(10_000)
})

test.each(['<x>@b.co', 'a"b@c.co', 'a@-b.co', 'a@b', 'a b@c.co'])(
  '%s is no email, as in an invitation',
  async (email) => {
    const fields = { email: 'Enter a valid email address' }
    const guest = await server.guest()
    for (const [path, body] of [
      ['/api/auth/register', { ...person, email }],
      ['/api/auth/login', { email, password: 'x' }],
      ['/api/auth/reset', { email }],
    ] as const)
      expect(await guest.send('POST', path, body), path).toMatchObject({ status: 422, body: { data: { fields } } })
    const known = await server.register()
    const invitation = await known.send('POST', `/api/projects/${known.pgid}/invitations`, {
      emails: [email],
      roles: [3],
    })
    expect(invitation.status).toBe(422)
  },
)

test('who asks which addresses have accounts gets ten answers an hour', async () => {
  const asking = await startTestServer({ clock: () => now })
  const known = await asking.register()
  const guest = await asking.guest()
  const ask = async (email: string) => (await guest.send('POST', '/api/auth/register', { ...person, email })).status
  const statuses: number[] = []
  for (let at = 0; at < 11; at++) statuses.push(await ask(known.user.email))
  expect(statuses).toEqual([...Array(10).fill(422), 429])
  await asking.close()
})

describe('wrong passwords for one account from many addresses', () => {
  const guess = (client: TestClient, email: string, at: number, password = 'wrong password') =>
    client.send('POST', '/api/auth/login', { email, password }, { 'x-forwarded-for': `203.0.113.${at}` })

  test('have to wait, ever longer, and the right one too', async () => {
    const known = await server.register()
    const guest = await server.guest()
    for (let at = 1; at <= 10; at++) expect((await guess(guest, known.user.email, at)).status).toBe(422)
    const refused = await guess(guest, known.user.email, 11, known.password)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('30')
    later(30_000)
    expect((await guess(guest, known.user.email, 12)).status).toBe(422)
    expect((await guess(guest, known.user.email, 13)).headers.get('retry-after')).toBe('60')
    // the response is the same for an address without an account
    for (let at = 21; at <= 30; at++) expect((await guess(guest, 'nobody@many.example', at)).status).toBe(422)
    expect((await guess(guest, 'nobody@many.example', 31)).status).toBe(429)
    for (let round = 0; round < 8; round++) {
      later(15 * MINUTE)
      await guess(guest, known.user.email, 40 + round)
    }
    // never longer than fifteen minutes
    expect((await guess(guest, known.user.email, 50)).headers.get('retry-after')).toBe('900')
    later(15 * MINUTE)
    expect((await guess(guest, known.user.email, 51, known.password)).status).toBe(200)
  })

  test('do not keep the owner out of a browser that was logged in before', async () => {
    const known = await server.register()
    const { email } = known.user
    await known.send('POST', '/api/auth/logout', {})
    await known.send('GET', '/api/csrf-cookie')
    const guest = await server.guest()
    for (let at = 1; at <= 10; at++) await guess(guest, email, at)
    expect((await guess(guest, email, 11, known.password)).status).toBe(429)
    expect((await guess(known, email, 12, known.password)).status).toBe(200)
    // another account's browser does not count
    const other = await server.register()
    await other.send('POST', '/api/auth/logout', {})
    await other.send('GET', '/api/csrf-cookie')
    expect((await guess(other, email, 13, known.password)).status).toBe(429)
  })
})

test('logging out everywhere else ends every session but the own one, and what browsers were known', async () => {
  const known = await server.register()
  const { email } = known.user
  const elsewhere = await server.guest()
  await elsewhere.call(login, { body: { email, password: known.password } })
  expect(await known.call(logoutElsewhere)).toEqual({ ended: 1 })
  expect((await elsewhere.send('GET', '/api/user')).status).toBe(401)
  expect((await known.send('GET', '/api/user')).status).toBe(200)
  const devices = await server.context.db
    .selectFrom('known_devices')
    .innerJoin('users', 'users.id', 'known_devices.user_id')
    .select('token_hash')
    .where('email', '=', email)
    .execute()
  expect(devices).toEqual([{ token_hash: hashToken(known.cookies.get('parley_device') ?? '') }])
})
