import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDevice, createAuthenticator } from '../../../../tests/support/authenticator'
import { turnOnTwoFactor } from '../../../../tests/support/codes'
import { type MailServer, mailTo, startMailServer } from '../../../../tests/support/mailServer'
import { inviteMember } from '../../../../tests/support/people'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { Role } from '../../../access/roles'
import { createApiKey } from '../../../contracts/api-keys'
import { login } from '../../../contracts/auth'
import { listMembers } from '../../../contracts/members'
import * as contract from '../../../contracts/passkeys'
import { deleteAccount, readAccountData } from '../../../contracts/profile'
import { bringsCertificates } from './verify'

const SITE = 'https://parley.test'
const CHAT = 'https://chat.parley.test'
const MINUTE = 60_000
let mails: MailServer
let server: TestServer
let now = new Date('2030-01-01T00:00:00Z')
beforeAll(async () => {
  mails = await startMailServer()
  server = await startTestServer({
    clock: () => now,
    config: {
      ...{ publicUrl: SITE, chatUrl: CHAT },
      ...{ smtpUrl: `smtp://127.0.0.1:${mails.port}`, mailFrom: { name: 'Parley', address: 'bot@example.com' } },
    },
  })
})
afterAll(() => Promise.all([server.close(), mails.close()]))
// limits of addresses are those of one minute
beforeEach(() => later(2 * MINUTE))
const later = (ms: number) => {
  now = new Date(now.getTime() + ms)
}

/** A new browser in which a log-in was begun. */
async function begin() {
  const guest = await server.guest()
  const { options } = await guest.call(contract.beginPasskeyLogin)
  const enter = (signed: contract.SignedByPasskey) => guest.send('POST', contract.loginByPasskey.path, { signed })
  return { guest, options, enter }
}
const sessionsOf = (person: Registered) =>
  server.context.db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select('second_factor')
    .where('users.gid', '=', person.user.ui)
    .orderBy('sessions.created_at')
    .execute()

test('a passkey logs in without password and code, as a second factor, and mails tell', async () => {
  const ada = await server.register()
  await turnOnTwoFactor(ada, now)
  const { device, passkey } = await addDevice(ada, SITE)
  expect(await ada.call(contract.listPasskeys)).toEqual({ passkeys: [{ ...passkey, name: 'Phone', used_at: null }] })
  await mailTo(mails, ada.user.email, 'A passkey was added')
  later(MINUTE)
  const { guest, options, enter } = await begin()
  // nothing is said of accounts to who has only begun
  expect(options).toMatchObject({ rpId: 'parley.test', userVerification: 'required' })
  expect(options).not.toHaveProperty('allowCredentials')
  expect(await enter(device.sign(options))).toMatchObject({ status: 200, body: { data: { user: ada.user } } })
  expect((await guest.send('GET', '/api/user')).status).toBe(200)
  expect((await sessionsOf(ada)).map(({ second_factor }) => second_factor)).toEqual(['code', 'passkey'])
  expect((await ada.call(contract.listPasskeys)).passkeys).toMatchObject([{ used_at: now.toISOString() }])
  await mailTo(mails, ada.user.email, 'New log-in to your account')
  expect((await ada.call(readAccountData)).passkeys).toMatchObject([{ name: 'Phone' }])
})

