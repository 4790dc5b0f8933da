import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { Role } from '../../access/roles'
import { createChatbot } from '../../contracts/chatbots'
import { CONTACTS_PER_PAGE, listContacts } from '../../contracts/contacts'

const AT = new Date('2026-11-21T10:00:00Z')
let server: TestServer
let ada: Registered
let cgid: string
let place: { project_id: string; chatbot_id: string }
beforeAll(async () => {
  server = await startTestServer()
  ada = await server.register()
  const { chatbot } = await ada.call(createChatbot, { params: { pgid: ada.pgid }, body: { name: 'Bot' } })
  cgid = chatbot.gid
  const row = await server.context.db
    .selectFrom('chatbots')
    .select(['id', 'project_id'])
    .where('gid', '=', cgid)
    .executeTakeFirstOrThrow()
  place = { project_id: row.project_id, chatbot_id: row.id }
})
afterAll(() => server.close())

const add = (name: string) =>
  server.context.db
    .insertInto('contacts')
    .values({ ...place, gid: server.context.ids(), name, custom: '{"Plan":"Pro"}', created_at: AT, updated_at: AT })
    .execute()
const list = (before?: string) =>
  ada.call(listContacts, { params: { pgid: ada.pgid }, query: { chatbot: cgid, ...(before && { before }) } })

it('lists what a chatbot made, the newest first, page by page', async () => {
  expect(await list()).toEqual({ contacts: [], more: false, total: 0, tags: [] })
  for (let n = 0; n <= CONTACTS_PER_PAGE; n++) await add(`Person ${n}`)
  const first = await list()
  expect([first.contacts.length, first.more]).toEqual([CONTACTS_PER_PAGE, true])
  expect(first.contacts[0]).toMatchObject({
    fields: { name: `Person ${CONTACTS_PER_PAGE}`, email: null },
    custom: { Plan: 'Pro' },
  })
  const second = await list(first.contacts.at(-1)?.gid)
  expect(second).toMatchObject({ contacts: [{ fields: { name: 'Person 0' } }], more: false })
})

it('is for members who may see contacts, of its own chatbot alone', async () => {
  const bob = await server.register()
  const path = (pgid: string) => `/api/projects/${pgid}/contacts?chatbot=${cgid}`
  expect((await bob.send('GET', path(ada.pgid))).status).toBe(404)
  expect((await bob.send('GET', path(bob.pgid))).status).toBe(404)
  const { id } = await server.context.db
    .selectFrom('users')
    .select('id')
    .where('gid', '=', bob.user.ui)
    .executeTakeFirstOrThrow()
  const member = { project_id: place.project_id, user_id: id, created_at: AT }
  await server.context.db
    .insertInto('project_members')
    .values({ ...member, roles: [Role.EDITOR, Role.BILLING] })
    .execute()
  expect((await bob.send('GET', path(ada.pgid))).status).toBe(403)
  await server.context.db
    .updateTable('project_members')
    .set({ roles: [Role.ANALYST] })
    .where('user_id', '=', id)
    .where('project_id', '=', place.project_id)
    .execute()
  expect((await bob.send('GET', path(ada.pgid))).status).toBe(200)
})
