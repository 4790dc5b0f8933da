import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { serialiseFlow } from '../../../../engine/flow/canonical'
import { enteredFlows } from '../../../../engine/flow/otherFlows'
import { emptyFlow, type Flow, flowCaps } from '../../../../engine/flow/schema'
import { plainRichText, richTextToString } from '../../../../engine/values/richText'
import { pathOf } from '../../../../tests/support/client'
import { addMember, makeChatbot } from '../../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { Role } from '../../../access/roles'
import { duplicateChatbot } from '../../../contracts/chatbots'
import {
  createFlow,
  deleteFlow,
  duplicateFlow,
  exportFlow,
  importFlow,
  listFlows,
  openDocument,
  publishFlow,
  renameFlow,
} from '../../../contracts/flows'
import { sendPlaygroundMessage, startPlayground } from '../../../contracts/playground'
import { listVersions } from '../../../contracts/versions'

let server: TestServer
let owner: Registered
let chatbot: { pgid: string; cgid: string; fid: string }
beforeAll(async () => {
  server = await startTestServer()
  owner = await server.register()
})
afterAll(() => server?.close())
beforeEach(async () => {
  chatbot = await makeChatbot(owner)
})

const { registry } = await import('../../../../blocks/registry')
const block = (id: string, kind: string, data: object) => ({
  id,
  kind,
  version: registry.find(kind)?.migrations.length ?? 0,
  data: { ...(registry.find(kind)?.defaults(() => `${id}-item`) as object), ...data },
})
const says = (id: string, text: string) => block(id, 'text', { content: plainRichText(text) })
const enters = (id: string, flowId: string) => block(id, 'go-to', { to: 'flow', flowId })
const flowOf = (...blocks: ReturnType<typeof block>[]): Flow => ({
  ...emptyFlow(),
  groups: [
    {
      id: 'g',
      title: 'Begin',
      position: { x: 0, y: 0 },
      blocks: [{ id: 's', kind: 'start', version: 0, data: {} }, ...blocks] as Flow['groups'][0]['blocks'],
    },
  ],
})

const one = () => ({ pgid: chatbot.pgid, cgid: chatbot.cgid })
const list = async (params = one()) => (await owner.call(listFlows, { params })).flows
const titles = async () => (await list()).map(({ title }) => title)
const add = async (title: string) => (await owner.call(createFlow, { params: one(), body: { title } })).flow
const fill = (fid: string, flow: Flow) =>
  owner.call(importFlow, { params: { ...one(), fid }, body: { source: serialiseFlow(flow), mode: 'replace' } })
const send = (route: { method: string; path: string }, params: object, body?: unknown, as = owner) =>
  as.send(route.method, pathOf(route.path, { ...params }), body)

