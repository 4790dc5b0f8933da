import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestClient } from '../../../tests/support/client'
import { createTestClock, type TestClock } from '../../../tests/support/clock'
import { codeOf, turnOnTwoFactor } from '../../../tests/support/codes'
import { type Directory, type IdentityProvider, startIdentityProvider } from '../../../tests/support/identityProvider'
import { settledPort, startTestDns, type TestDns } from '../../../tests/support/pebble'
import { inviteMember } from '../../../tests/support/people'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { tableDump } from '../../../tests/support/tableDump'
import { Role } from '../../access/roles'
import { SESSION_COOKIE } from '../../access/sessions'
import { currentUser } from '../../contracts/auth'
import { listMembers } from '../../contracts/members'
import * as contract from '../../contracts/signOn'
import { loginByCode } from '../../contracts/two-factor'
import { parseConfig } from '../../platform/config/config'
import { sweepJob } from '../../platform/jobs/sweeps'
import { parseNetworks } from '../../platform/outbound/addresses'

// From setting up a provider to the attacks on it, against oidc-provider. A long file: all of it uses one server, its
// DNS and two providers.

const DAY = 86_400
let dns: TestDns
let clock: TestClock
let server: TestServer
let owner: Registered
let idp: IdentityProvider
/** a member whose address is of no domain of the provider */
let guest: Registered
let other: Registered
let otherIdp: IdentityProvider
beforeAll(async () => {
  dns = await startTestDns()
  clock = createTestClock(new Date().toISOString())
  const port = await settledPort()
  server = await startTestServer({
    clock,
    config: {
      outboundAllow: parseNetworks('127.0.0.0/8'),
      publicUrl: `http://127.0.0.1:${port}`,
      domains: parseConfig({ DNS_SERVERS: dns.server }).domains,
    },
  })
  owner = await server.register({ email: 'owner@acme.example' })
  other = await server.register({ email: 'mallory@elsewhere.example' })
  idp = await startIdentityProvider([await redirectOf(owner)])
  otherIdp = await startIdentityProvider([await redirectOf(other)])
})
afterAll(async () => {
  await server?.close()
  await Promise.all([dns?.close(), idp?.close(), otherIdp?.close()])
})

const redirectOf = async (person: Registered) =>
  (await person.call(contract.readSignOn, { params: { pgid: person.pgid } })).redirect_address
const settings = ({ issuer, client }: IdentityProvider) => ({
  ...{ issuer, client_id: client.id, client_secret: client.secret, default_role: Role.VIEWER, role_claim: '' },
  role_map: [] as { value: string; role: 2 | 3 | 4 | 5 | 6 }[],
})
const save = (person: Registered, body: object) => {
  clock.pass(5)
  return person.send('POST', `/api/projects/${person.pgid}/sign-on`, body)
}
const fieldsOf = ({ body }: { body: { data?: unknown } }) => (body.data as { fields?: Record<string, string> }).fields

async function proveDomain(person: Registered, domain: string): Promise<string> {
  const params = { pgid: person.pgid }
  const { domains } = await person.call(contract.addSignOnDomain, { params, body: { domain } })
  const added = domains.find((each) => each.domain === domain)
  if (!added) throw new Error('it was not added')
  await dns.setText(added.record.name, added.record.value)
  await person.call(contract.checkSignOnDomain, { params: { ...params, gid: added.gid } })
  return added.gid
}

/** A person of the directory, who will sit before the browser next. */
function sit(at: IdentityProvider, sub: string, claims: Directory[string]): void {
  at.directory[sub] = { email_verified: true, ...claims }
  at.who = sub
}
async function begin(client: TestClient, email: string, next?: string): Promise<string> {
  // slower than the limit of a minute
  clock.pass(5)
  const body = { email, ...(next && { next }) }
  return (await client.call(contract.beginSignOn, { body })).url
}
/** Comes back from the provider. @returns where the server leads on to */
async function comeBack(client: TestClient, address: URL): Promise<string> {
  const answer = await client.send('GET', address.pathname + address.search)
  expect(answer.status, answer.text).toBe(302)
  return answer.headers.get('location') ?? ''
}
async function signOn(email: string, client?: TestClient): Promise<{ client: TestClient; to: string }> {
  const browser = client ?? (await server.guest())
  return { client: browser, to: await comeBack(browser, await idp.visit(await begin(browser, email))) }
}
const members = async () => (await owner.call(listMembers, { params: { pgid: owner.pgid } })).members
const memberBy = async (email: string) => (await members()).find((each) => each.email === email)
const chatbotsOf = async (client: TestClient) => {
  const { status, body } = await client.send('GET', `/api/projects/${owner.pgid}/chatbots`)
  return body.code ?? status
}

