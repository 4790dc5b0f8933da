import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type MailServer, startMailServer } from '../../../../tests/support/mailServer'
import { tokenOf } from '../../../../tests/support/people'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { createApiKey } from '../../../contracts/api-keys'
import { login } from '../../../contracts/auth'
import { listMails } from '../../../contracts/mails'
import { finishReset, lookAtReset, requestReset } from '../../../contracts/password-reset'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
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

const mailsTo = (email: string) => mails.mails.filter((_, at) => mails.envelopes[at]?.to.includes(email))
/** Requests a link and reads it from the mail. */
async function linkFor({ user: { email } }: Registered): Promise<string> {
  const links = () => mailsTo(email).flatMap(({ text }) => /http:\S+\/reset\/[\w-]+/.exec(text ?? '')?.[0] ?? [])
  const before = links().length
  await (await server.guest()).call(requestReset, { body: { email: email.toUpperCase() } })
  return vi.waitFor(() => links()[before] ?? Promise.reject(new Error('no mail yet')), 60_000)
}
const look = async (link: string) => (await server.guest()).call(lookAtReset, { body: { token: tokenOf(link) } })
const finish = async (link: string, password = 'another password') =>
  (await server.guest()).send('POST', '/api/auth/reset/finish', { token: tokenOf(link), password })

test('a link from a mail sets a new password, ends every session, and a mail tells', async () => {
  const ada = await server.register()
  const link = await linkFor(ada)
  expect(await look(link)).toEqual({ state: 'open', email: ada.user.email, api_keys: [] })
  const short = await finish(link, 'short')
  expect(short).toMatchObject({
    status: 422,
    body: { data: { fields: { password: 'Must be at least 8 characters' } } },
  })
  expect((await ada.send('GET', '/api/user')).status).toBe(200)
  await (await server.guest()).call(finishReset, { body: { token: tokenOf(link), password: 'another password' } })
  expect((await ada.send('GET', '/api/user')).status).toBe(401)
  const { email } = ada.user
  const guest = await server.guest()
  expect((await guest.send('POST', '/api/auth/login', { email, password: ada.password })).status).toBe(422)
  await guest.call(login, { body: { email, password: 'another password' } })
  await vi.waitFor(() => expect(mailsTo(email).at(-1)?.subject).toBe('Your password was changed'), 60_000)
})

test('keys by which programs act as the account stay, or are deleted with the password, and nobody else’s', async () => {
  const ada = await server.register()
  const grace = await server.register()
  const keyOf = async (person: Registered) =>
    (await person.call(createApiKey, { params: { pgid: person.pgid }, body: { name: 'Agent' } })).secret
  const keys = [await keyOf(ada), await keyOf(grace)]
  const used = () =>
    Promise.all(
      keys.map(async (key) => {
        const headers = { authorization: `Bearer ${key}`, accept: 'application/json, text/event-stream' }
        const call = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
        return (await (await server.guest()).send('POST', '/mcp', call, headers)).status
      }),
    )
  const first = await linkFor(ada)
  expect((await look(first)).api_keys).toEqual([{ name: 'Agent', project: 'My project' }])
  expect((await finish(first)).status).toBe(200)
  expect((await look(first)).api_keys).toEqual([])
  expect(await used()).toEqual([200, 200])
  const body = { token: tokenOf(await linkFor(ada)), password: 'another password', delete_api_keys: true }
  await (await server.guest()).call(finishReset, { body })
  expect(await used()).toEqual([401, 200])
})

