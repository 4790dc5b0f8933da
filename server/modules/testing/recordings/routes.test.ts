import { afterAll, beforeAll, expect, test } from 'vitest'
import { registry } from '../../../../blocks/registry'
import { httpEffect } from '../../../../engine/effects/http'
import { emptyFlow, type Flow } from '../../../../engine/flow/schema'
import { parseRecordings } from '../../../../engine/run/recordingFormat'
import type { Json } from '../../../../engine/values/json'
import { plainRichText } from '../../../../engine/values/richText'
import { addMember, makeChatbot } from '../../../../tests/support/collab'
import { reading } from '../../../../tests/support/effects'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { Role } from '../../../access/roles'
import { createFlow, exportFlow, importFlow } from '../../../contracts/flows'
import { sendPlaygroundMessage, startPlayground } from '../../../contracts/playground'
import {
  acceptTest,
  deleteTest,
  exportTests,
  importTests,
  keepTest,
  listTests,
  renameTest,
  runTests,
} from '../../../contracts/recordings'

let server: TestServer
let owner: Registered
const calls: Json[] = []
beforeAll(async () => {
  const http = async (request: Json) => {
    calls.push(request)
    return { ok: true, status: 200, headers: {}, body: { fact: 'Cats purr' }, ms: 1 }
  }
  server = await startTestServer({ effects: [reading(httpEffect, http)] })
  owner = await server.register()
})
afterAll(() => server?.close())

type Blocks = Flow['groups'][0]['blocks']
const block = (id: string, kind: string, data: object = {}) => ({
  id,
  kind,
  version: registry.find(kind)?.migrations.length ?? 0,
  data: { ...(registry.find(kind)?.defaults(() => `${id}-item`) as object), ...data },
})
/** Asks for a name, splits randomly, makes an HTTP call, enters another flow, thanks. */
const flow = (thanks: string, enters: string | null): Flow => ({
  ...emptyFlow(),
  variables: [{ id: 'name', name: 'name', value: null }],
  groups: [
    {
      id: 'g1',
      title: 'Hello',
      position: { x: 0, y: 0 },
      blocks: [
        block('start', 'start'),
        block('ask', 'text-input', { saveTo: 'name' }),
        block('split', 'ab-split'),
        block('call', 'http-request', { url: { type: 'static', value: 'https://example.com/cats' } }),
        ...(enters ? [block('visit', 'go-to', { to: 'flow', flowId: enters })] : []),
        block('thank', 'text', { content: plainRichText(thanks) }),
      ] as Blocks,
    },
    {
      id: 'g2',
      title: 'Never',
      position: { x: 500, y: 0 },
      blocks: [block('never', 'text', { content: plainRichText('Never') })] as Blocks,
    },
  ],
})

async function setUp() {
  const chatbot = await makeChatbot(owner)
  const inChatbot = { pgid: chatbot.pgid, cgid: chatbot.cgid }
  const { flow: other } = await owner.call(createFlow, { params: inChatbot, body: { title: 'Other' } })
  const draft = (thanks: string) =>
    owner.call(importFlow, {
      params: chatbot,
      body: { source: JSON.stringify(flow(thanks, other.gid)), mode: 'replace' },
    })
  const talk = async () => {
    const started = await owner.call(startPlayground, { params: chatbot, body: { client_id: crypto.randomUUID() } })
    const conversation = started.conversation.id
    await owner.call(sendPlaygroundMessage, {
      params: { ...chatbot, conversation },
      body: { client_id: crypto.randomUUID(), reply: { type: 'text', text: 'Ada' } },
    })
    return conversation
  }
  const run = () => owner.call(runTests, { params: inChatbot })
  return { chatbot, inChatbot, other, draft, talk, run }
}

