import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addMember, flowRow, openPeer, synced } from '../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { chatbotsOf } from '../../access/chatbots'
import { Role } from '../../access/roles'
import { createChatbot, duplicateChatbot, listChatbots, readChatbot, tickSetupStep } from '../../contracts/chatbots'
import { publishFlow, unpublishFlow } from '../../contracts/flows'
import { publishVersion } from '../../contracts/versions'
import { compactDocument } from '../flows/collab/store'

/** What the list of chatbots tells: what was published and changed since, by whom, and how much it is used. */
let server: TestServer
let ada: Registered
let ed: Registered
beforeAll(async () => {
  server = await startTestServer()
  ada = await server.register({ first_name: 'Ada', last_name: 'Lovelace' })
  ed = await server.register({ first_name: 'Ed', last_name: 'Editor' })
  await addMember(server, ada.pgid, ed, [Role.EDITOR])
})
afterAll(() => server.close())

const make = async (body: { name: string; template?: string }) =>
  (await ada.call(createChatbot, { params: { pgid: ada.pgid }, body })).chatbot
const listed = async (gid: string, by = ada) =>
  (await by.call(listChatbots, { params: { pgid: ada.pgid } })).chatbots.find((each) => each.gid === gid)
const place = (chatbot: { gid: string; fid: string }) => ({ pgid: ada.pgid, cgid: chatbot.gid, fid: chatbot.fid })

/** Adds a group as somebody with the flow open does; stored when it resolves. */
async function edit(person: Registered, fid: string, id: string): Promise<void> {
  const peer = openPeer(server, person, fid)
  await synced(peer)
  peer.document.commands.addGroup({ id, title: id, position: { x: 900, y: 0 }, blocks: [] })
  await expect
    .poll(async () => {
      const other = openPeer(server, ada, fid)
      await synced(other)
      const there = other.document.projection().groups.has(id)
      other.leave()
      return there
    })
    .toBe(true)
  peer.leave()
}

test('a draft counts as changed once somebody edits it after its publication, and is told with who did', async () => {
  const chatbot = await make({ name: 'State' })
  expect(await listed(chatbot.gid)).toMatchObject({ published: null, draft_changed: false })
  await ada.call(publishFlow, { params: place(chatbot), body: {} })
  expect(await listed(chatbot.gid)).toMatchObject({ published: { version: 1 }, draft_changed: false })
  await edit(ed, chatbot.fid, 'added-by-ed')
  await expect.poll(() => listed(chatbot.gid)).toMatchObject({ draft_changed: true, updated_by: 'Ed Editor' })
  // opening the one chatbot tells the same
  const { chatbot: read } = await ada.call(readChatbot, { params: { pgid: ada.pgid, cgid: chatbot.gid } })
  expect(read).toMatchObject({ draft_changed: true, updated_by: 'Ed Editor' })
  await ada.call(publishFlow, { params: place(chatbot), body: {} })
  expect(await listed(chatbot.gid)).toMatchObject({ published: { version: 2 }, draft_changed: false })
  // an old version that is public again is not what the draft holds
  await ada.call(publishVersion, { params: { pgid: ada.pgid, cgid: chatbot.gid, version: 1 } })
  expect(await listed(chatbot.gid)).toMatchObject({ published: { version: 1 }, draft_changed: true })
  await ada.call(unpublishFlow, { params: place(chatbot) })
  expect(await listed(chatbot.gid)).toMatchObject({ published: null, draft_changed: false })
})

test('tidying the stored document neither forgets who edited it nor counts as an edit', async () => {
  const chatbot = await make({ name: 'Tidy' })
  await edit(ed, chatbot.fid, 'first')
  await ada.call(publishFlow, { params: place(chatbot), body: {} })
  const { db } = server.context
  await compactDocument(db, await flowRow(server, chatbot.fid))
  expect(await listed(chatbot.gid)).toMatchObject({ draft_changed: false, updated_by: 'Ed Editor' })
  // what the server does to a document by itself, such as bringing it to present kinds
  const { id, projectId } = await flowRow(server, chatbot.fid)
  await sql`insert into flow_updates (project_id, flow_id, data, edited) values (${projectId}, ${id}, '\\x0000', false)`.execute(
    db,
  )
  await compactDocument(db, { id, projectId })
  expect(await listed(chatbot.gid)).toMatchObject({ draft_changed: false, updated_by: 'Ed Editor' })
})

