import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { registry } from '../../../../blocks/registry'
import { serialiseFlow } from '../../../../engine/flow/canonical'
import { type Block, emptyFlow, type Flow } from '../../../../engine/flow/schema'
import { plainRichText } from '../../../../engine/values/richText'
import { pathOf } from '../../../../tests/support/client'
import { addMember, makeChatbot, openPeer, synced } from '../../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { Role } from '../../../access/roles'
import { readChatbot } from '../../../contracts/chatbots'
import { createFlow, deleteFlow, importFlow, listFlows, publishFlow } from '../../../contracts/flows'
import {
  checkDraft,
  listVersions,
  publishVersion,
  readVersion,
  renameVersion,
  restoreVersion,
  VERSIONS_PER_PAGE,
  versionCaps,
} from '../../../contracts/versions'

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

const block = (id: string, kind: string, data: object): Block => ({
  id,
  kind,
  version: registry.find(kind)?.migrations.length ?? 0,
  data: { ...(registry.find(kind)?.defaults(() => `${id}-item`) as object), ...data } as Block['data'],
})
const says = (text: string) => block('t', 'text', { content: plainRichText(text) })
const enters = (flowId: string) => block('go', 'go-to', { to: 'flow', flowId })
const flowOf = (...blocks: Block[]): Flow => ({
  ...emptyFlow(),
  groups: [{ id: 'g', title: 'Begin', position: { x: 0, y: 0 }, blocks: [block('s', 'start', {}), ...blocks] }],
})

const one = () => ({ pgid: chatbot.pgid, cgid: chatbot.cgid })
const at = (version: number) => ({ ...one(), version })
const fill = (flow: Flow, fid = chatbot.fid) =>
  owner.call(importFlow, { params: { ...one(), fid }, body: { source: serialiseFlow(flow), mode: 'replace' } })
const publish = (body: { name?: string; notes?: string } = {}) => owner.call(publishFlow, { params: chatbot, body })
const list = async () => (await owner.call(listVersions, { params: one() })).versions
const draft = async (fid = chatbot.fid) => {
  const { flows } = await owner.call(readVersion, { params: { ...one(), version: 'draft' as const } })
  return flows.find(({ gid }) => gid === fid)?.flow
}
const published = async () => (await owner.call(readChatbot, { params: one() })).chatbot.published?.version
const addNamed = async (title: string) => (await owner.call(createFlow, { params: one(), body: { title } })).flow.gid
const send = (route: { method: string; path: string }, params: object, body?: unknown, as = owner) =>
  as.send(route.method, pathOf(route.path, { ...params }), body)