describe('an answer is refused', () => {
  let ada: Registered
  let device: ReturnType<typeof createAuthenticator>
  beforeAll(async () => {
    ada = await server.register()
    ;({ device } = await addDevice(ada, SITE))
  })
  test.each<[string, Parameters<typeof device.sign>[1]]>([
    ['from a page elsewhere', { origin: 'https://elsewhere.test' }],
    ['from a page of visitors’ chats, which browsers let ask', { origin: CHAT }],
    ['from a page without https', { origin: 'http://parley.test' }],
    ['for another host', { rpId: 'elsewhere.test' }],
    ['for the host of chats', { rpId: 'chat.parley.test' }],
    ['without a look at who the person is', { verified: false }],
    ['that was made to add a passkey', { type: 'webauthn.create' }],
    ['for another account than the key’s', { userHandle: Buffer.from('somebody').toString('base64url') }],
  ])('%s', async (_, otherwise) => {
    const { guest, options, enter } = await begin()
    expect(await enter(device.sign(options, otherwise))).toMatchObject({ status: 422, body: { code: 'credentials' } })
    expect((await guest.send('GET', '/api/user')).status).toBe(401)
    // its challenge is gone with it
    expect((await enter(device.sign(options))).status).toBe(409)
  })

  test('of a key that nobody has added, in the same words', async () => {
    const stranger = createAuthenticator(SITE)
    const { options, enter } = await begin()
    const unknown = await enter(stranger.sign(options, { userHandle: Buffer.from(ada.user.ui).toString('base64url') }))
    const other = await begin()
    const wrong = await other.enter(device.sign(other.options, { verified: false }))
    expect([unknown.status, unknown.text]).toEqual([wrong.status, wrong.text])
  })

  test('signed by another key than the one of its name', async () => {
    const stranger = createAuthenticator(SITE)
    const { options, enter } = await begin()
    const { credential, userHandle } = device.sign(options)
    expect((await enter({ ...stranger.sign(options), credential, userHandle })).status).toBe(422)
  })

  test('a second time, in another browser, after five minutes, and to a challenge that nobody gave', async () => {
    const first = await begin()
    const signed = device.sign(first.options)
    const other = await begin()
    expect((await other.enter(signed)).status).toBe(409)
    expect((await first.enter(signed)).status).toBe(200)
    await first.guest.send('POST', '/api/auth/logout', {})
    await first.guest.send('GET', '/api/csrf-cookie')
    expect((await first.enter(signed)).status).toBe(409)
    const late = await begin()
    later(5 * MINUTE)
    expect((await late.enter(device.sign(late.options))).status).toBe(409)
    const { options, enter } = await begin()
    expect((await enter(device.sign(options, { challenge: 'bWFkZS11cA' }))).status).toBe(409)
    expect((await enter({ ...device.sign(options), clientDataJSON: 'bm9uZQ' })).status).toBe(409)
  })

  test('to a challenge for another purpose: adding is no log-in, and a log-in no adding', async () => {
    const { options: toAdd } = await ada.call(contract.beginPasskey, { body: { current: ada.password } })
    const guest = await server.guest()
    guest.cookies.set('parley_passkey', ada.cookies.get('parley_passkey') ?? '')
    const signed = device.sign(toAdd)
    expect((await guest.send('POST', contract.loginByPasskey.path, { signed })).status).toBe(409)

    const { guest: other, options: toLogIn } = await begin()
    ada.cookies.set('parley_passkey', other.cookies.get('parley_passkey') ?? '')
    const made = createAuthenticator(SITE).make({ ...toLogIn, user: { id: 'YQ' } })
    expect((await ada.send('POST', contract.addPasskey.path, { name: 'Mine', made })).status).toBe(409)
  })
})

test('adding takes the password, a device that looks who it is, the right page, and one’s own challenge', async () => {
  const [ada, eva] = [await server.register(), await server.register()]
  const wrong = await ada.send('POST', contract.beginPasskey.path, { current: 'not mine' })
  expect(wrong).toMatchObject({ status: 422, body: { data: { fields: { current: expect.any(String) } } } })
  const tried = async (otherwise: Parameters<ReturnType<typeof createAuthenticator>['make']>[1]) => {
    const { options } = await ada.call(contract.beginPasskey, { body: { current: ada.password } })
    const made = createAuthenticator(SITE).make(options, otherwise)
    return (await ada.send('POST', contract.addPasskey.path, { name: 'Phone', made })).body.data
  }
  const refused = expect.stringContaining('could not be verified')
  expect(await tried({ verified: false })).toEqual(refused)
  expect(await tried({ origin: CHAT })).toEqual(refused)
  expect(await tried({ rpId: 'elsewhere.test' })).toEqual(refused)
  expect(await tried({ type: 'webauthn.get' })).toEqual(refused)
  // in the same browser, somebody else’s
  const { options } = await ada.call(contract.beginPasskey, { body: { current: ada.password } })
  eva.cookies.set('parley_passkey', ada.cookies.get('parley_passkey') ?? '')
  const made = createAuthenticator(SITE).make(options)
  expect((await eva.send('POST', contract.addPasskey.path, { name: 'Phone', made })).status).toBe(409)
  expect(await ada.call(contract.listPasskeys)).toEqual({ passkeys: [] })
})

