import { afterAll, beforeAll, expect, test } from 'vitest'
import * as Y from 'yjs'
import { registry } from '../../../../blocks/registry'
import { REPAIRED_TOPIC } from '../../../../engine/document/syncProtocol'
import { openFlow } from '../../../../src/collab/openFlow'
import { makeChatbot, openPeer, socketOf, storedFlow, synced } from '../../../../tests/support/collab'
import { startTestServer, type TestServer } from '../../../../tests/support/server'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

test('what a client breaks is put right on the server, stored, and told to the builders that have the flow open', async () => {
  const owner = await server.register()
  const { fid } = await makeChatbot(owner)
  const editor = openFlow({
    room: fid,
    readOnly: false,
    registry,
    url: `${server.url.replace('http', 'ws')}/collab`,
    WebSocket: socketOf(owner),
  })
  const told = new Promise<string | null>((resolve) => editor.onNews(REPAIRED_TOPIC, resolve))
  const peer = openPeer(server, owner, fid)
  await synced(peer)
  await expect.poll(() => editor.store.getState().ready).toBe(true)
  const { doc } = peer.document
  peer.document.commands.addGroup({ id: 'g1', title: 'G', position: { x: 0, y: 0 }, blocks: [] })
  doc.transact(() => {
    const lost = new Y.Map<unknown>([
      ['kind', 'text'],
      ['version', registry.get('text').migrations.length],
    ])
    doc.getMap('blocks').set('lost', lost)
    doc.getMap('edges').set('lost/next', { groupId: 'nowhere' })
  })
  await peer.sees((document) => document.projection().blocks.get('lost')?.groupId === 'recovered-1')
  expect(JSON.parse((await told) ?? '')).toEqual([
    { code: 'block-placed', blockId: 'lost', groupId: 'recovered-1' },
    { code: 'text-made', blockId: 'lost', field: 'content' },
    { code: 'edge-removed', blockId: 'lost', portId: 'next' },
  ])
  const groups = (await storedFlow(server, fid)).groups
  expect(groups.find(({ id }) => id === 'recovered-1')?.blocks.map(({ id }) => id)).toEqual(['lost'])
  peer.leave()
  editor.close()
})
