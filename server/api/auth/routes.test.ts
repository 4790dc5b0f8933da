import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../tests/support/server'
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
  // registration is open here, so those that came second are made as ordinary accounts
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
    body: { data: { fields: { email: 'There is an account with this email already' } } },
  })
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
  expect((await send({ email: 'eight@cap.example', password: '12345678' })).status).toBe(200)
  expect(await send({ email: 'seven@cap.example', password: '1234567' })).toMatchObject({ status: 422 })
})
