import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serialiseFlow } from '../../../../engine/flow/canonical'
import { emptyFlow, type Flow, flowCaps } from '../../../../engine/flow/schema'
import { pathOf } from '../../../../tests/support/client'
import { addMember, makeChatbot, openPeer, synced } from '../../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { typebotSource } from '../../../../tests/support/typebot'
import { Role } from '../../../access/roles'
import { readChatbot } from '../../../contracts/chatbots'
import { exportFlow, importFlow, openDocument, publishFlow, unpublishFlow } from '../../../contracts/flows'
import { listVersions } from '../../../contracts/versions'
import { freezeDraft, frozen } from '../versions/freeze'

let server: TestServer
let owner: Registered
beforeAll(async () => {
  server = await startTestServer()
  owner = await server.register()
})
afterAll(() => server?.close())

const leadGeneration = typebotSource('lead-generation.json')
const start = { id: 's', kind: 'start', version: 0, data: {} }
const flowOf = (...groupIds: string[]): Flow => ({
  ...emptyFlow(),
  groups: groupIds.map((id, i) => ({ id, title: id, position: { x: i * 300, y: 0 }, blocks: i === 0 ? [start] : [] })),
})

const versionsOf = ({ pgid, cgid }: { pgid: string; cgid: string }) =>
  owner.call(listVersions, { params: { pgid, cgid } })

describe('opening', () => {
  test('an editor may write, a viewer only read', async () => {
    const params = await makeChatbot(owner)
    const viewer = await server.register()
    await addMember(server, params.pgid, viewer, [Role.VIEWER])
    expect(await owner.call(openDocument, { params })).toEqual({ room: params.fid, read_only: false })
    expect(await viewer.call(openDocument, { params })).toEqual({ room: params.fid, read_only: true })
  })

  test('a foreign or unknown project, chatbot or flow is not found, for every route', async () => {
    const mine = await makeChatbot(owner)
    const other = await makeChatbot(owner)
    const stranger = await server.register()
    const routes = [openDocument, exportFlow, importFlow, publishFlow, unpublishFlow]
    for (const route of routes) {
      const body = route === importFlow ? { source: '{}', mode: 'replace' } : {}
      const ask = (client: Registered, params: object) =>
        client.send(route.method, pathOf(route.path, { ...params }), route.method === 'GET' ? undefined : body)
      expect((await ask(stranger, mine)).status).toBe(404)
      expect((await ask(stranger, { ...mine, pgid: stranger.pgid })).status).toBe(404)
      expect((await ask(owner, { ...mine, fid: other.fid })).status).toBe(404)
      expect((await ask(owner, { ...mine, fid: 'zzzzzzzzzzzzzzzz' })).status).toBe(404)
    }
  })

  test('a viewer may not import or publish', async () => {
    const params = await makeChatbot(owner)
    const viewer = await server.register()
    await addMember(server, params.pgid, viewer, [Role.VIEWER])
    for (const route of [importFlow, publishFlow, unpublishFlow]) {
      const answer = await viewer.send(
        'POST',
        pathOf(route.path, params),
        route === importFlow ? { source: '{}', mode: 'replace' } : {},
      )
      expect([answer.status, answer.body.code]).toEqual([403, 'forbidden'])
    }
  })
})