describe('setting it up', () => {
  test('what is wrong is said at its field, with what the provider says', async () => {
    expect(fieldsOf(await save(owner, { ...settings(idp), issuer: 'http://login.example.com' }))).toHaveProperty(
      'issuer',
    )
    expect(fieldsOf(await save(owner, { ...settings(idp), issuer: 'javascript:alert(1)' }))).toHaveProperty('issuer')
    const port = await settledPort()
    expect(fieldsOf(await save(owner, { ...settings(idp), issuer: `http://127.0.0.1:${port}` }))?.issuer).toMatch(
      /refused the connection/,
    )
    expect(fieldsOf(await save(owner, { ...settings(idp), client_secret: 'wrong' }))?.client_secret).toMatch(
      /invalid_client/,
    )
    expect(fieldsOf(await save(owner, { ...settings(idp), client_secret: undefined }))).toHaveProperty('client_secret')
    expect((await owner.call(contract.readSignOn, { params: { pgid: owner.pgid } })).connection).toBeNull()
  })

  test('an owner sets it up, and the secret is in no answer and not readable in the database', async () => {
    const answer = await save(owner, settings(idp))
    expect(answer.status, answer.text).toBe(200)
    const read = await owner.send('GET', `/api/projects/${owner.pgid}/sign-on`)
    expect(answer.text + read.text).not.toContain(idp.client.secret)
    expect(await tableDump(server.context.db)).not.toContain(idp.client.secret)
    // it is kept, for the same provider alone
    expect((await save(owner, { ...settings(idp), client_secret: undefined })).status).toBe(200)
    const elsewhere = await save(owner, { ...settings(otherIdp), client_secret: undefined })
    expect(fieldsOf(elsewhere)?.client_secret).toBe('Enter the client’s secret')
  })

  test('an administrator sees it and changes nothing', async () => {
    const admin = await inviteMember(server, owner, Role.ADMIN)
    guest = admin
    const at = `/api/projects/${owner.pgid}/sign-on`
    expect((await admin.send('GET', at)).status).toBe(200)
    expect((await admin.send('POST', at, settings(idp))).status).toBe(403)
    expect((await admin.send('PATCH', at, { required: true })).status).toBe(403)
    expect((await admin.send('DELETE', at)).status).toBe(403)
    expect((await admin.send('POST', `${at}/domains`, { domain: 'acme.example' })).status).toBe(403)
  })

  test('a domain counts once its TXT record is found, and in one project alone', async () => {
    const stranger = await server.guest()
    const wanted = await stranger.send('POST', contract.beginSignOn.path, { email: 'ann@acme.example' })
    expect(fieldsOf(wanted)).toHaveProperty('email')
    const params = { pgid: owner.pgid }
    expect(
      fieldsOf(await owner.send('POST', `/api/projects/${owner.pgid}/sign-on/domains`, { domain: 'co.uk' })),
    ).toHaveProperty('domain')
    const { domains } = await owner.call(contract.addSignOnDomain, { params, body: { domain: '@ACME.example' } })
    const at = `/api/projects/${owner.pgid}/sign-on/domains/${domains[0]?.gid}/check`
    expect(fieldsOf(await owner.send('POST', at))?.domain).toMatch(/not found/)
    await dns.setText('_parley-challenge.acme.example', 'something else')
    expect(fieldsOf(await owner.send('POST', at))?.domain).toMatch(/none with this value/)
    await dns.setText('_parley-challenge.acme.example', domains[0]?.record.value ?? '')
    expect((await owner.send('POST', at)).status).toBe(200)
    // another project that could write the record as well does not take it
    await save(other, settings(otherIdp))
    const theirs = await other.call(contract.addSignOnDomain, {
      params: { pgid: other.pgid },
      body: { domain: 'acme.example' },
    })
    await dns.setText('_parley-challenge.acme.example', theirs.domains[0]?.record.value ?? '')
    const taken = await other.send(
      'POST',
      `/api/projects/${other.pgid}/sign-on/domains/${theirs.domains[0]?.gid}/check`,
    )
    expect(fieldsOf(taken)?.domain).toMatch(/Another project/)
    await dns.setText('_parley-challenge.acme.example', domains[0]?.record.value ?? '')
  })
})

