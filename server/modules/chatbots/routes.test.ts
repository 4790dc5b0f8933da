import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { readChatbotChannels } from '../../contracts/channels'
import {
  type Chatbot,
  createChatbot,
  deleteChatbot,
  duplicateChatbot,
  listChatbots,
  readChatbot,
  updateChatbot,
} from '../../contracts/chatbots'
import { exportFlow, importFlow, publishFlow } from '../../contracts/flows'
import { createProject, listProjects } from '../../contracts/projects'

let server: TestServer
let ada: Registered
beforeAll(async () => {
  server = await startTestServer()
  ada = await server.register()
})
afterAll(() => server.close())

const create = async (name: string, pgid = ada.pgid) =>
  (await ada.call(createChatbot, { params: { pgid }, body: { name } })).chatbot
const at = ({ gid }: Chatbot) => ({ pgid: ada.pgid, cgid: gid })
const pathOf = ({ gid }: Chatbot) => `/api/projects/${ada.pgid}/chatbots/${gid}`
const draftOf = (chatbot: Chatbot) => ada.call(exportFlow, { params: { ...at(chatbot), fid: chatbot.fid } })

test('a new chatbot is an unpublished web agent that opens with a start', async () => {
  const chatbot = await create('Café & Friends')
  expect(chatbot).toMatchObject({ name: 'Café & Friends', type: 2, version: 2, platform_id: 1, published: null })
  expect(chatbot.slug).toMatch(/^cafe-friends-[a-z0-9]{6}$/)
  expect(await draftOf(chatbot)).toMatchObject({
    groups: [{ title: 'Start', blocks: [{ kind: 'start' }] }],
    edges: [],
    variables: [],
  })
  expect((await ada.call(readChatbot, { params: at(chatbot) })).chatbot).toEqual(chatbot)
})

test('a chatbot for WhatsApp stays one when it is copied, is checked for it before it is connected, and may change', async () => {
  const params = { pgid: ada.pgid }
  const { chatbot } = await ada.call(createChatbot, { params, body: { name: 'On phones', platform_id: 2 } })
  expect(chatbot.platform_id).toBe(2)
  expect(await ada.call(readChatbotChannels, { params: at(chatbot) })).toEqual({
    channels: ['web'],
    planned: ['whatsapp'],
  })
  const copy = (await ada.call(duplicateChatbot, { params: at(chatbot) })).chatbot
  expect(copy.platform_id).toBe(2)
  const changed = await ada.call(updateChatbot, { params: at(copy), body: { platform_id: 1 } })
  expect(changed.chatbot.platform_id).toBe(1)
  expect((await ada.call(readChatbotChannels, { params: at(copy) })).planned).toEqual([])
  const refused = await ada.send('PATCH', pathOf(copy), { platform_id: 3 })
  expect(refused).toMatchObject({ status: 422, body: { data: { fields: { platform_id: expect.any(String) } } } })
  for (const { gid, name } of [chatbot, copy])
    await ada.call(deleteChatbot, { params: { ...params, cgid: gid }, body: { name } })
})

test('a chatbot is made of a flow file in one step', async () => {
  const original = await create('Original of a file')
  const file = { ...(await draftOf(original)), variables: [{ id: 'v1', name: 'answer', value: 42 }] }
  const { chatbot, imported } = await ada.call(createChatbot, {
    params: { pgid: ada.pgid },
    body: { name: 'From a file', source: JSON.stringify(file) },
  })
  expect(imported).toMatchObject({ report: { product: 'parley' }, groups: 1, blocks: 1 })
  expect(chatbot).toMatchObject({ name: 'From a file', published: null })
  expect(await draftOf(chatbot)).toEqual(file)
})

test.each([
  ['{"a":', /JSON/],
  ['{"version":6}', /./],
  ['{"format":"parley-flow","version":1,"groups":7}', /groups/],
])('a file that is no flow makes no chatbot, and its place is named: %s', async (source, place) => {
  const { project } = await ada.call(createProject, { body: { name: 'Untouched' } })
  const answer = await ada.send('POST', `/api/projects/${project.gid}/chatbots`, { name: 'Broken', source })
  expect(answer).toMatchObject({ status: 422, body: { data: { fields: { source: expect.stringMatching(place) } } } })
  expect((await ada.call(listChatbots, { params: { pgid: project.gid } })).chatbots).toEqual([])
})

test.each(['日本語', '---', '!', 'x'.repeat(125)])('%s has an address, too', async (name) => {
  expect((await create(name)).slug).toMatch(/^(?=.{3,64}$)[a-z0-9]+(-[a-z0-9]+)*$/)
})