test('a login with the old password that is under way opens no session once there is a new one', async () => {
  const ada = await server.register()
  const { email } = ada.user
  const { db } = server.context
  const guest = await server.guest()
  const isWaiting = async () => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
      where wait_event_type = 'Lock' and query like 'insert into "sessions"%' and datname = current_database()`.execute(
      db,
    )
    return rows[0]?.n
  }
  const under = await db.transaction().execute(async (trx) => {
    await trx.updateTable('users').set({ password_hash: 'another' }).where('email', '=', email).execute()
    const answer = guest.send('POST', '/api/auth/login', { email, password: ada.password })
    await expect.poll(isWaiting).toBe(1)
    return { answer }
  })
  expect((await under.answer).status).toBe(422)
  expect((await guest.send('GET', '/api/user')).status).toBe(401)
})

test('known or not, the answer is the same, and only who is known gets a mail', async () => {
  const ada = await server.register()
  const before = mails.mails.length
  const ask = async (email: string) => (await server.guest()).send('POST', '/api/auth/reset', { email })
  const unknown = await ask('nobody@example.com')
  const known = await ask(ada.user.email)
  expect([unknown.status, unknown.text]).toEqual([200, known.text])
  await vi.waitFor(() => expect(mailsTo(ada.user.email)).toHaveLength(1), 60_000)
  expect(mails.mails.length - before).toBe(1)
})

test('the answer waits for nothing that only a known address costs', async () => {
  const ada = await server.register()
  const { email } = ada.user
  await server.context.db.transaction().execute(async (trx) => {
    await sql`lock table password_resets in access exclusive mode`.execute(trx)
    expect((await (await server.guest()).send('POST', '/api/auth/reset', { email })).status).toBe(200)
    expect(mailsTo(email)).toEqual([])
  })
  await vi.waitFor(() => expect(mailsTo(email)).toHaveLength(1), 60_000)
})

test('a link works once, and takes all others of the account along', async () => {
  const ada = await server.register()
  const first = await linkFor(ada)
  const second = await linkFor(ada)
  expect((await look(first)).state).toBe('open')
  const answers = await Promise.all([finish(second), finish(second), finish(second)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  expect([await look(first), await look(second)]).toMatchObject([{ state: 'used', email: null }, { state: 'used' }])
  expect(await finish(first)).toMatchObject({
    status: 409,
    body: { data: 'This link was used already. Ask for a new one.' },
  })
})

test('a link lives an hour', async () => {
  const ada = await server.register()
  const link = await linkFor(ada)
  later(HOUR - 1)
  expect((await look(link)).state).toBe('open')
  later(1)
  expect((await look(link)).state).toBe('expired')
  expect(await finish(link)).toMatchObject({
    status: 409,
    body: { data: 'This link has expired. Ask for a new one.' },
  })
  expect((await finish('http://x/reset/guessed')).status).toBe(409)
})

test('too many requests are refused, known or not, and an hour brings one account five mails at most', async () => {
  const ada = await server.register()
  later(HOUR)
  const ask = async (email: string) => (await (await server.guest()).send('POST', '/api/auth/reset', { email })).status
  for (const email of [ada.user.email, 'nobody@example.com']) {
    expect([await ask(email), await ask(email), await ask(email), await ask(email)]).toEqual([200, 200, 200, 429])
  }
  later(MINUTE)
  expect([await ask(ada.user.email), await ask(ada.user.email), await ask(ada.user.email)]).toEqual([200, 200, 200])
  await vi.waitFor(() => expect(mailsTo(ada.user.email)).toHaveLength(5), 60_000)
  // another account's mail shows that the sixth has had its time
  await linkFor(await server.register())
  expect(mailsTo(ada.user.email)).toHaveLength(5)
})

test('no outbox and no table holds a link; without a mail server it is printed where the server runs', async () => {
  const printed: string[] = []
  const alone = await startTestServer({ print: (text) => printed.push(text) })
  const ada = await alone.register()
  expect(await (await alone.guest()).call(requestReset, { body: { email: 'nobody@example.com' } })).toEqual({
    by_mail: false,
  })
  await (await alone.guest()).call(requestReset, { body: { email: ada.user.email } })
  await vi.waitFor(() => expect(printed).toHaveLength(1), 60_000)
  const [, link = ''] = /^A new password for \S+, within an hour: (\S+)$/.exec(printed[0] ?? '') ?? []
  expect((await ada.call(listMails, { params: { pgid: ada.pgid } })).mails).toEqual([])
  const stored = await alone.context.db.selectFrom('password_resets').selectAll().execute()
  expect(stored.map(({ token_hash }) => token_hash.includes(tokenOf(link)))).toEqual([false])
  const guest = await alone.guest()
  await guest.call(finishReset, { body: { token: tokenOf(link), password: 'another password' } })
  expect((await ada.send('GET', '/api/user')).status).toBe(401)
  await alone.close()
})