describe('signing on', () => {
  test('somebody new gets an account, the default role and a session that opens the project', async () => {
    sit(idp, 'ann', { email: 'Ann@acme.example', given_name: 'Ann', family_name: 'Lee' })
    const browser = await server.guest()
    const to = await comeBack(browser, await idp.visit(await begin(browser, 'ann@acme.example', '/projects?a=1')))
    expect(to).toBe('/projects?a=1')
    expect(await browser.call(currentUser)).toMatchObject({
      email: 'ann@acme.example',
      first_name: 'Ann',
      last_name: 'Lee',
    })
    expect(await chatbotsOf(browser)).toBe(200)
    expect(await memberBy('ann@acme.example')).toMatchObject({ roles: [Role.VIEWER] })
  })

  test.each(['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)'])(
    'it does not lead on to %s',
    async (next) => {
      sit(idp, 'ann', { email: 'ann@acme.example' })
      const browser = await server.guest()
      expect(await comeBack(browser, await idp.visit(await begin(browser, 'ann@acme.example', next)))).toBe('/')
    },
  )

  test('groups give the role, anew at each time, and never the owner’s', async () => {
    const role_map = [
      { value: 'editors', role: 3 as const },
      { value: 'analysts', role: 4 as const },
    ]
    await save(owner, { ...settings(idp), role_claim: 'groups', role_map })
    const rolesNow = async () => (await memberBy('ann@acme.example'))?.roles
    sit(idp, 'ann', { email: 'ann@acme.example', groups: ['analysts', 'editors', 'others'] })
    await signOn('ann@acme.example')
    expect(await rolesNow()).toEqual([3, 4])
    sit(idp, 'ann', { email: 'ann@acme.example', groups: 'editors' })
    await signOn('ann@acme.example')
    expect(await rolesNow()).toEqual([3])
    for (const groups of [[], undefined, { editors: true }, '__proto__', [['editors']]]) {
      sit(idp, 'ann', { email: 'ann@acme.example', groups })
      await signOn('ann@acme.example')
      expect(await rolesNow()).toEqual([Role.VIEWER])
    }
    expect(
      (await save(owner, { ...settings(idp), role_claim: 'groups', role_map: [{ value: 'x', role: 1 }] })).status,
    ).toBe(422)
    // the last owner stays one, whatever the groups say
    sit(idp, 'boss', { email: 'owner@acme.example', groups: ['analysts'] })
    await signOn('owner@acme.example')
    expect((await memberBy('owner@acme.example'))?.roles).toEqual([Role.OWNER])
    await save(owner, settings(idp))
  })

  test('what is not in the ID token is asked for', async () => {
    const thin = await startIdentityProvider([await redirectOf(owner)], { thin: true })
    await save(owner, settings(thin))
    sit(thin, 'thea', { email: 'thea@acme.example', given_name: 'Thea', family_name: 'Ode' })
    const browser = await server.guest()
    expect(await comeBack(browser, await thin.visit(await begin(browser, 'thea@acme.example')))).toBe('/')
    expect((await memberBy('thea@acme.example'))?.first_name).toBe('Thea')
    await thin.close()
    // the first provider's ids of people are asked for anew
    await save(owner, settings(idp))
  })

  test('whoever has a code of an app is asked for it, and the session is still one of the provider', async () => {
    const member = await server.register({ email: 'cody@acme.example' })
    const { secret } = await turnOnTwoFactor(member, clock())
    sit(idp, 'cody', { email: 'cody@acme.example' })
    const { client, to } = await signOn('cody@acme.example')
    expect(to).toBe('/sign-on?code=1&next=%2F')
    expect((await client.send('GET', '/api/user')).status).toBe(401)
    clock.pass(60)
    await client.call(loginByCode, { body: { code: codeOf(secret, clock()) } })
    const session = await server.context.db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select(['second_factor', 'sign_on_project_id'])
      .where('email', '=', 'cody@acme.example')
      .where('sign_on_project_id', 'is not', null)
      .execute()
    expect(session).toMatchObject([{ second_factor: 'code' }])
  })

  test('the audit log has who came, and what was set', async () => {
    const { rows } = await auditTypes()
    expect(rows).toEqual(
      expect.arrayContaining(['sign_on.changed', 'sign_on.domain_proven', 'sign_on.person_entered', 'member.joined']),
    )
  })
})

