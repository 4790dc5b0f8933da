import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestClock, type TestClock } from '../../../../tests/support/clock'
import { inviteMember } from '../../../../tests/support/people'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { tableDump } from '../../../../tests/support/tableDump'
import { Role } from '../../../access/roles'
import { hashToken } from '../../../access/tokens'
import { listMembers } from '../../../contracts/members'
import { createScimToken, deleteScimToken, readSignOn } from '../../../contracts/signOn'
import { userFilter } from './filter'
import { SCIM_PATH } from './serveScim'

/** An organisation's directory tells of its people, by SCIM. */
let server: TestServer
let clock: TestClock
let owner: Registered
let token: string
let other: Registered
let otherToken: string
beforeAll(async () => {
  clock = createTestClock()
  server = await startTestServer({ clock })
  owner = await server.register({ email: 'owner@acme.example' })
  other = await server.register({ email: 'other@beta.example' })
  token = await tokenOf(owner)
  otherToken = await tokenOf(other)
  await prove(owner, 'acme.example')
  await prove(other, 'beta.example')
})
afterAll(() => server.close())

const tokenOf = async (person: Registered) =>
  (await person.call(createScimToken, { params: { pgid: person.pgid } })).token
const projectIdOf = async ({ pgid }: Registered) =>
  (await server.context.db.selectFrom('projects').select('id').where('gid', '=', pgid).executeTakeFirstOrThrow()).id
/** As if its TXT record was found: signOn.test.ts asks name servers. */
async function prove(person: Registered, domain: string): Promise<void> {
  const project_id = await projectIdOf(person)
  const values = { gid: server.context.ids(), project_id, domain, challenge: 'a record', created_at: clock() }
  await server.context.db
    .insertInto('sign_on_domains')
    .values({ ...values, proven_at: clock() })
    .execute()
}