test('a playground conversation is kept, replays without the outside world, and shows where the draft changed', async () => {
  const { inChatbot, draft, talk, run } = await setUp()
  await draft('Thanks')
  const conversation = await talk()
  const made = calls.length
  const { test: kept } = await owner.call(keepTest, { params: inChatbot, body: { conversation, name: ' Ada ' } })
  expect(kept).toMatchObject({ name: 'Ada', turns: 2 })
  expect((await owner.call(listTests, { params: inChatbot })).tests).toEqual([kept])

  const same = await run()
  expect(same.results).toEqual([{ gid: kept.gid, name: 'Ada', difference: null }])
  expect(same.coverage.groups.total - same.coverage.groups.reached).toBe(1)
  expect(same.coverage.unreached).toContainEqual({ flowId: null, groupId: 'g2', name: 'Main flow > Never' })

  await draft('Thank you')
  expect((await run()).results[0]?.difference).toEqual({
    turn: 1,
    type: 'said',
    place: { flowId: null, groupId: 'g1', blockId: 'thank', name: 'Main flow > Hello > Text' },
    expected: 'Thanks',
    actual: 'Thank you',
  })
  await owner.call(acceptTest, { params: { ...inChatbot, gid: kept.gid } })
  expect((await run()).results[0]?.difference).toBeNull()
  expect(calls).toHaveLength(made)

  await owner.call(renameTest, { params: { ...inChatbot, gid: kept.gid }, body: { name: 'Lovelace' } })
  expect((await run()).results[0]?.name).toBe('Lovelace')
  await owner.call(deleteTest, { params: { ...inChatbot, gid: kept.gid } })
  expect((await owner.call(listTests, { params: inChatbot })).tests).toEqual([])
  await expect(owner.call(deleteTest, { params: { ...inChatbot, gid: kept.gid } })).rejects.toThrow(': 404 ')
})

test('a conversation is kept up to the turn that one looks at', async () => {
  const { inChatbot, draft, talk, run } = await setUp()
  await draft('Thanks')
  const conversation = await talk()
  const keep = (turn: number) =>
    owner.call(keepTest, { params: inChatbot, body: { conversation, name: 'Begin', turn } })
  expect((await keep(0)).test).toMatchObject({ turns: 1 })
  expect((await keep(1)).test).toMatchObject({ turns: 2 })
  await draft('Thank you')
  expect((await run()).results.map(({ difference }) => difference?.type ?? null)).toEqual([null, 'said'])
})

test('exported tests fit the exported chatbot, and its copy, whose flows have other ids', async () => {
  const { chatbot, inChatbot, draft, talk } = await setUp()
  await draft('Thanks')
  await owner.call(keepTest, { params: inChatbot, body: { conversation: await talk(), name: 'Ada' } })
  const { file } = await owner.call(exportTests, { params: inChatbot })
  const [recording] = parseRecordings(file)
  const visited = recording?.turns.flatMap(({ expected }) => expected.steps.map(({ flowId }) => flowId))
  expect(visited).toContain('flow-1')
  // it contains the runtime's answers (random numbers and calls), and the resulting path
  expect(recording?.turns[1]?.answers).toMatchObject([
    { type: 'random', result: expect.any(Number) },
    { type: 'call', service: 'http', result: { ok: true, body: { fact: 'Cats purr' } } },
  ])
  expect(recording?.turns[1]?.expected.steps.find(({ blockId }) => blockId === 'call')?.port).toBe('success')

  const exported = await owner.call(exportFlow, { params: chatbot })
  const copy = await makeChatbot(owner)
  const inCopy = { pgid: copy.pgid, cgid: copy.cgid }
  await owner.call(importFlow, { params: copy, body: { source: JSON.stringify(exported), mode: 'replace' } })
  expect(await owner.call(importTests, { params: inCopy, body: { source: file } })).toEqual({ added: 1 })
  expect((await owner.call(runTests, { params: inCopy })).results[0]?.difference).toBeNull()
  await expect(owner.call(importTests, { params: inCopy, body: { source: '{}' } })).rejects.toMatchObject({
    message: expect.stringContaining('parley-recording'),
  })
})

test('who may only look keeps and runs tests, and changes none; nobody keeps another’s conversation', async () => {
  const { inChatbot, draft, talk } = await setUp()
  await draft('Thanks')
  const conversation = await talk()
  const { test: kept } = await owner.call(keepTest, { params: inChatbot, body: { conversation, name: 'Ada' } })
  const viewer = await server.register()
  await addMember(server, owner.pgid, viewer, [Role.VIEWER])
  expect((await viewer.call(runTests, { params: inChatbot })).results).toHaveLength(1)
  await expect(viewer.call(keepTest, { params: inChatbot, body: { conversation, name: 'Mine' } })).rejects.toThrow(
    ': 404 ',
  )
  await expect(viewer.call(deleteTest, { params: { ...inChatbot, gid: kept.gid } })).rejects.toThrow(': 403 ')
})