async function auditTypes() {
  const events = await server.context.db.selectFrom('events').select('type').distinct().execute()
  return { rows: events.map(({ type }) => type) }
}

describe('attacks', () => {
  test('another state, another browser, and an address that was used lead nowhere', async () => {
    sit(idp, 'ann', { email: 'ann@acme.example' })
    const browser = await server.guest()
    const address = await idp.visit(await begin(browser, 'ann@acme.example'))
    const altered = new URL(address)
    altered.searchParams.set('state', `${address.searchParams.get('state')}x`)
    expect(await comeBack(browser, altered)).toBe('/sign-on?problem=expired')
    // log-in forgery: the victim's browser follows the attacker's address
    expect(await comeBack(await server.guest(), address)).toBe('/sign-on?problem=expired')
    expect(await comeBack(browser, address)).toBe('/')
    const session = browser.cookies.get(SESSION_COOKIE)
    expect(await comeBack(browser, address)).toBe('/sign-on?problem=expired')
    expect(browser.cookies.get(SESSION_COOKIE)).toBe(session)
  })

  test('it takes ten minutes at most', async () => {
    const browser = await server.guest()
    const address = await idp.visit(await begin(browser, 'ann@acme.example'))
    clock.pass(601)
    expect(await comeBack(browser, address)).toBe('/sign-on?problem=expired')
  })

  test('a code is worth nothing a second time, nor in another attempt', async () => {
    const browser = await server.guest()
    const used = await idp.visit(await begin(browser, 'ann@acme.example'))
    expect(await comeBack(browser, used)).toBe('/')
    const victim = await server.guest()
    const begun = new URL(await begin(victim, 'ann@acme.example'))
    const replayed = new URL(used)
    replayed.searchParams.set('state', begun.searchParams.get('state') ?? '')
    expect(await comeBack(victim, replayed)).toBe('/sign-on?problem=provider')
    // a fresh code of the attacker's own log-in: its verifier is another's
    const attacker = await server.guest()
    const own = await idp.visit(await begin(attacker, 'ann@acme.example'))
    const again = new URL(await begin(victim, 'ann@acme.example'))
    own.searchParams.set('state', again.searchParams.get('state') ?? '')
    expect(await comeBack(victim, own)).toBe('/sign-on?problem=provider')
    expect((await victim.send('GET', '/api/user')).status).toBe(401)
  })

  test('an ID token with another nonce is refused', async () => {
    const browser = await server.guest()
    const url = new URL(await begin(browser, 'ann@acme.example'))
    url.searchParams.set('nonce', 'another-nonce')
    expect(await comeBack(browser, await idp.visit(url.href))).toBe('/sign-on?problem=provider')
  })

  test('an answer that names another provider is refused, and so is one at another project’s address', async () => {
    const browser = await server.guest()
    const mixed = await idp.visit(await begin(browser, 'ann@acme.example'))
    expect(mixed.searchParams.get('iss')).toBe(idp.issuer)
    mixed.searchParams.set('iss', otherIdp.issuer)
    expect(await comeBack(browser, mixed)).toBe('/sign-on?problem=provider')
    const elsewhere = await idp.visit(await begin(browser, 'ann@acme.example'))
    elsewhere.pathname = new URL(await redirectOf(other)).pathname
    expect(await comeBack(browser, elsewhere)).toBe('/sign-on?problem=expired')
  })

  test.each([false, undefined, 'true', 1])(
    'an address that the provider has not verified (%s) lets nobody in',
    async (email_verified) => {
      sit(idp, 'eve', { email: 'eve@acme.example', email_verified })
      expect((await signOn('eve@acme.example')).to).toBe('/sign-on?problem=unverified')
      expect(await memberBy('eve@acme.example')).toBeUndefined()
    },
  )

  test('a provider speaks for no address outside the domains that its project has proven', async () => {
    const victim = await server.register({ email: 'victim@bank.example' })
    for (const email of [
      'victim@bank.example',
      'x@sub.acme.example',
      'x@acme.example.evil.example',
      '"a@b"@bank.example',
    ]) {
      sit(idp, `of ${email}`, { email })
      expect((await signOn('ann@acme.example')).to, email).toMatch(/problem=(foreign_domain|unverified)$/)
    }
    expect((await victim.send('GET', '/api/user')).status).toBe(200)
    // a project whose claim is not proven is never asked, and its provider is not believed
    await proveDomain(other, 'elsewhere.example')
    sit(otherIdp, 'mallory', { email: 'owner@acme.example' })
    const browser = await server.guest()
    const address = await otherIdp.visit(await begin(browser, 'mallory@elsewhere.example'))
    expect(await comeBack(browser, address)).toBe('/sign-on?problem=foreign_domain')
    expect((await browser.send('GET', '/api/user')).status).toBe(401)
  })

  test('an address that was given to somebody else opens nothing of who had it', async () => {
    sit(idp, 'newcomer', { email: 'ann@acme.example' })
    expect((await signOn('ann@acme.example')).to).toBe('/sign-on?problem=other_person')
    // nor does the provider's id, once the account's address is elsewhere
    await server.context.db
      .updateTable('users')
      .set({ email: 'ann@home.example' })
      .where('email', '=', 'ann@acme.example')
      .execute()
    sit(idp, 'ann', { email: 'ann@acme.example' })
    expect((await signOn('ann@acme.example')).to).toBe('/sign-on?problem=foreign_domain')
    await server.context.db
      .updateTable('users')
      .set({ email: 'ann@acme.example' })
      .where('email', '=', 'ann@home.example')
      .execute()
  })

  test('a suspended account stays out, and so does everybody where the provider says no', async () => {
    const suspend = (at: Date | null) =>
      server.context.db.updateTable('users').set({ suspended_at: at }).where('email', '=', 'ann@acme.example').execute()
    await suspend(clock())
    sit(idp, 'ann', { email: 'ann@acme.example' })
    expect((await signOn('ann@acme.example')).to).toBe('/sign-on?problem=suspended')
    await suspend(null)
    const browser = await server.guest()
    const state = new URL(await begin(browser, 'ann@acme.example')).searchParams.get('state') ?? ''
    const refused = new URL(await redirectOf(owner))
    refused.search = new URLSearchParams({ error: 'access_denied', state }).toString()
    expect(await comeBack(browser, refused)).toBe('/sign-on?problem=refused')
  })
})

