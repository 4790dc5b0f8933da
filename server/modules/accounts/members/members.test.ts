import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inviteMember, tokenOf } from '../../../../tests/support/people'
import { refusing } from '../../../../tests/support/refusing'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { acceptInvitation } from '../../../contracts/invitations'
import { changeRoles, inviteMembers, leaveProject, listMembers, removeMember } from '../../../contracts/members'
import { listProjects } from '../../../contracts/projects'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const inProject = (owner: Registered, member?: Registered) => ({ pgid: owner.pgid, gid: member?.user.ui ?? '' })
const pathOf = (owner: Registered, member: Registered) => `/api/projects/${owner.pgid}/members/${member.user.ui}`
const rolesIn = async (owner: Registered, member = owner) => {
  const { members } = await owner.call(listMembers, { params: { pgid: owner.pgid } })
  return members.find(({ gid }) => gid === member.user.ui)?.roles
}

test('lists who belongs to the project, with several roles, in the order in which they came', async () => {
  const ada = await server.register()
  const bob = await inviteMember(server, ada, 6, 4)
  const list = await ada.call(listMembers, { params: { pgid: ada.pgid } })
  expect(list.members).toMatchObject([
    { gid: ada.user.ui, email: ada.user.email, roles: [1] },
    { gid: bob.user.ui, first_name: 'Ada', roles: [4, 6] },
  ])
  expect(list).toMatchObject({ invitations: [], seats: { used: 2, max: 1e6, plan: 'Self-hosted' } })
})

test('roles are changed, and count at once', async () => {
  const ada = await server.register()
  const bob = await inviteMember(server, ada, 6)
  expect((await bob.send('GET', `/api/projects/${ada.pgid}/members`)).status).toBe(403)
  const { member } = await ada.call(changeRoles, { params: inProject(ada, bob), body: { roles: [4, 2, 4] } })
  expect(member.roles).toEqual([2, 4])
  expect((await bob.send('GET', `/api/projects/${ada.pgid}/members`)).status).toBe(200)
})

test('who is removed sees nothing of the project any more, and has the rest', async () => {
  const ada = await server.register()
  const bob = await inviteMember(server, ada, 3)
  await ada.call(removeMember, { params: inProject(ada, bob) })
  expect((await bob.send('GET', `/api/projects/${ada.pgid}/chatbots`)).status).toBe(404)
  expect((await bob.call(listProjects)).projects.map(({ gid }) => gid)).toEqual([bob.pgid])
  expect(await ada.send('DELETE', pathOf(ada, bob), {})).toMatchObject({ status: 404, body: { code: 'not_found' } })
})

test('anybody may leave, but the last owner', async () => {
  const ada = await server.register()
  for (const role of [2, 3, 4, 5, 6] as const) {
    const member = await inviteMember(server, ada, role)
    await member.call(leaveProject, { params: { pgid: ada.pgid } })
    expect((await member.send('GET', `/api/projects/${ada.pgid}/chatbots`)).status, `role ${role}`).toBe(404)
  }
  const heir = await inviteMember(server, ada, 2)
  const kept = { status: 409, body: { data: 'A project needs an owner. Make someone else an owner first.' } }
  expect(await ada.send('POST', `/api/projects/${ada.pgid}/leave`, {})).toMatchObject(kept)
  expect(await ada.send('DELETE', pathOf(ada, ada), {})).toMatchObject(kept)
  expect(await ada.send('PATCH', pathOf(ada, ada), { roles: [2, 3] })).toMatchObject(kept)
  await ada.call(changeRoles, { params: inProject(ada, heir), body: { roles: [1, 3] } })
  await ada.call(leaveProject, { params: { pgid: ada.pgid } })
  expect((await heir.send('GET', `/api/projects/${ada.pgid}/members`)).status).toBe(200)
})

test('an admin changes everybody but what makes an owner, himself least of all', async () => {
  const ada = await server.register()
  const admin = await inviteMember(server, ada, 2)
  const bob = await inviteMember(server, ada, 6)
  const refused = { status: 403, body: { data: 'Only owners can grant or remove the owner role.' } }
  expect(await admin.send('PATCH', pathOf(ada, admin), { roles: [1, 2] })).toMatchObject(refused)
  expect(await admin.send('PATCH', pathOf(ada, bob), { roles: [1] })).toMatchObject(refused)
  expect(await admin.send('PATCH', pathOf(ada, ada), { roles: [6] })).toMatchObject(refused)
  expect(await admin.send('DELETE', pathOf(ada, ada), {})).toMatchObject(refused)
  const invitation = { emails: ['accomplice@example.com'], roles: [1] }
  expect(await admin.send('POST', `/api/projects/${ada.pgid}/invitations`, invitation)).toMatchObject(refused)
  expect(await rolesIn(ada)).toEqual([1])
  await admin.call(changeRoles, { params: inProject(ada, bob), body: { roles: [3, 5] } })
  await admin.call(removeMember, { params: inProject(ada, bob) })
})