describe('a version', () => {
  test('has a number, who and when, a name and notes, and can be renamed', async () => {
    await publish({ name: ' First ', notes: 'Says hello' })
    await publish()
    const [second, first] = await list()
    expect(first).toMatchObject({ number: 1, name: 'First', notes: 'Says hello', kept: false })
    expect(first?.by).toBe(`${owner.user.first_name} ${owner.user.last_name}`)
    expect(second).toMatchObject({ number: 2, name: null, notes: '' })
    const { version } = await owner.call(renameVersion, { params: at(1), body: { name: 'Hello' } })
    expect(version).toMatchObject({ name: 'Hello', notes: 'Says hello' })
    expect((await owner.call(renameVersion, { params: at(1), body: { name: '' } })).version.name).toBeNull()
  })

  test('is refused a name or notes above the cap', async () => {
    await publish({ name: 'x'.repeat(versionCaps.name), notes: 'x'.repeat(versionCaps.notes) })
    for (const body of [
      { name: 'x'.repeat(versionCaps.name + 1) },
      { notes: 'x'.repeat(versionCaps.notes + 1) },
      { other: 1 },
    ]) {
      expect((await send(renameVersion, at(1), body)).status).toBe(422)
      expect((await send(publishFlow, chatbot, body)).status).toBe(422)
    }
    expect(await list()).toHaveLength(1)
  })

  test('is listed by pages, the newest first', async () => {
    for (let number = 0; number < VERSIONS_PER_PAGE + 2; number++) await publish()
    const first = await owner.call(listVersions, { params: one() })
    expect([first.versions.length, first.more, first.published]).toEqual([
      VERSIONS_PER_PAGE,
      true,
      VERSIONS_PER_PAGE + 2,
    ])
    const before = first.versions.at(-1)?.number
    const { versions, more } = await owner.call(listVersions, { params: one(), query: { before } })
    expect([versions.map(({ number }) => number), more]).toEqual([[2, 1], false])
    for (const query of ['before=0', 'before=x', 'after=1']) {
      expect((await owner.send('GET', `${pathOf(listVersions.path, one())}?${query}`)).status, query).toBe(422)
    }
  })

  test('is read as a whole, as the draft is, under the names that its flows had', async () => {
    const help = await addNamed('Help')
    await fill(flowOf(enters(help)))
    await publish()
    await owner.call(deleteFlow, { params: { ...one(), fid: help }, body: { confirmed: true } })
    const { flows } = await owner.call(readVersion, { params: at(1) })
    expect(flows.map(({ gid, title, is_main }) => [gid, title, is_main])).toEqual([
      [chatbot.fid, 'Main flow', true],
      [help, 'Help', false],
    ])
    const now = await owner.call(readVersion, { params: { ...one(), version: 'draft' as const } })
    expect(now.flows).toEqual([flows[0]])
    for (const version of ['2', '0', 'x', '1.5']) {
      expect((await send(readVersion, { ...one(), version })).status, version).toBe(404)
    }
  })
})

describe('restoring', () => {
  test('makes all drafts what they were, keeps the draft before, and brings deleted flows back', async () => {
    const [help, sales] = [await addNamed('Help'), await addNamed('Sales')]
    const first = flowOf(says('First'), enters(help))
    await fill(first)
    await fill(flowOf(says('Help here')), help)
    await publish()
    await fill(flowOf(says('Second')))
    await fill(flowOf(says('Else')), sales)
    await owner.call(deleteFlow, { params: { ...one(), fid: help }, body: { confirmed: true } })
    const late = await addNamed('Made since')

    const { kept, flow } = await owner.call(restoreVersion, { params: at(1), body: {} })
    expect(flow).toBeNull()
    expect(kept).toMatchObject({ number: 2, name: 'Before restoring version 1', kept: true })
    expect(await draft(help)).toEqual(flowOf(says('Help here')))
    expect((await draft())?.groups).toEqual(first.groups)
    const flows = (await owner.call(listFlows, { params: one() })).flows.map(({ gid, title }) => [gid, title])
    expect(flows).toEqual([
      [chatbot.fid, 'Main flow'],
      [sales, 'Sales'],
      [late, 'Made since'],
      [help, 'Help'],
    ])
    expect(await published()).toBe(1)
    // nothing is lost: the previous draft is a version, too
    await owner.call(restoreVersion, { params: at(2), body: {} })
    expect((await draft())?.groups).toEqual(flowOf(says('Second')).groups)
    expect(await draft(sales)).toEqual(flowOf(says('Else')))
  })

  test('of what the newest version holds already keeps nothing twice', async () => {
    await publish()
    const { kept } = await owner.call(restoreVersion, { params: at(1), body: {} })
    expect(kept).toBeNull()
    expect(await list()).toHaveLength(1)
  })

  test('is seen by open editors; the flow that is open with the caller is given back instead', async () => {
    const help = await addNamed('Help')
    await fill(flowOf(says('Old'), enters(help)))
    await fill(flowOf(says('Old help')), help)
    await publish()
    await fill(flowOf(says('New'), enters(help)))
    await fill(flowOf(says('New help')), help)
    const peer = openPeer(server, owner, help)
    await synced(peer)
    const { flow } = await owner.call(restoreVersion, { params: at(1), body: { open: chatbot.fid } })
    await peer.sees((document) => JSON.stringify(document.toFlow()).includes('Old help'))
    expect(JSON.stringify(flow)).toContain('Old')
    expect(JSON.stringify(await draft())).toContain('New')
    peer.leave()
  })
})