describe('the flows of a chatbot', () => {
  test('a new one begins with a start, stands behind the others, and opens as a document of its own', async () => {
    const sales = await add('Sales')
    const help = await add('Help')
    expect(sales).toMatchObject({ is_main: false, groups: [{ title: 'Start' }], variables: [], enters: [] })
    expect((await list()).map(({ title, is_main }) => [title, is_main])).toEqual([
      ['Main flow', true],
      ['Sales', false],
      ['Help', false],
    ])
    const params = { ...one(), fid: help.gid }
    expect((await owner.call(openDocument, { params })).room).toBe(help.gid)
  })

  test('each tells what another may enter and pass, and whom it enters', async () => {
    const sales = await add('Sales')
    await fill(sales.gid, { ...flowOf(says('t', 'Hi')), variables: [{ id: 'v', name: 'name', value: null }] })
    await fill(chatbot.fid, flowOf(enters('go', sales.gid)))
    expect(await list()).toMatchObject([
      { gid: chatbot.fid, enters: [sales.gid] },
      { groups: [{ id: 'g', title: 'Begin' }], variables: [{ id: 'v', name: 'name' }], enters: [] },
    ])
  })

  test('names are unique in the chatbot, whatever their case, also of those given at once', async () => {
    await add('Sales')
    const again = await send(createFlow, one(), { title: ' sales ' })
    expect(again).toMatchObject({ status: 422, body: { data: { fields: { title: expect.stringContaining('name') } } } })
    const statuses = (await Promise.all(['X', 'X', 'x'].map((title) => send(createFlow, one(), { title })))).map(
      ({ status }) => status,
    )
    expect(statuses.sort()).toEqual([200, 422, 422])
    const help = await add('Help')
    const params = { ...one(), fid: help.gid }
    expect((await send(renameFlow, params, { title: 'Main flow' })).status).toBe(422)
    expect((await owner.call(renameFlow, { params, body: { title: 'HELP' } })).flow.title).toBe('HELP')
    for (const title of ['', ' ', 'x'.repeat(flowCaps.flowTitle + 1)]) {
      expect((await send(createFlow, one(), { title })).status, title).toBe(422)
    }
  })

  test('a copy has the content of the original, of the main flow too, and lives apart', async () => {
    await fill(chatbot.fid, flowOf(says('t', 'Hi')))
    const params = { ...one(), fid: chatbot.fid }
    const copies = [await owner.call(duplicateFlow, { params }), await owner.call(duplicateFlow, { params })]
    expect(copies.map(({ flow }) => [flow.title, flow.is_main])).toEqual([
      ['Main flow copy', false],
      ['Main flow copy 2', false],
    ])
    await fill(chatbot.fid, flowOf())
    const copy = await owner.call(exportFlow, { params: { ...one(), fid: copies[0]?.flow.gid ?? '' } })
    expect(copy).toEqual(flowOf(says('t', 'Hi')))
  })

  test('one that others enter is deleted once that was confirmed, and they are named; the main one never', async () => {
    const sales = await add('Sales')
    const params = { ...one(), fid: sales.gid }
    await fill(chatbot.fid, flowOf(enters('go', sales.gid)))
    const refused = await send(deleteFlow, params, { confirmed: false })
    expect([refused.status, refused.body.code, refused.body.data]).toEqual([
      409,
      'conflict',
      'This flow is run by “Main flow”.',
    ])
    expect(await titles()).toEqual(['Main flow', 'Sales'])
    await owner.call(deleteFlow, { params, body: { confirmed: true } })
    expect(await titles()).toEqual(['Main flow'])
    expect((await send(deleteFlow, { ...one(), fid: chatbot.fid }, { confirmed: true })).status).toBe(409)
    const help = await add('Help')
    await fill(help.gid, flowOf(enters('go', help.gid)))
    await owner.call(deleteFlow, { params: { ...one(), fid: help.gid }, body: { confirmed: false } })
  })

  test('viewers see them and change nothing; strangers find nothing', async () => {
    const sales = await add('Sales')
    const viewer = await server.register()
    await addMember(server, chatbot.pgid, viewer, [Role.VIEWER])
    expect((await viewer.call(listFlows, { params: one() })).flows).toHaveLength(2)
    const stranger = await server.register()
    const params = { ...one(), fid: sales.gid }
    const other = await makeChatbot(owner)
    for (const [route, body] of [
      [createFlow, { title: 'X' }],
      [renameFlow, { title: 'X' }],
      [duplicateFlow, {}],
      [deleteFlow, { confirmed: true }],
    ] as const) {
      expect((await send(route, params, body, viewer)).status, route.path).toBe(403)
      expect((await send(route, params, body, stranger)).status, route.path).toBe(404)
      if (route !== createFlow)
        expect((await send(route, { ...params, cgid: other.cgid }, body)).status, route.path).toBe(404)
    }
    expect((await send(listFlows, one(), undefined, stranger)).status).toBe(404)
    expect(await titles()).toEqual(['Main flow', 'Sales'])
  })

  test('there are at most a hundred beside the main one', async () => {
    const flow = { title: '', groups: [], edges: [], variables: [] }
    const flows = Array.from({ length: flowCaps.flows }, (_, index) => ({
      ...flow,
      id: `f${index}`,
      title: `F ${index}`,
    }))
    const source = JSON.stringify({ ...flowOf(), flows })
    const params = { ...one(), fid: chatbot.fid }
    await owner.call(importFlow, { params, body: { source, mode: 'replace' } })
    expect(await send(createFlow, one(), { title: 'One more' })).toMatchObject({ status: 422 })
    expect(await list()).toHaveLength(flowCaps.flows + 1)
  })
})