test.each([3, 4, 5, 6] as const)('role %i neither invites nor changes nor removes', async (role) => {
  const ada = await server.register()
  const member = await inviteMember(server, ada, role)
  for (const [method, path, body] of [
    ['PATCH', pathOf(ada, member), { roles: [1] }],
    ['PATCH', pathOf(ada, ada), { roles: [6] }],
    ['DELETE', pathOf(ada, ada), {}],
    ['POST', `/api/projects/${ada.pgid}/invitations`, { emails: ['friend@example.com'], roles: [6] }],
  ] as const) {
    expect((await member.send(method, path, body)).status, `${method} ${path}`).toBe(403)
  }
  expect(await rolesIn(ada, member)).toEqual([role])
})

test('of two owners who remove, lower or leave at once, one stays owner', async () => {
  const ways = [
    (who: Registered, owner: Registered, other: Registered) => who.send('DELETE', pathOf(owner, other), {}),
    (who: Registered, owner: Registered, other: Registered) => who.send('PATCH', pathOf(owner, other), { roles: [6] }),
    (who: Registered, owner: Registered) => who.send('POST', `/api/projects/${owner.pgid}/leave`, {}),
  ]
  for (const [way, act] of ways.entries()) {
    for (let round = 0; round < 4; round++) {
      const ada = await server.register()
      const bob = await inviteMember(server, ada, 1)
      const answers = await Promise.all([act(ada, ada, bob), act(bob, ada, ada)])
      const owners = await server.context.db
        .selectFrom('project_members')
        .innerJoin('projects', 'projects.id', 'project_id')
        .select('roles')
        .where('projects.gid', '=', ada.pgid)
        .execute()
      const said = answers.map(({ status }) => status).sort()
      expect(
        owners.filter(({ roles }) => roles.includes(1)),
        `way ${way}, round ${round}: ${said}`,
      ).toHaveLength(1)
      expect(said[0]).toBe(200)
      expect([403, 404, 409]).toContain(said[1])
    }
  }
})

test('who was removed or lowered does not come back by an invitation that he sent before', async () => {
  const ada = await server.register()
  const owner = await inviteMember(server, ada, 1)
  const send = async (email: string, roles: (1 | 6)[]) => {
    const { invited } = await owner.call(inviteMembers, {
      params: { pgid: ada.pgid },
      body: { emails: [email], roles },
    })
    return tokenOf(invited[0]?.link ?? '')
  }
  const friend = await server.register()
  const guest = await server.register()
  const other = await server.register()
  const kept = await send(other.user.email, [1])
  // who is an owner still invites owners
  await ada.call(changeRoles, { params: inProject(ada, owner), body: { roles: [1, 2] } })
  await other.call(acceptInvitation, { body: { token: kept } })
  const back = await send(friend.user.email, [1])
  const harmless = await send(guest.user.email, [6])
  await ada.call(changeRoles, { params: inProject(ada, owner), body: { roles: [2] } })
  const gone = { status: 409, body: { data: 'This invitation was withdrawn. Ask for a new one.' } }
  expect(await friend.send('POST', '/api/invitations/accept', { token: back })).toMatchObject(gone)
  await guest.call(acceptInvitation, { body: { token: harmless } })

  const more = await send(friend.user.email, [6])
  await ada.call(removeMember, { params: inProject(ada, owner) })
  expect(await friend.send('POST', '/api/invitations/accept', { token: more })).toMatchObject(gone)
})

test('who is lowered loses the invitations that the new roles don’t allow, with a record of it, or stays as before', async () => {
  const ada = await server.register()
  const owner = await inviteMember(server, ada, 1)
  const { invited } = await owner.call(inviteMembers, {
    params: { pgid: ada.pgid },
    body: { emails: ['friend@example.org'], roles: [1] },
  })
  const lower = () => ada.send('PATCH', pathOf(ada, owner), { roles: [2] })
  const { db } = server.context
  const { status } = await refusing(db, 'events', lower, sql`type <> 'invitation.revoked'`)
  expect(status).toBe(500)
  expect(await rolesIn(ada, owner)).toEqual([1])
  const { invitations } = await ada.call(listMembers, { params: { pgid: ada.pgid } })
  expect(invitations.map(({ gid }) => gid)).toEqual([invited[0]?.invitation.gid])
})

test("another project's members are not there", async () => {
  const ada = await server.register()
  const bob = await server.register()
  const eve = await inviteMember(server, bob, 3)
  expect((await ada.send('PATCH', pathOf(ada, eve), { roles: [6] })).status).toBe(404)
  expect((await ada.send('DELETE', pathOf(ada, eve), {})).status).toBe(404)
  expect(await rolesIn(bob, eve)).toEqual([3])
})
