import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestClock } from '../../../../tests/support/clock'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { Role } from '../../../access/roles'
import { listMembers } from '../../../contracts/members'
import { createScimToken } from '../../../contracts/signOn'
import { admitPerson } from '../admit'
import { renewMapped } from './groupRoles'
import { SCIM_PATH } from './serveScim'

/** An organisation's directory tells which people are in which groups, and groups give roles. */
let server: TestServer
let owner: Registered
let token: string
let projectId: string
let otherToken: string
const clock = createTestClock()
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const role_map = [
  { value: 'Editors', role: Role.EDITOR },
  // by the directory's id of the group, as Entra ID has it in claims
  { value: 'id-of-analysts', role: Role.ANALYST },
]

beforeAll(async () => {
  server = await startTestServer({ clock })
  owner = await server.register({ email: 'owner@acme.example' })
  const other = await server.register({ email: 'other@beta.example' })
  const { db, ids } = server.context
  const tokenOf = async (person: Registered) =>
    (await person.call(createScimToken, { params: { pgid: person.pgid } })).token
  ;[token, otherToken] = [await tokenOf(owner), await tokenOf(other)]
  projectId = (await db.selectFrom('projects').select('id').where('gid', '=', owner.pgid).executeTakeFirstOrThrow()).id
  const values = { project_id: projectId, created_at: clock() }
  // as if its TXT record was found, and its provider asked: signOn.test.ts does that
  await db
    .insertInto('sign_on_domains')
    .values({ ...values, gid: ids(), domain: 'acme.example', challenge: 'a record', proven_at: clock() })
    .execute()
  await db
    .insertInto('sign_on_connections')
    .values({
      ...{ ...values, gid: ids(), updated_at: clock(), issuer: 'https://login.acme.example', client_id: 'parley' },
      ...{ sealed_secret: 'sealed', default_role: Role.VIEWER, role_claim: 'groups' },
      role_map: JSON.stringify(role_map),
    })
    .execute()
})
afterAll(() => server.close())

