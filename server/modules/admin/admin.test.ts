import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestClock } from '../../../tests/support/clock'
import { turnOnTwoFactor } from '../../../tests/support/codes'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { SESSION_COOKIE } from '../../access/sessions'
import { dashboard } from '../../contracts/account'
import {
  announce,
  changeAllowance,
  listAllProjects,
  listDeadJobs,
  listOperatorActions,
  listPeople,
  readOperatorNotice,
  readOverview,
  resumePerson,
  resumeProject,
  retryAll,
  stopViewing,
  suspendPerson,
  suspendProject,
  viewAs,
} from '../../contracts/admin'
import { createApiKey } from '../../contracts/api-keys'
import { currentUser, login } from '../../contracts/auth'
import { startConversation } from '../../contracts/chat'
import { createChatbot, listChatbots } from '../../contracts/chatbots'
import { publishFlow } from '../../contracts/flows'
import { updateProfile } from '../../contracts/profile'
import { defineJob } from '../../platform/jobs/defineJob'
import { rightsOf } from '../flows/collab/access'

const clock = createTestClock()
const errand = defineJob('errand', z.string())
let server: TestServer
/** made by the printed link */
let owner: Registered
let ada: Registered
beforeAll(async () => {
  server = await startTestServer({ clock })
  owner = await server.register()
  ada = await server.register({ first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' })
})
afterAll(() => server.close())

const actions = async () =>
  (await owner.call(listOperatorActions)).actions.map(({ action, target }) => [action, target])
const statusOf = async (person: Registered, path: string) => {
  const { status, body } = await person.send('GET', path)
  return [status, body.code]
}
const projectsOf = (person: Registered) => `/api/projects/${person.pgid}/chatbots`

test('only who runs the installation finds these addresses: the first account, and confirmed ones that are named', async () => {
  expect((await owner.call(readOperatorNotice)).operator).toBe(true)
  expect((await ada.call(readOperatorNotice)).operator).toBe(false)
  expect(await statusOf(ada, '/api/admin/overview')).toEqual([404, 'not_found'])
  const { config, db } = server.context
  config.operators = [ada.user.email]
  // anybody could have registered with that address
  expect(await statusOf(ada, '/api/admin/overview')).toEqual([404, 'not_found'])
  await db.updateTable('users').set({ email_verified: true }).where('email', '=', ada.user.email).execute()
  expect(await statusOf(ada, '/api/admin/overview')).toEqual([200, undefined])
  config.operators = []
  expect(await owner.call(readOverview)).toMatchObject({ projects: 2, people: 2, version: expect.any(String) })
})

test('the first account’s deletion makes nobody else the one who runs the installation', async () => {
  const { db } = server.context
  const { owner_id } = await db.selectFrom('installation').select('owner_id').executeTakeFirstOrThrow()
  await db.updateTable('installation').set({ owner_id: null }).execute()
  for (const person of [owner, ada]) expect(await statusOf(person, '/api/admin/overview')).toEqual([404, 'not_found'])
  await db.updateTable('installation').set({ owner_id }).execute()
})

test('jobs of all projects that were given up are listed with their reasons, and tried again together', async () => {
  const { jobs, db } = server.context
  const done: unknown[] = []
  jobs.handle(
    errand.handledBy(async (payload) => {
      done.push(payload)
      return undefined
    }),
  )
  for (const payload of ['tea', 'milk']) await jobs.schedule(db, errand, { payload, runAt: clock(), projectId: null })
  await db.updateTable('jobs').set({ failed_at: clock(), error: 'closed' }).where('kind', '=', 'errand').execute()
  expect((await owner.call(listDeadJobs)).jobs).toMatchObject([
    { kind: 'errand', project: null, error: 'closed' },
    { kind: 'errand', project: null, error: 'closed' },
  ])
  expect(await owner.call(retryAll)).toEqual({ jobs: 2, events: 0 })
  await jobs.runDue()
  expect(done.toSorted()).toEqual(['milk', 'tea'])
  expect((await owner.call(listDeadJobs)).jobs).toEqual([])
  expect(await actions()).toContainEqual(['retry_all', '2 jobs, 0 events'])
})

test('a project is found by its owner’s address, and given a plan and bonus credits', async () => {
  const search = async (text: string) => (await owner.call(listAllProjects, { query: { search: text } })).projects
  const [project] = await search('ADA@')
  expect(project).toMatchObject({ gid: ada.pgid, owners: ['ada@example.com'], members: 1, pays: false })
  // it stands for itself
  expect(await search('%')).toEqual([])
  await owner.call(changeAllowance, {
    params: { gid: ada.pgid },
    body: { plan_id: 'growth', bonus_ai_credits: 500 },
  })
  expect((await search('ada@'))[0]).toMatchObject({ plan_id: 'growth', bonus_ai_credits: 500 })
  expect(await search('')).toHaveLength(2)
})

test('a suspended project is closed to members, their keys and visitors, and is all there afterwards', async () => {
  const params = { pgid: ada.pgid }
  const { chatbot } = await ada.call(createChatbot, { params, body: { name: 'Shop' } })
  await ada.call(publishFlow, { params: { ...params, cgid: chatbot.gid, fid: chatbot.fid }, body: {} })
  const visitor = await server.guest()
  const begin = (id: string) =>
    visitor.send('POST', `/api/chat/${chatbot.slug}/conversations`, { client_id: `begins-here-${id}` })
  const { token, conversation } = await visitor.call(startConversation, {
    params: { slug: chatbot.slug },
    body: { client_id: 'begins-here-00' },
  })
  const { secret } = await ada.call(createApiKey, { params, body: { name: 'Till', scope: 'read' } })
  const byKey = () => fetch(`${server.url}/api/v1/chatbots`, { headers: { authorization: `Bearer ${secret}` } })
  const reads = () =>
    visitor.send('GET', `/api/chat/${chatbot.slug}/conversations/${conversation.id}`, undefined, {
      authorization: `Bearer ${token}`,
    })
  expect([(await begin('01')).status, (await reads()).status, (await byKey()).status]).toEqual([200, 200, 200])

  await owner.call(suspendProject, { params: { gid: ada.pgid }, body: { why: 'spam' } })
  expect(await statusOf(ada, projectsOf(ada))).toEqual([403, 'project_suspended'])
  expect([(await begin('02')).status, (await reads()).status, (await byKey()).status]).toEqual([404, 404, 403])
  const listed = await owner.call(listAllProjects, { query: { search: ada.pgid } })
  expect(listed.projects[0]).toMatchObject({ suspended_why: 'spam', suspended_at: clock().toISOString() })

  await owner.call(resumeProject, { params: { gid: ada.pgid } })
  expect((await ada.call(listChatbots, { params })).chatbots).toHaveLength(1)
  expect([(await begin('03')).status, (await reads()).status, (await byKey()).status]).toEqual([200, 200, 200])
})

async function statusOfKey(secret: string): Promise<[number, string | undefined]> {
  const answer = await fetch(`${server.url}/api/v1/chatbots`, { headers: { authorization: `Bearer ${secret}` } })
  const { code } = (await answer.json()) as { code?: string }
  return [answer.status, code]
}

test('a suspended person is logged out everywhere and not let in, and whoever runs the installation can’t be', async () => {
  const bob = await server.register({ email: 'bob@example.com' })
  const person = { params: { gid: bob.user.ui } }
  const { secret } = await bob.call(createApiKey, { params: { pgid: bob.pgid }, body: { name: 'Till', scope: 'read' } })
  const byKey = () => statusOfKey(secret)
  expect(await byKey()).toEqual([200, undefined])
  await owner.call(suspendPerson, { ...person, body: { why: 'left' } })
  expect(await statusOf(bob, '/api/user')).toEqual([401, 'unauthenticated'])
  expect(await byKey()).toEqual([403, 'account_suspended'])
  const again = await server.guest()
  const body = { email: 'bob@example.com', password: bob.password }
  expect(await again.send('POST', login.path, body)).toMatchObject({ status: 403, body: { code: 'account_suspended' } })
  await owner.call(resumePerson, person)
  await again.call(login, { body })
  const own = `/api/admin/people/${owner.user.ui}/suspend`
  expect(await owner.send('POST', own, { why: 'by mistake' })).toMatchObject({ status: 409 })
  expect((await owner.call(currentUser)).email).toBe(owner.user.email)
  expect((await owner.call(listPeople, { query: { search: 'bob' } })).people[0]).toMatchObject({ suspended_at: null })
})

test('two-factor sign-in of who has lost the app is turned off, is noted, and the password alone logs in', async () => {
  const eva = await server.register({ email: 'eva@example.com' })
  const body = { email: 'eva@example.com', password: eva.password }
  const off = (person: Registered) =>
    person.send('POST', `/api/admin/people/${eva.user.ui}/two-factor-off`, { why: 'lost her phone' })
  expect((await off(owner)).status).toBe(409)
  await turnOnTwoFactor(eva, clock())
  expect(await (await server.guest()).call(login, { body })).toMatchObject({ code_required: true })
  expect((await off(ada)).status).toBe(404)
  expect((await owner.call(listPeople, { query: { search: 'eva' } })).people[0]).toMatchObject({ two_factor: true })
  expect((await off(owner)).status).toBe(200)
  expect(await (await server.guest()).call(login, { body })).toMatchObject({ code_required: false })
  expect((await actions())[0]).toEqual(['turn_off_two_factor', 'eva@example.com'])
})

test('an operator sees what a person sees for half an hour, changes nothing, and it stays noted', async () => {
  const { pgid } = ada
  const { chatbots } = await ada.call(listChatbots, { params: { pgid } })
  const fid = (await server.context.db.selectFrom('flows').select('gid').where('is_main', '=', true).executeTakeFirst())
    ?.gid
  const collab = () => rightsOf(server.context, owner.cookies.get(SESSION_COOKIE) ?? '', fid ?? '', '127.0.0.1')
  expect(await collab()).toEqual({ refused: 'gone' })
  await owner.call(viewAs, { params: { gid: ada.user.ui }, body: { why: 'ticket 7' } })
  expect((await owner.call(currentUser)).email).toBe('ada@example.com')
  expect(await owner.call(readOperatorNotice)).toMatchObject({ operator: false, viewing: { email: 'ada@example.com' } })
  expect((await owner.call(listChatbots, { params: { pgid } })).chatbots).toEqual(chatbots)
  // what every screen begins with
  expect((await owner.call(dashboard, { body: { pgid } })).user.account.email).toBe('ada@example.com')
  expect(await owner.send('POST', projectsOf(ada), { name: 'Mine' })).toMatchObject({
    status: 403,
    body: { code: 'viewing_only' },
  })
  expect(await owner.send(updateProfile.method, updateProfile.path, {})).toMatchObject({ status: 403 })
  expect(await collab()).toMatchObject({ write: false, person: { id: ada.user.ui } })
  expect(await statusOf(owner, '/api/admin/overview')).toEqual([404, 'not_found'])
  clock.pass(31 * 60)
  expect((await owner.call(currentUser)).email).toBe(owner.user.email)

  await owner.call(viewAs, { params: { gid: ada.user.ui }, body: { why: 'ticket 8' } })
  await owner.call(stopViewing)
  expect((await owner.call(currentUser)).email).toBe(owner.user.email)
  const noted = (await owner.call(listOperatorActions)).actions.filter(({ action }) => action === 'view_as')
  expect(noted).toMatchObject([
    { operator: owner.user.email, target: 'ada@example.com', details: 'ticket 8' },
    { operator: owner.user.email, target: 'ada@example.com', details: 'ticket 7' },
  ])
})

test('what is announced is told to everybody who is logged in until it is taken away', async () => {
  await owner.call(announce, { body: { text: 'Back at nine', warns: true } })
  expect((await ada.call(readOperatorNotice)).announcement).toMatchObject({ text: 'Back at nine', warns: true })
  await owner.call(announce, { body: { text: '', warns: false } })
  expect((await ada.call(readOperatorNotice)).announcement).toBeNull()
})