describe('people who make an account', () => {
  const names = { first_name: 'Joe', last_name: 'Doe', password: 'correct horse battery' }
  const register = async (email: string, more: object = {}) =>
    (await server.guest()).send('POST', '/api/auth/register', { ...names, email, ...more })
  const setJoining = (joining: contract.Joining) =>
    owner.call(contract.changeJoining, { params: { pgid: owner.pgid }, body: { joining } })

  test('with an address of the domain are asked to come in by the provider, or have to', async () => {
    await setJoining('ask')
    expect((await register('joe@acme.example')).body.code).toBe('organisation_asks')
    expect((await register('joe@acme.example', { own_account: true })).status).toBe(200)
    // nobody is a member by an address that they typed
    expect(await memberBy('joe@acme.example')).toBeUndefined()
    await setJoining('must')
    expect((await register('jim@ACME.example', { own_account: true })).body.code).toBe('organisation_needed')
    expect((await register('jim@sub.acme.example')).status).toBe(200)
    sit(idp, 'jim', { email: 'jim@acme.example' })
    expect((await signOn('jim@acme.example')).to).toBe('/')
    expect(await memberBy('jim@acme.example')).toBeDefined()
  })

  test('with an address of a domain that is not proven are not', async () => {
    const params = { pgid: other.pgid }
    await other.call(contract.addSignOnDomain, { params, body: { domain: 'claimed.example' } })
    await other.call(contract.changeJoining, { params, body: { joining: 'must' } })
    expect((await register('kim@claimed.example')).status).toBe(200)
    await setJoining('off')
    expect((await register('lea@acme.example')).status).toBe(200)
  })
})