describe('publishing', () => {
  test('an older version again gives it to visitors and leaves the draft', async () => {
    await fill(flowOf(says('One')))
    await publish()
    await fill(flowOf(says('Two')))
    await publish()
    const before = await draft()
    await owner.call(publishVersion, { params: at(1) })
    expect(await published()).toBe(1)
    expect(await draft()).toEqual(before)
    expect(await list()).toHaveLength(2)
    expect((await publish()).version.number).toBe(3)
  })

  test('is refused for errors, with the list; warnings and flows that nobody gets to hold nothing up', async () => {
    const help = await addNamed('Help')
    await fill(flowOf(enters('z'.repeat(16))), help)
    await fill(flowOf(says('Alone')))
    expect((await publish()).version.number).toBe(1)

    await fill(flowOf(enters(help)))
    const refused = await send(publishFlow, chatbot, {})
    expect(refused).toMatchObject({
      status: 422,
      body: {
        code: 'flow_errors',
        data: {
          message: expect.stringContaining('runs a flow that was deleted'),
          errors: [{ flow: { gid: help, title: 'Help' }, code: 'flow-gone', group: 'Begin', block_id: 'go' }],
          error_count: 1,
        },
      },
    })
    expect(await owner.call(checkDraft, { params: one() })).toMatchObject({
      error_count: 1,
      errors: [{ group_id: 'g' }],
    })
    expect(await published()).toBe(1)
  })

  test('a draft that was kept is checked, what visitors had once is not', async () => {
    await publish()
    await fill(flowOf(enters('z'.repeat(16))))
    await owner.call(restoreVersion, { params: at(1), body: {} })
    expect((await send(publishVersion, at(2), {})).body.code).toBe('flow_errors')
    await server.context.db
      .updateTable('flow_versions')
      .set({ first_published_at: new Date() })
      .where('number', '=', 2)
      .execute()
    expect((await send(publishVersion, at(2), {})).status).toBe(200)
  })
})

describe('rights', () => {
  const changing = [
    [renameVersion, { name: 'x' }],
    [restoreVersion, {}],
    [publishVersion, {}],
  ] as const

  test('those who may only look see versions and change nothing', async () => {
    await publish()
    const viewer = await server.register()
    await addMember(server, chatbot.pgid, viewer, [Role.VIEWER])
    expect((await viewer.call(listVersions, { params: one() })).versions).toHaveLength(1)
    expect((await viewer.call(readVersion, { params: at(1) })).flows).toHaveLength(1)
    await viewer.call(checkDraft, { params: one() })
    for (const [route, body] of changing) {
      expect((await send(route, at(1), body, viewer)).status, route.path).toBe(403)
    }
  })

  test('analysts and those who pay see none; strangers, and another chatbot’s numbers, find nothing', async () => {
    await publish()
    const analyst = await server.register()
    await addMember(server, chatbot.pgid, analyst, [Role.ANALYST, Role.BILLING])
    const stranger = await server.register()
    const other = await makeChatbot(owner)
    for (const [route, body] of [[listVersions], [readVersion], [checkDraft], ...changing] as const) {
      expect((await send(route, at(1), body, analyst)).status, route.path).toBe(403)
      expect((await send(route, at(1), body, stranger)).status, route.path).toBe(404)
      expect((await send(route, { ...at(1), pgid: stranger.pgid }, body, stranger)).status, route.path).toBe(404)
      if (route !== listVersions && route !== checkDraft)
        expect((await send(route, { ...at(1), cgid: other.cgid }, body)).status, route.path).toBe(404)
    }
  })
})
