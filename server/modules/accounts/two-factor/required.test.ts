import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeOf, turnOnTwoFactor } from '../../../../tests/support/codes'
import { makeChatbot } from '../../../../tests/support/collab'
import { inviteMember } from '../../../../tests/support/people'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { Role } from '../../../access/roles'
import { SESSION_COOKIE } from '../../../access/sessions'
import { dashboard } from '../../../contracts/account'
import { createApiKey } from '../../../contracts/api-keys'
import { login } from '../../../contracts/auth'
import { changeSignInRule, listMembers } from '../../../contracts/members'
import { loginByCode, turnOffTwoFactor } from '../../../contracts/two-factor'
import { rightsOf } from '../../flows/collab/access'

/** A project whose members must use two-factor sign-in. */
let server: TestServer
let now = new Date('2030-01-01T00:00:00Z')
let owner: Registered
let editor: Registered
let place: { pgid: string; cgid: string; fid: string }
beforeAll(async () => {
  server = await startTestServer({ clock: () => now })
  owner = await server.register()
  editor = await inviteMember(server, owner, Role.ADMIN)
  place = await makeChatbot(owner)
})
afterAll(() => server.close())
const later = () => {
  now = new Date(now.getTime() + 60_000)
}

const rule = (person: Registered, second_factor_required: boolean) =>
  person.send('PATCH', `/api/projects/${owner.pgid}/sign-in-rule`, { second_factor_required })
const codeOfCall = async (person: Registered, method: string, path: string, body?: unknown) =>
  (await person.send(method, path, body)).body.code ?? 'ok'
const chatbots = () => `/api/projects/${owner.pgid}/chatbots`
const rights = (person: Registered) =>
  rightsOf(server.context, person.cookies.get(SESSION_COOKIE) ?? '', place.fid, '127.0.0.1')

test('nobody asks of others what they have not set up themselves', async () => {
  expect(await rule(owner, true)).toMatchObject({ status: 409 })
  await turnOnTwoFactor(owner, now)
  expect((await rule(owner, true)).status).toBe(200)
  const list = await owner.call(listMembers, { params: { pgid: owner.pgid } })
  expect(list).toMatchObject({ second_factor_required: true, without_second_factor: [editor.user.ui] })
})

test('a member without it opens nothing of the project: no route, no socket, no key, no account object', async () => {
  expect(await codeOfCall(editor, 'GET', chatbots())).toBe('second_factor_required')
  expect(await codeOfCall(editor, 'POST', chatbots(), { name: 'New' })).toBe('second_factor_required')
  expect(await rule(editor, false)).toMatchObject({ body: { code: 'second_factor_required' } })
  const asked = { pgid: owner.pgid, cgid: null }
  expect(await codeOfCall(editor, 'POST', dashboard.path, asked)).toBe('second_factor_required')
  expect(await codeOfCall(editor, 'POST', dashboard.path, { cgid: place.cgid })).toBe('second_factor_required')
  expect(await rights(editor)).toEqual({ refused: 'forbidden' })
  // what else they have stays theirs
  const own = await editor.call(dashboard, { body: {} })
  expect(own.user.project?.gid).not.toBe(owner.pgid)
  expect(own.user.projects.map(({ gid }) => gid)).toContain(owner.pgid)
  expect(await codeOfCall(owner, 'GET', chatbots())).toBe('ok')
  expect(await rights(owner)).toMatchObject({ write: true })
})

test('a key acts only for a holder who has a second factor', async () => {
  await rule(owner, false)
  const body = { name: 'Till', scope: 'read' } as const
  const { secret } = await editor.call(createApiKey, { params: { pgid: owner.pgid }, body })
  const byKey = async () => {
    const headers = { authorization: `Bearer ${secret}` }
    return (
      ((await (await fetch(`${server.url}/api/v1/chatbots`, { headers })).json()) as { code?: string }).code ?? 'ok'
    )
  }
  expect(await byKey()).toBe('ok')
  await rule(owner, true)
  expect(await byKey()).toBe('second_factor_required')
  later()
  const { secret: app } = await turnOnTwoFactor(editor, now)
  expect(await byKey()).toBe('ok')
  expect(await codeOfCall(editor, 'GET', chatbots())).toBe('ok')
  later()
  await editor.call(turnOffTwoFactor, { body: { current: editor.password, code: codeOf(app, now) } })
  expect(await byKey()).toBe('second_factor_required')
  // the session that a code had opened is one of a password again
  expect(await codeOfCall(editor, 'GET', chatbots())).toBe('second_factor_required')
})

test('a log-in with the code opens it', async () => {
  later()
  const { secret } = await turnOnTwoFactor(editor, now)
  later()
  const guest = await server.guest()
  await guest.call(login, { body: { email: editor.user.email, password: editor.password } })
  await guest.call(loginByCode, { body: { code: codeOf(secret, now) } })
  expect((await guest.send('GET', chatbots())).status).toBe(200)
  const list = await owner.call(listMembers, { params: { pgid: owner.pgid } })
  expect(list.without_second_factor).toEqual([])
  expect(changeSignInRule.access).toEqual({ feature: 'security.update' })
})
