import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { registry } from '../../blocks/registry'
import { encodeInTurns } from '../../engine/document/encodeInTurns'
import { readDocument } from '../../engine/document/plainFlow'
import { flowRow, makeChatbot } from '../../tests/support/collab'
import { largeFlow } from '../../tests/support/largeFlow'
import { openRaw } from '../../tests/support/rawPeer'
import { type Registered, startTestServer, type TestServer } from '../../tests/support/server'
import { createDocuments } from './documents'

vi.mock('../../engine/document/encodeInTurns', { spy: true })

let server: TestServer
let owner: Registered
beforeAll(async () => {
  server = await startTestServer()
  owner = await server.register()
})
afterAll(() => server?.close())

test('a large document is sent to who has nothing of it in turns with others, a small one at once', async () => {
  const { fid } = await makeChatbot(owner)
  const small = await openRaw(server, owner, fid)
  await small.reads()
  expect(encodeInTurns).not.toHaveBeenCalled()
  small.socket.terminate()

  const flow = await flowRow(server, fid)
  await createDocuments(server.context).writeFlow(flow.projectId, flow.id, largeFlow(300))
  const peer = await openRaw(server, owner, fid)
  const doc = await peer.reads()
  expect(encodeInTurns).toHaveBeenCalledTimes(1)
  expect(doc && readDocument(doc, registry).groups).toHaveLength(300)
  peer.socket.terminate()
})