describe('import and export', () => {
  test('what is exported, imported elsewhere and exported again is the same to the byte', async () => {
    const [first, second] = [await makeChatbot(owner), await makeChatbot(owner)]
    const { report, blocks } = await owner.call(importFlow, {
      params: first,
      body: { source: leadGeneration, mode: 'replace' },
    })
    expect(report.product).toBe('typebot')
    expect(blocks).toBeGreaterThan(3)
    const file = serialiseFlow(await owner.call(exportFlow, { params: first }))
    await owner.call(importFlow, { params: second, body: { source: file, mode: 'replace' } })
    expect(serialiseFlow(await owner.call(exportFlow, { params: second }))).toBe(file)
  })

  test('open editors see what is imported, and what they type is in the export', async () => {
    const params = await makeChatbot(owner)
    const peer = openPeer(server, owner, params.fid)
    await synced(peer)
    await owner.call(importFlow, { params, body: { source: serialiseFlow(flowOf('a', 'b')), mode: 'replace' } })
    await peer.sees((document) => document.projection().groups.has('b'))
    const other = openPeer(server, owner, params.fid)
    await synced(other)
    other.document.commands.setGroupTitle('b', 'Typed')
    await peer.sees((document) => document.projection().groups.get('b')?.title === 'Typed')
    expect((await owner.call(exportFlow, { params })).groups[1]?.title).toBe('Typed')
    peer.leave()
    other.leave()
  })

  test('a draft that a client filled with what no flow may have is exported in order', async () => {
    const params = await makeChatbot(owner)
    const peer = openPeer(server, owner, params.fid)
    await synced(peer)
    peer.document.doc.getMap('variables').set('v', { name: 'x'.repeat(51), value: null, order: 'a0' })
    const names = async () => (await owner.call(exportFlow, { params })).variables.map(({ name }) => name)
    await expect.poll(names).toEqual(['x'.repeat(50)])
    peer.leave()
  })

  test('inserting the same file twice gives everything twice', async () => {
    const params = await makeChatbot(owner)
    const source = serialiseFlow(flowOf('a', 'b'))
    await owner.call(importFlow, { params, body: { source, mode: 'replace' } })
    await owner.call(importFlow, { params, body: { source, mode: 'insert' } })
    const { groups } = await owner.call(exportFlow, { params })
    expect(groups.map(({ title }) => title).sort()).toEqual(['a', 'a', 'b', 'b'])
    expect(new Set(groups.flatMap(({ id, blocks }) => [id, ...blocks.map((block) => block.id)])).size).toBe(6)
  })

  test.each([
    ['broken JSON', '{"format": "parley-flow", "groups": [', 422],
    ['no flow at all', '{"hello": "world"}', 422],
    [
      'a flow with a group too much in the wrong shape',
      JSON.stringify({ ...flowOf('a'), groups: [{ id: 'a', title: 5 }] }),
      422,
    ],
    ['nested 5,000 deep', `{"format":"parley-flow","groups":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, 422],
    ['of more than 20 MB', ' '.repeat(flowCaps.bytes + 1), 413],
  ])('a file with %s is refused with a reason, and the draft stays', async (_, source, status) => {
    const params = await makeChatbot(owner)
    const before = await owner.call(exportFlow, { params })
    const answer = await owner.send('POST', pathOf(importFlow.path, params), { source, mode: 'replace' })
    expect(answer.status).toBe(status)
    expect(answer.text.length).toBeGreaterThan(60)
    expect(answer.text).not.toContain('error occured')
    expect(await owner.call(exportFlow, { params })).toEqual(before)
  })

  test.each([
    {},
    { source: 5, mode: 'replace' },
    { source: '{}', mode: 'merge' },
    { source: '{}', mode: 'replace', more: 1 },
    { source: '{}' },
  ])('a call with the fields %j is refused', async (body) => {
    const params = await makeChatbot(owner)
    const answer = await owner.send('POST', pathOf(importFlow.path, params), body)
    expect([answer.status, answer.body.code]).toEqual([422, 'invalid'])
  })
})

describe('versions', () => {
  test('publishing freezes the draft under the next number, and unpublishing takes it off', async () => {
    const params = await makeChatbot(owner)
    const first = await owner.call(publishFlow, { params })
    expect(first.version.number).toBe(1)
    expect(first.version.by).toBe(`${owner.user.first_name} ${owner.user.last_name}`)
    const { chatbot } = await owner.call(readChatbot, { params: { pgid: params.pgid, cgid: params.cgid } })
    expect(first.url).toMatch(new RegExp(`/c/${chatbot.slug}$`))
    expect(chatbot.published?.version).toBe(1)
    const frozen = await owner.call(exportFlow, { params })
    await owner.call(importFlow, { params, body: { source: serialiseFlow(flowOf('a')), mode: 'replace' } })
    expect((await owner.call(publishFlow, { params })).version.number).toBe(2)
    const rows = await server.context.db
      .selectFrom('flow_versions')
      .innerJoin('flows', 'flows.id', 'flow_versions.flow_id')
      .select(['number', 'flow'])
      .where('flows.gid', '=', params.fid)
      .orderBy('number')
      .execute()
    expect(rows.map(({ number }) => number)).toEqual([1, 2])
    expect(rows[0]?.flow).toEqual(frozen)
    expect((await versionsOf(params)).versions.map(({ number }) => number)).toEqual([2, 1])
    await owner.call(unpublishFlow, { params })
    expect(
      (await owner.call(readChatbot, { params: { pgid: params.pgid, cgid: params.cgid } })).chatbot.published,
    ).toBeNull()
    expect((await owner.call(publishFlow, { params })).version.number).toBe(3)
  })

  test('ten who publish at once get ten numbers', async () => {
    const params = await makeChatbot(owner)
    const answers = await Promise.all(Array.from({ length: 10 }, () => owner.call(publishFlow, { params })))
    expect(answers.map(({ version }) => version.number).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  test('a draft without a start is not published, with the reason', async () => {
    const params = await makeChatbot(owner)
    await owner.call(importFlow, { params, body: { source: serialiseFlow(emptyFlow()), mode: 'replace' } })
    const answer = await owner.send('POST', pathOf(publishFlow.path, params), {})
    expect([answer.status, answer.body.code]).toEqual([422, 'flow_errors'])
    expect(answer.text).toContain('This flow has no trigger')
    expect((await versionsOf(params)).versions).toEqual([])
  })

  test('a draft frozen twice for the playground is one row, without a number', async () => {
    const params = await makeChatbot(owner)
    const place = await server.context.db
      .selectFrom('flows')
      .select(['id', 'project_id'])
      .where('gid', '=', params.fid)
      .executeTakeFirstOrThrow()
    const flow = await server.parts.documents.readFlow(place.project_id, place.id)
    const ids = await Promise.all([
      freezeDraft(server.context, place, frozen({ main: flow, others: [] })),
      freezeDraft(server.context, place, frozen({ main: flow, others: [] })),
    ])
    expect(ids[0]).toBe(ids[1])
    expect((await versionsOf(params)).versions).toEqual([])
  })
})