describe('only by the provider', () => {
  const require = (person: Registered, required: boolean) =>
    person.send('PATCH', `/api/projects/${owner.pgid}/sign-on`, { required })

  test('an owner who came by a password does not lock themselves out', async () => {
    expect((await require(owner, true)).status).toBe(409)
    sit(idp, 'boss', { email: 'owner@acme.example' })
    const { client } = await signOn('owner@acme.example')
    expect((await require(client as Registered, true)).status).toBe(200)
  })

  test('a member of the domain does not open the project by a password, and guests of it do', async () => {
    expect(await chatbotsOf(guest)).toBe(200)
    expect(await chatbotsOf(owner)).toBe('sign_on_required')
    sit(idp, 'boss', { email: 'owner@acme.example' })
    const { client } = await signOn('owner@acme.example')
    expect(await chatbotsOf(client)).toBe(200)
    // an address elsewhere is no way around it for whom the provider has brought
    await server.context.db
      .updateTable('users')
      .set({ email: 'o@home.example' })
      .where('email', '=', 'owner@acme.example')
      .execute()
    expect(await chatbotsOf(owner)).toBe('sign_on_required')
    await server.context.db
      .updateTable('users')
      .set({ email: 'owner@acme.example' })
      .where('email', '=', 'o@home.example')
      .execute()
    // their own other projects are none of this one's
    expect((await owner.send('GET', '/api/user')).status).toBe(200)
  })

  test('a session of the provider counts as a second factor in its project, and in no other', async () => {
    const second = (pgid: string, on: boolean) =>
      server.context.db.updateTable('projects').set({ second_factor_required: on }).where('gid', '=', pgid).execute()
    sit(idp, 'boss', { email: 'owner@acme.example' })
    const { client } = await signOn('owner@acme.example')
    await second(owner.pgid, true)
    expect(await chatbotsOf(client)).toBe(200)
    const { body } = await client.send('POST', '/api/projects', { name: 'Another' })
    const { gid } = (body.data as { project: { gid: string } }).project
    await second(gid, true)
    expect((await client.send('GET', `/api/projects/${gid}/chatbots`)).body.code).toBe('second_factor_required')
    await second(owner.pgid, false)
  })

  test('a domain whose record is gone for a week proves nothing any more', async () => {
    await dns.setText('_parley-challenge.acme.example', null)
    const sweep = async () => {
      clock.pass(DAY + 60)
      await server.context.jobs.schedule(server.context.db, sweepJob('check-sign-on-domains'), {
        ...{ key: 'check-sign-on-domains', payload: null, runAt: clock(), projectId: null },
      })
      await server.context.jobs.runDue()
    }
    await sweep()
    expect((await begun('ann@acme.example')).status).toBe(200)
    for (let day = 0; day < 7; day++) await sweep()
    expect((await begun('ann@acme.example')).status).toBe(422)
    expect(await chatbotsOf(owner)).toBe(200)
  })

  const begun = async (email: string) => (await server.guest()).send('POST', contract.beginSignOn.path, { email })
})
