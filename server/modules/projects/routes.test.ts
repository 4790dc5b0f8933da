import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../tests/support/server'
import { createChatbot, listChatbots } from '../../contracts/chatbots'
import { createProject, deleteProject, duplicateProject, listProjects, renameProject } from '../../contracts/projects'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('create, list, rename', async () => {
  const ada = await server.register()
  const { project } = await ada.call(createProject, { body: { name: '  Second  ' } })
  expect(project).toMatchObject({ name: 'Second', default: false })
  await ada.call(renameProject, { params: { pgid: project.gid }, body: { name: 'Renamed' } })
  const { projects } = await ada.call(listProjects)
  expect(projects.map((each) => [each.name, each.default, each.roles, each.chatbots])).toEqual([
    ['My project', true, [1], 0],
    ['Renamed', false, [1], 0],
  ])
})

test.each(['', '   ', 'n'.repeat(126)])('the name %j is refused', async (name) => {
  const ada = await server.register()
  for (const [method, path] of [
    ['POST', '/api/projects'],
    ['PATCH', `/api/projects/${ada.pgid}`],
  ] as const) {
    expect(await ada.send(method, path, { name })).toMatchObject({
      status: 422,
      body: { data: { fields: { name: expect.any(String) } } },
    })
  }
  const longest = await ada.call(createProject, { body: { name: 'n'.repeat(125) } })
  expect(longest.project.name).toHaveLength(125)
})

test('a text that the database cannot hold is refused, not a failure of the server', async () => {
  const ada = await server.register()
  const { status, body } = await ada.send('POST', '/api/projects', { name: 'a\u0000b' })
  expect({ status, code: body.code }).toEqual({ status: 422, code: 'invalid' })
  expect((await ada.call(createProject, { body: { name: 'lone \ud800 surrogate' } })).project.name).toContain('lone')
})

test('deleting takes the name, and leaves one project', async () => {
  const ada = await server.register()
  const { project } = await ada.call(createProject, { body: { name: 'Doomed' } })
  await ada.call(createChatbot, { params: { pgid: project.gid }, body: { name: 'Bot' } })
  const path = `/api/projects/${project.gid}`
  expect(await ada.send('DELETE', path, { name: 'doomed' })).toMatchObject({
    status: 422,
    body: { data: { fields: { name: expect.any(String) } } },
  })
  await ada.call(deleteProject, { params: { pgid: project.gid }, body: { name: 'Doomed' } })
  expect((await ada.send('GET', `${path}/chatbots`)).status).toBe(404)
  expect(await ada.send('DELETE', `/api/projects/${ada.pgid}`, { name: 'My project' })).toMatchObject({ status: 409 })
  expect((await ada.call(listProjects)).projects).toHaveLength(1)
})

test('two deletions at once leave one project', async () => {
  const people = await Promise.all(Array.from({ length: 8 }, () => server.register()))
  const others = await Promise.all(people.map((person) => person.call(createProject, { body: { name: 'Other' } })))
  const answers = await Promise.all(
    people.flatMap((person, at) => [
      person.send('DELETE', `/api/projects/${person.pgid}`, { name: 'My project' }),
      person.send('DELETE', `/api/projects/${others[at]?.project.gid}`, { name: 'Other' }),
    ]),
  )
  const statuses = people.map((_, at) => [answers[2 * at]?.status, answers[2 * at + 1]?.status].sort())
  expect(statuses).toEqual(people.map(() => [200, 409]))
})

test('when the default project is deleted, the oldest of the others is the default', async () => {
  const ada = await server.register()
  const { project } = await ada.call(createProject, { body: { name: 'Next' } })
  await ada.call(deleteProject, { params: { pgid: ada.pgid }, body: { name: 'My project' } })
  expect((await ada.call(listProjects)).projects).toMatchObject([{ gid: project.gid, default: true }])
})

test('a duplicate has the chatbots under their names, with addresses of their own, unpublished', async () => {
  const ada = await server.register()
  const params = { pgid: ada.pgid }
  for (const name of ['One', 'Two']) await ada.call(createChatbot, { params, body: { name } })
  const { project } = await ada.call(duplicateProject, { params })
  expect(project).toMatchObject({ name: 'My project copy', default: false })
  const originals = (await ada.call(listChatbots, { params })).chatbots
  const copies = (await ada.call(listChatbots, { params: { pgid: project.gid } })).chatbots
  expect(copies.map(({ name, published }) => [name, published])).toEqual([
    ['One', null],
    ['Two', null],
  ])
  expect(new Set([...originals, ...copies].flatMap(({ gid, fid, slug }) => [gid, fid, slug])).size).toBe(12)
})

test('a duplicate whose settings can’t be copied is none', async () => {
  const ada = await server.register()
  const params = { pgid: ada.pgid }
  const { chatbot } = await ada.call(createChatbot, { params, body: { name: 'One' } })
  const { db } = server.context
  const row = await db.selectFrom('chatbots').select('id').where('gid', '=', chatbot.gid).executeTakeFirstOrThrow()
  await sql`alter table chatbots add constraint one_of_a_kind
    exclude (business_name with =) where (business_name = 'One of a kind')`.execute(db)
  await db.updateTable('chatbots').set({ business_name: 'One of a kind' }).where('id', '=', row.id).execute()
  expect((await ada.send('POST', `/api/projects/${ada.pgid}/duplicate`)).status).toBe(500)
  expect((await ada.call(listProjects)).projects).toHaveLength(1)
  await sql`alter table chatbots drop constraint one_of_a_kind`.execute(db)
  await ada.call(duplicateProject, { params })
  expect((await ada.call(listProjects)).projects).toHaveLength(2)
})