test('chatbots are listed in the order of their making, renamed, and deleted by name', async () => {
  const { project } = await ada.call(createProject, { body: { name: 'Listed' } })
  const params = { pgid: project.gid }
  const first = await create('First', project.gid)
  await create('Second', project.gid)
  const one = { ...params, cgid: first.gid }
  const { chatbot } = await ada.call(updateChatbot, { params: one, body: { name: 'Renamed' } })
  expect(chatbot).toMatchObject({ name: 'Renamed', slug: first.slug })
  expect(chatbot.updated_at > first.updated_at).toBe(true)
  const names = async () => (await ada.call(listChatbots, { params })).chatbots.map(({ name }) => name)
  expect(await names()).toEqual(['Renamed', 'Second'])
  const path = `/api/projects/${project.gid}/chatbots/${first.gid}`
  expect(await ada.send('DELETE', path, { name: 'First' })).toMatchObject({
    status: 422,
    body: { data: { fields: { name: expect.any(String) } } },
  })
  await ada.call(deleteChatbot, { params: one, body: { name: 'Renamed' } })
  expect(await names()).toEqual(['Second'])
  expect((await ada.send('GET', path)).status).toBe(404)
})

test("a chatbot is not found under another of one's own projects", async () => {
  const chatbot = await create('Mine')
  const { project } = await ada.call(createProject, { body: { name: 'Other' } })
  const path = `/api/projects/${project.gid}/chatbots/${chatbot.gid}`
  for (const [method, body] of [['GET'], ['PATCH', { name: 'x' }], ['DELETE', { name: 'Mine' }]] as const) {
    expect((await ada.send(method, path, body)).status, method).toBe(404)
  }
  expect((await ada.send('POST', `${path}/duplicate`, {})).status).toBe(404)
})

test('an address belongs to one chatbot in the installation; of two who want it at once, one gets it', async () => {
  const eve = await server.register()
  const chatbot = await create('Wanted')
  const hers = (await eve.call(createChatbot, { params: { pgid: eve.pgid }, body: { name: 'Hers' } })).chatbot
  const [a, b] = await Promise.all([
    ada.send('PATCH', pathOf(chatbot), { slug: 'wanted' }),
    eve.send('PATCH', `/api/projects/${eve.pgid}/chatbots/${hers.gid}`, { slug: 'wanted' }),
  ])
  expect([a.status, b.status].sort()).toEqual([200, 422])
  const refused = a.status === 422 ? a : b
  expect(refused.body).toMatchObject({ code: 'invalid', data: { fields: { slug: 'This address is already taken' } } })
  const same = await (a.status === 200 ? ada.send('PATCH', pathOf(chatbot), { slug: 'wanted' }) : undefined)
  if (same) expect(same.status).toBe(200)
  for (const slug of ['ab', 'A-B-C', 'a--b', '-abc', 'abc-', 'a b c', 's'.repeat(65), 'ünï-code']) {
    expect((await ada.send('PATCH', pathOf(chatbot), { slug })).status, slug).toBe(422)
  }
})

test('a duplicate has a draft of its own with the same content, and nothing published', async () => {
  const chatbot = await create('Original')
  const params = { ...at(chatbot), fid: chatbot.fid }
  const flow = {
    ...(await draftOf(chatbot)),
    variables: [{ id: 'v1', name: 'answer', value: 42 }],
  }
  await ada.call(importFlow, { params, body: { source: JSON.stringify(flow), mode: 'replace' } })
  await ada.call(publishFlow, { params })
  expect((await ada.call(readChatbot, { params: at(chatbot) })).chatbot.published).toMatchObject({
    version: 1,
    by: expect.stringContaining('Ada'),
  })

  const copy = (await ada.call(duplicateChatbot, { params: at(chatbot) })).chatbot
  expect(copy).toMatchObject({ name: 'Original copy', published: null })
  expect([copy.gid, copy.fid, copy.slug, copy.egid]).not.toContain(chatbot.gid)
  expect(await draftOf(copy)).toEqual(await draftOf(chatbot))
  await ada.call(importFlow, {
    params: { ...at(copy), fid: copy.fid },
    body: { source: JSON.stringify({ ...flow, variables: [] }), mode: 'replace' },
  })
  expect((await draftOf(chatbot)).variables).toHaveLength(1)
})

test("a plan's number of chatbots holds, also for those made at once", async () => {
  const { project } = await ada.call(createProject, { body: { name: 'Small' } })
  await server.context.db.updateTable('projects').set({ plan_id: 'starter' }).where('gid', '=', project.gid).execute()
  const path = `/api/projects/${project.gid}/chatbots`
  const answers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => ada.send('POST', path, { name })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 403, 403])
  expect(answers.find(({ status }) => status === 403)?.body).toMatchObject({ code: 'plan_limit' })
  const { projects } = await ada.call(listProjects)
  expect(projects.find(({ gid }) => gid === project.gid)?.chatbots).toBe(3)
})
