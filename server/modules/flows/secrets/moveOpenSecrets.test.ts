import { afterAll, beforeAll, expect, test } from 'vitest'
import { registry } from '../../../../blocks/registry'
import { type Block, emptyFlow, type Flow } from '../../../../engine/flow/schema'
import { makeChatbot } from '../../../../tests/support/collab'
import { type OutsideServer, startOutsideServer } from '../../../../tests/support/outsideServer'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { tableDump } from '../../../../tests/support/tableDump'
import { exportFlow, publishFlow } from '../../../contracts/flows'
import { startPlayground } from '../../../contracts/playground'
import { keepTest, runTests } from '../../../contracts/recordings'
import { listSecrets } from '../../../contracts/secrets'
import { parseNetworks } from '../../../platform/outbound/addresses'
import { createDocuments } from '../collab/documents'
import { moveOpenSecrets } from './moveOpenSecrets'

/** An installation from before secrets existed, with passwords and keys in plain text in its flows. */
let outside: OutsideServer
let server: TestServer
let owner: Registered
beforeAll(async () => {
  outside = await startOutsideServer((request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ echo: request.headers })),
  )
  server = await startTestServer({ config: { outboundAllow: parseNetworks('127.0.0.1') } })
  owner = await server.register()
})
afterAll(async () => {
  outside.close()
  await server.close()
})

const fixed = (value: string) => ({ type: 'static' as const, value })
const block = (id: string, kind: string, data: object = {}): Block => ({
  id,
  kind,
  version: registry.get(kind).migrations.length,
  data: { ...(registry.get(kind).defaults(() => `${id}-item`) as object), ...data } as Block['data'],
})
const header = (name: string, value: string) => ({ id: `row-${name}`, name: fixed(name), value: fixed(value) })
const auth = (more: object) => ({
  ...(registry.get('http-request').defaults(() => 'x') as { auth: object }).auth,
  ...more,
})
/** The value at each place; none is a prefix of another. */
const canary = (place: string) => `canary-${place}-9x7`

function flow(token: string, headers: ReturnType<typeof header>[], more: Block[] = []): Flow {
  const call = block('call', 'http-request', {
    url: fixed(`${outside.url}/call`),
    headers,
    auth: auth({ type: 'bearer', token: fixed(token), password: fixed(canary('unused')) }),
    mapping: [{ id: 'm', from: 'body', path: '$', variableId: 'kept' }],
  })
  const said = block('said', 'text', {
    content: [{ type: 'paragraph', children: [{ text: '', variable: true, variable_id: 'kept' }] }],
  })
  return {
    ...emptyFlow(),
    variables: [{ id: 'kept', name: 'kept', value: null }],
    groups: [{ id: 'g', title: 'G', position: { x: 0, y: 0 }, blocks: [block('start', 'start'), call, said, ...more] }],
  }
}

test('what stood open in drafts, their history, versions, tests and records is sealed, and flows go on with it', async () => {
  const { db } = server.context
  const documents = server.parts.documents
  const bot = await makeChatbot(owner)
  const { pgid, cgid } = bot
  const place = await db.selectFrom('flows').selectAll().where('gid', '=', bot.fid).executeTakeFirstOrThrow()
  const write = (draft: Flow) => documents.writeFlow(place.project_id, place.id, draft)
  const key = header('X-Api-Key', `Token ${canary('header')}`)
  const plain = header('X-Plain', 'stays readable')
  await write(flow(canary('overwritten'), [key, plain, header('Cookie', canary('deleted-row'))]))
  await owner.call(startPlayground, { params: bot, body: { client_id: crypto.randomUUID() } })
  // a deleted group and block, which the document keeps for undo
  const deleted = block('gone', 'http-request', {
    auth: auth({ type: 'basic', password: fixed(canary('gone-block')) }),
  })
  await write(flow(canary('token'), [key, plain], [deleted]))
  await write(flow(canary('token'), [key, plain]))
  await owner.call(publishFlow, { params: bot, body: {} })
  const { conversation } = await owner.call(startPlayground, { params: bot, body: { client_id: crypto.randomUUID() } })
  await owner.call(keepTest, { params: { pgid, cgid }, body: { conversation: conversation.id, name: 'Kept' } })
  // nobody has the flow open
  await documents.rooms.close()
  await db.updateTable('chatbots').set({ secrets_sealed: false }).execute()
  expect((await tableDump(db)).match(/canary-[a-z-]+-9x7/g)).toEqual(
    expect.arrayContaining(['header', 'overwritten', 'token', 'unused', 'gone-block', 'deleted-row'].map(canary)),
  )

  expect(await moveOpenSecrets(server.context)).toBeGreaterThan(0)
  const left = (await tableDump(db)).split('\n').filter((line) => line.includes('canary'))
  expect(left).toEqual([])
  expect(await moveOpenSecrets(server.context)).toBe(0)

  const { secrets } = await owner.call(listSecrets, { params: { pgid } })
  expect(secrets.map(({ name }) => name)).toEqual(expect.arrayContaining(['API_TOKEN', 'API_PASSWORD', 'X_API_KEY']))
  const file = JSON.stringify(await owner.call(exportFlow, { params: bot }))
  expect(file).toContain('secret_API_TOKEN')
  expect(file).toContain('stays readable')

  const before = outside.received.length
  const again = await owner.call(startPlayground, { params: bot, body: { client_id: crypto.randomUUID() } })
  expect(again.debug.path.find(({ blockId }) => blockId === 'call')?.port).toBe('success')
  expect(outside.received.slice(before).map(({ headers }) => [headers.authorization, headers['x-api-key']])).toEqual([
    [`Bearer ${canary('token')}`, `Token ${canary('header')}`],
  ])
  // a kept test makes the same request as the flow does now
  const { results } = await owner.call(runTests, { params: { pgid, cgid } })
  expect(results.map(({ difference }) => difference)).toEqual([null])
})

test('what a draft held only before, and nothing of which stands in it now, is in no stored update afterwards', async () => {
  const { db } = server.context
  const { cgid, fid } = await makeChatbot(owner)
  const { id, project_id } = await db.selectFrom('flows').selectAll().where('gid', '=', fid).executeTakeFirstOrThrow()
  const documents = server.parts.documents
  const calling = (token: string): Flow => ({
    ...emptyFlow(),
    groups: [
      {
        id: 'g',
        title: 'G',
        position: { x: 0, y: 0 },
        blocks: [
          block('start', 'start'),
          block('call', 'http-request', {
            url: fixed(outside.url),
            auth: auth({ type: 'bearer', token: fixed(token) }),
          }),
        ],
      },
    ],
  })
  for (const token of [canary('first'), canary('second'), '']) await documents.writeFlow(project_id, id, calling(token))
  await documents.rooms.close()
  const draft = await documents.readFlow(project_id, id)
  expect(JSON.stringify(draft)).not.toContain('canary')
  const held = async () => (await tableDump(db)).match(/canary-(?:first|second)-9x7/g) ?? []
  expect(await held()).toEqual(expect.arrayContaining(['first', 'second'].map(canary)))

  await db.updateTable('chatbots').set({ secrets_sealed: false }).where('gid', '=', cgid).execute()
  expect(await moveOpenSecrets(server.context)).toBe(1)
  expect(await held()).toEqual([])
  expect(await createDocuments({ ...server.context }).readFlow(project_id, id)).toEqual(draft)
})