describe('a chatbot of several flows', () => {
  async function fillAll() {
    const [sales, help] = [await add('Sales'), await add('Help')]
    await fill(chatbot.fid, flowOf(enters('go', sales.gid), says('back', 'Back')))
    await fill(sales.gid, flowOf(says('t', 'Sales here'), enters('go', help.gid)))
    await fill(help.gid, flowOf(block('ask', 'text-input', {})))
    return { sales, help }
  }
  const fileOf = async ({ pgid, cgid, fid } = chatbot) =>
    serialiseFlow(await owner.call(exportFlow, { params: { pgid, cgid, fid } }))

  test('exported, imported elsewhere and exported again is the same to the byte, whole', async () => {
    await fillAll()
    const file = await fileOf()
    expect(JSON.parse(file).flows.map(({ id, title }: { id: string; title: string }) => [id, title])).toEqual([
      ['flow-1', 'Sales'],
      ['flow-2', 'Help'],
    ])
    const elsewhere = await makeChatbot(owner)
    const result = await owner.call(importFlow, { params: elsewhere, body: { source: file, mode: 'replace' } })
    expect(result).toMatchObject({ flows: 3, groups: 3, blocks: 8 })
    expect(await fileOf(elsewhere)).toBe(file)
  })

  test('duplicated, it enters its own flows, not those of the original', async () => {
    const { sales, help } = await fillAll()
    const { chatbot: copy } = await owner.call(duplicateChatbot, { params: one() })
    const flows = await list({ pgid: chatbot.pgid, cgid: copy.gid })
    expect(flows.map(({ title }) => title)).toEqual(['Main flow', 'Sales', 'Help'])
    const [, copiedSales, copiedHelp] = flows
    expect(flows[0]?.enters).toEqual([copiedSales?.gid])
    expect(copiedSales?.enters).toEqual([copiedHelp?.gid])
    for (const { gid } of flows) expect([chatbot.fid, sales.gid, help.gid]).not.toContain(gid)
  })

  test('is tested as a whole, from whichever flow, through its flows and back', async () => {
    const { help } = await fillAll()
    const params = { ...one(), fid: help.gid }
    const first = await owner.call(startPlayground, { params, body: { client_id: 'start-00001' } })
    const said = (answer: typeof first) =>
      answer.conversation.messages.map(({ content }) =>
        content.kind === 'text' ? richTextToString(content.text, () => '') : content.kind,
      )
    expect(said(first)[0]).toBe('Sales here')
    expect(first.debug.active).toMatchObject({ flowId: help.gid, blockId: 'ask' })
    const second = await owner.call(sendPlaygroundMessage, {
      params: { ...params, conversation: first.conversation.id },
      body: { client_id: 'message-001', reply: { type: 'text', text: 'ok' } },
    })
    expect(said(second).at(-1)).toBe('Back')
    expect(second.conversation.state).toBe('ended')
  })

  test('is published as a whole from any of its flows, and a broken one is named', async () => {
    const { sales, help } = await fillAll()
    const { version } = await owner.call(publishFlow, { params: { ...one(), fid: help.gid } })
    expect(version.number).toBe(1)
    await fill(sales.gid, flowOf())
    const row = await server.context.db
      .selectFrom('flow_versions')
      .innerJoin('flows', 'flows.published_version_id', 'flow_versions.id')
      .select(['flow_versions.flow', 'flow_versions.flows'])
      .where('flows.gid', '=', chatbot.fid)
      .executeTakeFirstOrThrow()
    expect(Object.keys(row.flows).sort()).toEqual([sales.gid, help.gid].sort())
    expect(enteredFlows(row.flow, registry)).toEqual([sales.gid])
    expect(row.flows[sales.gid]).toEqual(flowOf(says('t', 'Sales here'), enters('go', help.gid)))
    expect((await owner.call(listVersions, { params: one() })).versions).toHaveLength(1)
  })

  test('a change in any of its flows is another draft for the playground', async () => {
    const { help } = await fillAll()
    const start = (client_id: string) =>
      owner.call(startPlayground, { params: chatbot, body: { client_id: `start-${client_id}` } })
    const versions = async () => {
      const rows = server.context.db
        .selectFrom('conversations')
        .innerJoin('chatbots', 'chatbots.id', 'chatbot_id')
        .innerJoin('runs', 'runs.id', 'conversations.run_id')
      const found = await rows.select('flow_version_id').where('chatbots.gid', '=', chatbot.cgid).execute()
      return new Set(found.map(({ flow_version_id }) => flow_version_id)).size
    }
    await start('0000a')
    await start('0000b')
    expect(await versions()).toBe(1)
    await fill(help.gid, flowOf())
    await start('0000c')
    expect(await versions()).toBe(2)
  })
})