test('an answer with certificates is refused before anybody looks at them', async () => {
  const made = (otherwise: Parameters<ReturnType<typeof createAuthenticator>['make']>[1]) =>
    createAuthenticator(SITE).make({ challenge: 'YQ', user: { id: 'YQ' } }, otherwise).attestationObject
  expect(await bringsCertificates(made({}))).toBe(false)
  expect(await bringsCertificates(made({ format: 'packed' }))).toBe(false)
  expect(await bringsCertificates(made({ format: 'packed', certificates: true }))).toBe(true)
  expect(await bringsCertificates(made({ format: 'android-key', certificates: true }))).toBe(true)
  expect(await bringsCertificates(made({ format: 'apple' }))).toBe(true)
})

test('a key is added once, browsers are told which there are, and twenty are the most', async () => {
  const [ada, eva] = [await server.register(), await server.register()]
  const { device } = await addDevice(ada, SITE)
  const { options } = await eva.call(contract.beginPasskey, { body: { current: eva.password } })
  const again = await eva.send('POST', contract.addPasskey.path, { name: 'Phone', made: device.make(options) })
  expect(again).toMatchObject({ status: 409, body: { data: 'This passkey was added already.' } })
  const { id: user_id } = await server.context.db
    .selectFrom('users')
    .select('id')
    .where('gid', '=', ada.user.ui)
    .executeTakeFirstOrThrow()
  const others = Array.from({ length: contract.MOST_PASSKEYS - 2 }, (_, at) => ({
    ...{ gid: `other${at}`, user_id, name: 'Other', credential_id: `other${at}` },
    ...{ public_key: Buffer.from('key'), counter: 0, created_at: now },
  }))
  await server.context.db.insertInto('passkeys').values(others).execute()
  const begun = await ada.call(contract.beginPasskey, { body: { current: ada.password } })
  expect(begun.options.excludeCredentials).toHaveLength(contract.MOST_PASSKEYS - 1)
  await addDevice(ada, SITE)
  const made = createAuthenticator(SITE).make(begun.options)
  expect((await ada.send('POST', contract.addPasskey.path, { name: 'Late', made })).status).toBe(409)
  later(MINUTE)
  expect((await ada.send('POST', contract.beginPasskey.path, { current: ada.password })).status).toBe(409)
})

test('a device that counts has to count on: a copy of its key is refused, and its person is told', async () => {
  const ada = await server.register()
  const { device } = await addDevice(ada, SITE, { counter: 5 })
  const counting = async (counter: number) => {
    const { options, enter } = await begin()
    return (await enter(device.sign(options, { counter }))).status
  }
  expect(await counting(6)).toBe(200)
  // who has not got the key raises no alarm
  const { options, enter } = await begin()
  const { credential, userHandle } = device.sign(options)
  const forged = createAuthenticator(SITE).sign(options, { counter: 1 })
  expect((await enter({ ...forged, credential, userHandle })).status).toBe(422)
  expect(mails.mails.filter(({ subject }) => subject === 'A passkey was refused')).toEqual([])
  expect(await counting(6)).toBe(422)
  expect(await counting(0)).toBe(422)
  await mailTo(mails, ada.user.email, 'A passkey was refused')
  expect(await counting(9)).toBe(200)
})