async function scim(method: string, path: string, body?: unknown, by = token) {
  const answer = await fetch(`${server.url}${SCIM_PATH}${path}`, {
    method,
    headers: { authorization: `Bearer ${by}`, ...(body !== undefined && { 'content-type': 'application/scim+json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  // biome-ignore lint/suspicious/noExplicitAny: what a directory reads of it
  return { status: answer.status, headers: answer.headers, body: (text ? JSON.parse(text) : {}) as any }
}
const addUser = async (name: string): Promise<string> =>
  (await scim('POST', '/Users', { userName: `${name}@acme.example` })).body.id
const addGroup = (displayName: string, ids: string[] = [], more: object = {}) =>
  scim('POST', '/Groups', { schemas: [GROUP], displayName, members: ids.map((value) => ({ value })), ...more })
const patch = (id: string, ...Operations: object[]) =>
  scim('PATCH', `/Groups/${id}`, { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations })
const peopleIn = async (id: string): Promise<string[]> =>
  (await scim('GET', `/Groups/${id}`)).body.members.map(({ value }: { value: string }) => value)
const rolesOf = async (name: string) => {
  const { members } = await owner.call(listMembers, { params: { pgid: owner.pgid } })
  return members.find(({ email }) => email === `${name}@acme.example`)?.roles
}

describe('a directory', () => {
  test('makes a group, finds, replaces and deletes it', async () => {
    const [ann, bob] = [await addUser('a1'), await addUser('b1')]
    const made = await addGroup('Writers', [ann], { externalId: 'w-1' })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const { id } = made.body
    expect(made.headers.get('location')).toBe(made.body.meta.location)
    const members = [{ value: ann, type: 'User' }]
    expect(made.body).toMatchObject({ schemas: [GROUP], displayName: 'Writers', externalId: 'w-1', members })
    for (const filter of ['displayName eq "WRITERS"', 'externalId eq "w-1"']) {
      const { body } = await scim('GET', `/Groups?filter=${encodeURIComponent(filter)}`)
      expect(body, filter).toMatchObject({ totalResults: 1, Resources: [{ id, members }] })
    }
    expect((await scim('GET', '/Groups?excludedAttributes=members')).body.Resources[0].members).toBeUndefined()
    const put = await scim('PUT', `/Groups/${id}`, { displayName: 'Authors', members: [{ value: bob }] })
    expect(put.body).toMatchObject({ id, displayName: 'Authors', members: [{ value: bob }] })
    expect(put.body.externalId).toBeUndefined()
    expect((await scim('DELETE', `/Groups/${id}`)).status).toBe(204)
    expect((await scim('GET', `/Groups/${id}`)).status).toBe(404)
    expect((await scim('DELETE', `/Groups/${id}`)).status).toBe(404)
  })

  test('adds and removes people in the forms that directories have', async () => {
    const [a, b, c] = [await addUser('a2'), await addUser('b2'), await addUser('c2')]
    const { id } = (await addGroup('Forms')).body
    const becomes = async (operation: object, ...people: string[]) => {
      expect((await patch(id, operation)).status, JSON.stringify(operation)).toBe(204)
      expect(await peopleIn(id), JSON.stringify(operation)).toEqual(people)
    }
    await becomes({ op: 'add', path: 'members', value: [{ value: a }, { value: b }] }, a, b)
    await becomes({ op: 'Add', path: 'members', value: [{ $ref: null, value: a }] }, a, b)
    await becomes({ op: 'remove', path: `members[value eq "${a}"]` }, b)
    await becomes({ op: 'Add', value: { members: { value: c } } }, b, c)
    // as Entra ID removes
    await becomes({ op: 'Remove', path: 'members', value: [{ value: b }] }, c)
    await becomes({ op: 'remove', path: `${GROUP}:members[value eq "nobody"]` }, c)
    await becomes({ op: 'replace', path: 'members', value: [{ value: b }] }, b)
    await becomes({ op: 'remove', path: 'members' })
    // as Okta renames
    await patch(id, { op: 'replace', value: { id, displayName: 'Renamed' } })
    await patch(
      id,
      { op: 'add', path: 'externalId', value: 'f-1' },
      { op: 'add', path: 'members', value: { value: a } },
    )
    expect((await scim('GET', `/Groups/${id}`)).body).toMatchObject({ displayName: 'Renamed', externalId: 'f-1' })
    // who is deleted is in no group
    await scim('DELETE', `/Users/${a}`)
    expect(await peopleIn(id)).toEqual([])
  })

  test('is told what is wrong', async () => {
    const { id } = (await addGroup('Errors')).body
    const wrong = async (scimType: string, { body }: Awaited<ReturnType<typeof scim>>) =>
      expect(body, JSON.stringify(body)).toMatchObject({ scimType })
    await wrong('uniqueness', await addGroup('errors'))
    await wrong('invalidValue', await addGroup(''))
    await wrong('invalidValue', await addGroup('Unknown', ['nobody']))
    await wrong('invalidValue', await patch(id, { op: 'add', path: 'members', value: 'text' }))
    await wrong('invalidValue', await patch(id, { op: 'add', path: 'members', value: [{ value: id, type: 'Group' }] }))
    await wrong('invalidPath', await patch(id, { op: 'remove', path: 'members[display eq "Ann"]' }))
    await wrong('invalidSyntax', await patch(id, { op: 'move', path: 'members' }))
    await wrong('mutability', await patch(id, { op: 'remove', path: 'displayName' }))
    await wrong('invalidFilter', await scim('GET', '/Groups?filter=members%20eq%20%22x%22'))
    // nothing of a refused call stays
    const [half] = [await addUser('half')]
    const both = [{ value: half }, { value: 'nobody' }]
    await wrong('invalidValue', await patch(id, { op: 'add', path: 'members', value: both }))
    expect(await peopleIn(id)).toEqual([])
  })

  test('reaches no group of another project, and puts none of its people in its own', async () => {
    const kit = await addUser('kit')
    const { id } = (await addGroup('Own', [kit])).body
    for (const [method, body] of [['GET'], ['PUT', { displayName: 'x' }], ['DELETE']] as const)
      expect((await scim(method, `/Groups/${id}`, body, otherToken)).status).toBe(404)
    const op = { op: 'remove', path: 'members' }
    expect((await scim('PATCH', `/Groups/${id}`, { Operations: [op] }, otherToken)).status).toBe(404)
    expect((await scim('GET', '/Groups', undefined, otherToken)).body.totalResults).toBe(0)
    const theirs = await scim('POST', '/Groups', { displayName: 'Theirs', members: [{ value: kit }] }, otherToken)
    expect(theirs.body.scimType).toBe('invalidValue')
    expect(await peopleIn(id)).toEqual([kit])
  })
})

describe('a member’s roles', () => {
  let ann: string
  let editors: string

  test('follow the groups that the mapping names, and no others', async () => {
    ann = await addUser('ann')
    expect(await rolesOf('ann')).toEqual([Role.VIEWER])
    await addGroup('Everybody', [ann])
    expect(await rolesOf('ann')).toEqual([Role.VIEWER])
    editors = (await addGroup('Editors', [ann])).body.id
    expect(await rolesOf('ann')).toEqual([Role.EDITOR])
    const analysts = (await addGroup('Analysis', [ann], { externalId: 'id-of-analysts' })).body.id
    expect(await rolesOf('ann')).toEqual([Role.EDITOR, Role.ANALYST])
    await scim('DELETE', `/Groups/${analysts}`)
    expect(await rolesOf('ann')).toEqual([Role.EDITOR])
    // another name gives other roles
    await patch(editors, { op: 'replace', path: 'displayName', value: 'Former editors' })
    expect(await rolesOf('ann')).toEqual([Role.VIEWER])
    await patch(editors, { op: 'replace', path: 'displayName', value: 'Editors' })
    await patch(editors, { op: 'remove', path: `members[value eq "${ann}"]` })
    expect(await rolesOf('ann')).toEqual([Role.VIEWER])
  })

  test('do not follow the attribute of a user or the claim at sign-in, where the directory’s groups give roles', async () => {
    await patch(editors, { op: 'add', path: 'members', value: [{ value: ann }] })
    await scim('PUT', `/Users/${ann}`, { userName: 'ann@acme.example', roles: ['Admin'] })
    expect(await rolesOf('ann')).toEqual([Role.EDITOR])
    const connection = { project_id: projectId, default_role: Role.VIEWER, role_claim: 'groups', role_map: [] }
    const claims = { sub: 'ann', email: 'ann@acme.example', email_verified: true, groups: ['id-of-analysts'] }
    const mapping = { ...connection, role_map: role_map as never }
    await admitPerson(server.context, mapping, claims, { id: 'a request', ip: '127.0.0.1' })
    expect(await rolesOf('ann')).toEqual([Role.EDITOR])
    // and come back with the person
    await scim('PATCH', `/Users/${ann}`, { Operations: [{ op: 'replace', path: 'active', value: false }] })
    expect(await rolesOf('ann')).toBeUndefined()
    await scim('PATCH', `/Users/${ann}`, { Operations: [{ op: 'replace', path: 'active', value: true }] })
    expect(await rolesOf('ann')).toEqual([Role.EDITOR])
  })

  test('are given anew as the mapping changes', async () => {
    const renew = (before: object[], after: object[]) =>
      server.context.db.transaction().execute((work) =>
        renewMapped(server.context, work, {
          projectId,
          origin: { projectId, by: { actor: 'system' }, correlation: 'a test', at: clock() },
          before: { default_role: Role.VIEWER, role_map: before as never },
          after: { default_role: Role.VIEWER, role_map: after as never },
        }),
      )
    await renew(role_map, [{ value: 'Editors', role: Role.ADMIN }])
    expect(await rolesOf('ann')).toEqual([Role.ADMIN])
    await renew([{ value: 'Editors', role: Role.ADMIN }], [])
    expect(await rolesOf('ann')).toEqual([Role.VIEWER])
  })

  test('leave an owner one, and make none', async () => {
    const boss = await addUser('owner')
    await patch(editors, { op: 'add', path: 'members', value: [{ value: boss }] })
    expect(await rolesOf('owner')).toEqual([Role.OWNER])
  })

  test('and groups are in the events, as the directory’s', async () => {
    const events = await server.context.db
      .selectFrom('events')
      .select(['type', 'actor', 'address'])
      .where('type', 'in', ['sign_on.group_added', 'sign_on.group_removed', 'sign_on.person_roles_changed'])
      .execute()
    expect(new Set(events.map(({ type }) => type)).size).toBe(3)
    expect(events.filter(({ actor }) => actor !== 'system')).toEqual([])
  })
})