async function scim(method: string, path: string, body?: unknown, by = token) {
  const answer = await fetch(`${server.url}${SCIM_PATH}${path}`, {
    method,
    headers: { authorization: `Bearer ${by}`, ...(body !== undefined && { 'content-type': 'application/scim+json' }) },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  // biome-ignore lint/suspicious/noExplicitAny: what a directory reads of it
  return { status: answer.status, headers: answer.headers, body: (text ? JSON.parse(text) : {}) as any }
}
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const user = (userName: string, more: object = {}) => ({ schemas: [USER], userName, ...more })
const patch = (id: string, ...Operations: object[]) =>
  scim('PATCH', `/Users/${id}`, { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations })
const members = async () => (await owner.call(listMembers, { params: { pgid: owner.pgid } })).members
const rolesOf = async (email: string) => (await members()).find((each) => each.email === email)?.roles

describe('a directory', () => {
  test('reads what the service can do', async () => {
    const { status, headers, body } = await scim('GET', '/ServiceProviderConfig')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^application\/scim\+json/)
    expect(body).toMatchObject({ patch: { supported: true }, bulk: { supported: false }, filter: { supported: true } })
    const types = (await scim('GET', '/ResourceTypes')).body
    expect(types).toMatchObject({
      totalResults: 2,
      Resources: [{ name: 'User', endpoint: '/Users' }, { name: 'Group' }],
    })
    const schemas = (await scim('GET', '/Schemas')).body
    expect(schemas.Resources.map(({ id }: { id: string }) => id)).toEqual([USER, USER.replace('User', 'Group')])
    // each is where it says that it is
    for (const each of [...types.Resources, ...schemas.Resources]) {
      const path = each.meta.location.split(SCIM_PATH)[1]
      expect((await scim('GET', path)).body, path).toEqual(each)
    }
    for (const path of ['/Bulk', '/Schemas/x', '/ResourceTypes/x']) expect((await scim('GET', path)).status).toBe(404)
  })

  test('adds a person, finds, changes, deactivates and deletes them', async () => {
    const emails = [{ value: 'Ann@acme.example', primary: true }]
    const name = { givenName: 'Ann', familyName: 'Lee' }
    const made = await scim('POST', '/Users', user('ann', { externalId: 'x-1', emails, name, active: true }))
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const { id } = made.body
    expect(made.headers.get('location')).toBe(made.body.meta.location)
    expect(made.body).toMatchObject({ schemas: [USER], userName: 'ann', externalId: 'x-1', name, active: true })
    expect(await rolesOf('ann@acme.example')).toEqual([Role.VIEWER])

    for (const filter of ['userName eq "ANN"', 'externalId eq "x-1"', 'emails.value eq "ann@acme.example"']) {
      const { body } = await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`)
      expect(body, filter).toMatchObject({ totalResults: 1, startIndex: 1, Resources: [{ id }] })
    }
    expect((await scim('GET', '/Users?filter=userName%20eq%20%22nobody%22')).body.totalResults).toBe(0)
    expect((await scim('GET', `/Users/${id}`)).body).toMatchObject({ id, userName: 'ann' })

    const put = await scim('PUT', `/Users/${id}`, user('ann.lee', { emails, roles: [{ value: 'editor' }] }))
    expect(put.body).toMatchObject({ userName: 'ann.lee', roles: [{ value: 'Editor' }] })
    expect(put.body.externalId).toBeUndefined()
    expect(await rolesOf('ann@acme.example')).toEqual([Role.EDITOR])
    await patch(id, { op: 'Replace', path: 'roles', value: ['Analyst'] }, { op: 'add', value: { externalId: 'x-2' } })
    expect(await rolesOf('ann@acme.example')).toEqual([Role.ANALYST])

    // as Entra ID sends it
    expect((await patch(id, { op: 'Replace', path: 'active', value: 'False' })).body.active).toBe(false)
    expect(await rolesOf('ann@acme.example')).toBeUndefined()
    expect((await patch(id, { op: 'replace', value: { active: true } })).body.active).toBe(true)
    expect(await rolesOf('ann@acme.example')).toEqual([Role.VIEWER])

    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204)
    expect((await scim('GET', `/Users/${id}`)).status).toBe(404)
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(404)
    expect(await rolesOf('ann@acme.example')).toBeUndefined()
  })

  test('ends the sessions that the project’s provider has opened, and no others', async () => {
    const bob = await server.register({ email: 'bob@acme.example' })
    const elsewhere = await server.guest()
    await elsewhere.send('POST', '/api/auth/login', { email: 'bob@acme.example', password: bob.password })
    const { id } = (await scim('POST', '/Users', user('bob@acme.example'))).body
    await server.context.db
      .updateTable('sessions')
      .set({ sign_on_project_id: await projectIdOf(owner) })
      .where('token_hash', '=', hashToken(elsewhere.cookies.get('parley_session') ?? ''))
      .execute()
    expect((await elsewhere.send('GET', `/api/projects/${owner.pgid}/chatbots`)).status).toBe(200)
    await patch(id, { op: 'replace', path: 'active', value: false })
    expect((await elsewhere.send('GET', '/api/user')).status).toBe(401)
    expect((await bob.send('GET', '/api/user')).status).toBe(200)
    expect((await bob.send('GET', `/api/projects/${owner.pgid}/chatbots`)).status).toBe(404)
  })

  test('lists in pages, and counts', async () => {
    for (const name of ['p1', 'p2', 'p3']) await scim('POST', '/Users', user(`${name}@acme.example`))
    const { body: all } = await scim('GET', '/Users?count=0')
    expect(all).toMatchObject({ itemsPerPage: 0, Resources: [] })
    const { body } = await scim('GET', `/Users?startIndex=${all.totalResults}&count=5`)
    expect(body).toMatchObject({ totalResults: all.totalResults, itemsPerPage: 1 })
  })

  test('is told what is wrong', async () => {
    const wrong = async (status: number, scimType: string | undefined, ...call: Parameters<typeof scim>) => {
      const answer = await scim(...call)
      expect(answer.body, call.join(' ')).toMatchObject({ status: String(status), ...(scimType && { scimType }) })
      expect(answer.status).toBe(status)
    }
    await wrong(409, 'uniqueness', 'POST', '/Users', user('p1@acme.example'))
    await wrong(400, 'invalidValue', 'POST', '/Users', user('eve@bank.example'))
    await wrong(400, 'invalidValue', 'POST', '/Users', user('not an address'))
    await wrong(400, 'invalidValue', 'POST', '/Users', { schemas: [USER] })
    await wrong(400, 'invalidValue', 'POST', '/Users', user('o@acme.example', { roles: ['Owner'] }))
    await wrong(400, 'invalidSyntax', 'POST', '/Users', '{broken')
    await wrong(400, 'invalidFilter', 'GET', '/Users?filter=userName%20co%20%22a%22')
    await wrong(400, 'invalidValue', 'POST', '/Users', user('x'.repeat(400)))
    await wrong(413, undefined, 'POST', '/Users', user('big@acme.example', { note: 'x'.repeat(260_000) }))
    const { Resources } = (await scim('GET', '/Users?filter=userName%20eq%20%22p1@acme.example%22')).body
    const [{ id }] = Resources
    expect((await patch(id, { op: 'replace', path: 'active', value: 'perhaps' })).body.scimType).toBe('invalidValue')
    const moved = { op: 'replace', path: 'emails[type eq "work"].value', value: 'eve@bank.example' }
    expect((await patch(id, moved)).body.scimType).toBe('mutability')
    expect((await patch(id, { op: 'replace', path: 'userName', value: 'p2@acme.example' })).status).toBe(409)
  })
})

describe('a project', () => {
  test('keeps its last owner, whatever the directory says', async () => {
    const { id } = (await scim('POST', '/Users', user('owner@acme.example', { roles: ['Viewer'] }))).body
    expect(await rolesOf('owner@acme.example')).toEqual([Role.OWNER])
    expect((await patch(id, { op: 'replace', path: 'active', value: false })).status).toBe(409)
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(409)
    expect(await rolesOf('owner@acme.example')).toEqual([Role.OWNER])
  })

  test('is open to its own token alone, and its people to nobody else’s', async () => {
    const { id } = (await scim('POST', '/Users', user('kit@acme.example'))).body
    for (const [method, body] of [['GET'], ['PUT', user('x')], ['DELETE']] as const)
      expect((await scim(method, `/Users/${id}`, body, otherToken)).status).toBe(404)
    expect((await scim('GET', '/Users', undefined, otherToken)).body.totalResults).toBe(0)
    expect((await scim('POST', '/Users', user('kit2@acme.example'), otherToken)).status).toBe(400)
    expect(await rolesOf('kit@acme.example')).toBeDefined()
    for (const by of ['wrong'.repeat(8), `${token}x`, ''])
      expect((await scim('GET', '/Users', undefined, by)).status).toBe(401)
  })

  test('gives its token to owners, once, and the database has its hash', async () => {
    const at = `/api/projects/${owner.pgid}/sign-on/scim-token`
    const admin = await inviteMember(server, owner, Role.ADMIN)
    expect((await admin.send('POST', at, {})).status).toBe(403)
    expect((await admin.send('DELETE', at)).status).toBe(403)
    expect(await tableDump(server.context.db)).not.toContain(token)
    const read = await owner.send('GET', `/api/projects/${owner.pgid}/sign-on`)
    expect(read.text).not.toContain(token)
    const renewed = await tokenOf(owner)
    expect((await scim('GET', '/Users')).status).toBe(401)
    expect((await scim('GET', '/Users', undefined, renewed)).status).toBe(200)
    const { scim: state } = await owner.call(readSignOn, { params: { pgid: owner.pgid } })
    expect(state?.last_used_at).not.toBeNull()
    await owner.call(deleteScimToken, { params: { pgid: owner.pgid } })
    expect((await scim('GET', '/Users', undefined, renewed)).status).toBe(401)
  })

  test('has what the directory did in its events', async () => {
    const events = await server.context.db
      .selectFrom('events')
      .select(['type', 'actor', 'address'])
      .where('type', 'like', 'sign_on.person_%')
      .execute()
    expect(new Set(events.map(({ type }) => type))).toEqual(
      new Set(['sign_on.person_provisioned', 'sign_on.person_deprovisioned']),
    )
    expect(events.every(({ actor, address }) => actor === 'system' && address !== null)).toBe(true)
  })

  test('that is full takes nobody', async () => {
    const free = server.context.db.updateTable('projects').set({ plan_id: 'free' }).where('gid', '=', other.pgid)
    await free.execute()
    const answer = await scim('POST', '/Users', user('more@beta.example'), otherToken)
    expect(answer.status).toBe(403)
    expect(answer.body.detail).toMatch(/seat/)
  })
})

test.each(['', 'userName', 'userName eq', 'userName eq bob', 'userName eq "a" or true', '__proto__ eq "a"', '"'])(
  'the filter %j is refused',
  (text) => expect(() => userFilter(text)).toThrow(/Filter by/),
)