test('counts conversations of visitors of the last seven days, for whom the roles let see numbers', async () => {
  const chatbot = await make({ name: 'Busy' })
  await ada.call(publishFlow, { params: place(chatbot), body: {} })
  const { db } = server.context
  const day = 24 * 60 * 60 * 1000
  const add = (environment: string, age: number, from = Date.now()) =>
    sql`
    insert into conversations (gid, project_id, chatbot_id, environment, start_client_id, created_at, updated_at)
    select substr(md5(random()::text), 1, 16), flows.project_id, flows.chatbot_id, ${environment}, md5(random()::text),
      ${new Date(from - age)}, now()
    from flows where flows.gid = ${chatbot.fid}`.execute(db)
  await add('sharing', day)
  await add('production', 6 * day)
  await add('production', 8 * day)
  await add('playground', day)
  expect(await listed(chatbot.gid)).toMatchObject({ conversations: 2 })
  expect(await listed(chatbot.gid, ed)).toMatchObject({ conversations: null })
  // to the moment: what began with the first day counts, what began before it does not
  const since = new Date('2020-01-01T00:00:00Z')
  for (const early of [0, 1]) await add('production', early, since.getTime())
  const { projectId } = await flowRow(server, chatbot.fid)
  const counted = await chatbotsOf(db, projectId, { since })
  expect(counted.find(({ gid }) => gid === chatbot.gid)?.conversations).toBe('4')
})

test('the list is read by as many queries for many chatbots as for one', async () => {
  const grace = await server.register()
  const add = (name: string) => grace.call(createChatbot, { params: { pgid: grace.pgid }, body: { name } })
  const queries = async () => {
    const asked = vi.spyOn(server.context.db.getExecutor(), 'executeQuery')
    await grace.call(listChatbots, { params: { pgid: grace.pgid } })
    const { length } = asked.mock.calls
    asked.mockRestore()
    return length
  }
  await add('One')
  const one = await queries()
  expect(one).toBeGreaterThan(0)
  for (const name of ['Two', 'Three', 'Four', 'Five']) await add(name)
  expect(await queries()).toBe(one)
})

test('what a template leaves to fill in stays until it is ticked, and goes along into a copy', async () => {
  const chatbot = await make({ name: 'Template', template: 'order-status' })
  const params = { pgid: ada.pgid, cgid: chatbot.gid }
  expect(chatbot.setup_steps.length).toBeGreaterThan(1)
  expect(chatbot.setup_steps.every(({ done }) => !done)).toBe(true)
  const steps = chatbot.setup_steps.map((_, step) => step)
  await Promise.all(steps.map((step) => ed.call(tickSetupStep, { params, body: { step, done: true } })))
  const read = async () => (await ada.call(readChatbot, { params })).chatbot
  expect((await read()).setup_steps.every(({ done }) => done)).toBe(true)
  await ada.call(tickSetupStep, { params, body: { step: 0, done: false } })
  expect((await read()).setup_steps.filter(({ done }) => !done)).toEqual([chatbot.setup_steps[0]])
  const { chatbot: copy } = await ada.call(duplicateChatbot, { params })
  expect(copy.setup_steps).toEqual((await read()).setup_steps)
  const beyond = `/api/projects/${ada.pgid}/chatbots/${chatbot.gid}/setup-steps`
  expect((await ada.send('POST', beyond, { step: 50, done: true })).status).toBe(404)
  const eve = await server.register()
  expect((await eve.send('POST', beyond, { step: 0, done: true })).status).toBe(404)
})