test('a removed passkey, and one of a suspended or deleted account, logs nobody in', async () => {
  const ada = await server.register()
  const { device, passkey } = await addDevice(ada, SITE)
  const status = async () => {
    const { options, enter } = await begin()
    const answer = await enter(device.sign(options))
    return [answer.status, answer.body.code]
  }
  const suspended = (suspended_at: Date | null) =>
    server.context.db.updateTable('users').set({ suspended_at }).where('gid', '=', ada.user.ui).execute()
  await suspended(now)
  expect(await status()).toEqual([403, 'account_suspended'])
  await suspended(null)

  const path = contract.removePasskey.path.replace(':gid', passkey.gid)
  expect((await ada.send('POST', path, { current: 'not mine' })).status).toBe(422)
  const away = await begin()
  await away.enter(device.sign(away.options))
  const other = await server.guest()
  await other.call(login, { body: { email: ada.user.email, password: ada.password } })
  expect((await ada.send('POST', path, { current: ada.password })).status).toBe(200)
  // what a passkey had opened elsewhere is closed, and the own session is one of the password
  expect((await away.guest.send('GET', '/api/user')).status).toBe(401)
  expect((await sessionsOf(ada)).map(({ second_factor }) => second_factor)).toEqual([null, null])
  expect(await status()).toEqual([422, 'credentials'])
  await mailTo(mails, ada.user.email, 'A passkey was removed')

  const { device: second } = await addDevice(ada, SITE)
  await ada.call(deleteAccount, { body: { current: ada.password } })
  const { options, enter } = await begin()
  expect((await enter(second.sign(options))).status).toBe(422)
})

test('names are changed by whose passkey it is alone', async () => {
  const [ada, eva] = [await server.register(), await server.register()]
  const { passkey } = await addDevice(ada, SITE)
  const path = contract.renamePasskey.path.replace(':gid', passkey.gid)
  expect((await eva.send('PATCH', path, { name: 'Mine' })).status).toBe(404)
  expect((await eva.send('POST', `${path}/remove`, { current: eva.password })).status).toBe(404)
  expect((await ada.send('PATCH', path, { name: 'Work phone' })).status).toBe(200)
  expect((await ada.call(contract.listPasskeys)).passkeys).toMatchObject([{ name: 'Work phone' }])
})

test('a project that requires a second factor opens by a passkey, to sessions and to keys of its holder', async () => {
  const owner = await server.register()
  const editor = await inviteMember(server, owner, Role.ADMIN)
  const chatbots = `/api/projects/${owner.pgid}/chatbots`
  const body = { name: 'Till', scope: 'read' } as const
  const { secret } = await editor.call(createApiKey, { params: { pgid: owner.pgid }, body })
  const headers = { authorization: `Bearer ${secret}` }
  const byKey = async () => (await fetch(`${server.url}/api/v1/chatbots`, { headers })).status
  await addDevice(owner, SITE)
  // who adds a passkey has proved it in this session
  const rule = await owner.send('PATCH', `/api/projects/${owner.pgid}/sign-in-rule`, { second_factor_required: true })
  expect(rule.status).toBe(200)
  expect([(await editor.send('GET', chatbots)).status, await byKey()]).toEqual([403, 403])
  const { device } = await addDevice(editor, SITE)
  expect([(await editor.send('GET', chatbots)).status, await byKey()]).toEqual([200, 200])
  const byPassword = await server.guest()
  await byPassword.call(login, { body: { email: editor.user.email, password: editor.password } })
  expect((await byPassword.send('GET', chatbots)).status).toBe(403)
  const { guest, options, enter } = await begin()
  await enter(device.sign(options))
  expect((await guest.send('GET', chatbots)).status).toBe(200)
  expect((await owner.call(listMembers, { params: { pgid: owner.pgid } })).without_second_factor).toEqual([])
})

test('failures are limited by address, and answers by size', async () => {
  const device = createAuthenticator(SITE)
  const { options, enter } = await begin()
  const signed = device.sign(options, { userHandle: 'YQ' })
  expect((await enter({ ...signed, signature: 'a'.repeat(8_001) })).status).toBe(422)
  expect((await enter({ ...signed, signature: 'a'.repeat(40_000) })).status).toBe(413)
  const statuses = []
  for (let at = 0; at < 31; at++) statuses.push((await enter(signed)).status)
  expect(statuses[0]).toBe(422)
  expect(statuses.at(-1)).toBe(429)
  expect(statuses.filter((status) => status === 429)).toHaveLength(1)
})
