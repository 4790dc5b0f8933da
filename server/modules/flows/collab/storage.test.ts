import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { registry } from '../../../../blocks/registry'
import { readDocument, updateOf } from '../../../../engine/document/plainFlow'
import { splitUpdate } from '../../../../engine/document/splitUpdate'
import { MESSAGE_SAVED } from '../../../../engine/document/syncProtocol'
import { emptyFlow, type Flow } from '../../../../engine/flow/schema'
import {
  flowRow,
  frame,
  makeChatbot,
  openPeer,
  type Peer,
  rawSocket,
  storedFlow,
  synced,
  updateWith,
} from '../../../../tests/support/collab'
import { failingInserts } from '../../../../tests/support/failingInserts'
import { largeFlow } from '../../../../tests/support/largeFlow'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { createDocuments } from './documents'
import { createLoadedDoc } from './foldParts'
import { openRoom, type Room } from './room'
import { createRooms } from './rooms'
import { appendUpdate, applyInPieces, compactDocument, loadDocument, readNews } from './store'

const fixture = new URL('../../../../engine/document/fixtures/firstKinds.json', import.meta.url)
const firstKinds = Buffer.from(JSON.parse(readFileSync(fixture, 'utf8')).update, 'base64')

let server: TestServer
let owner: Registered
beforeAll(async () => {
  server = await startTestServer()
  owner = await server.register()
})
afterAll(() => server?.close())

const title = (groupId: string, text: string) => (document: Peer['document']) =>
  document.projection().groups.get(groupId)?.title === text
const group = (id: string) => ({ id, title: id, position: { x: 0, y: 0 }, blocks: [] })

describe('what is stored', () => {
  test('a server that stops and starts again has all of it', async () => {
    const first = await startTestServer()
    const person = await first.register()
    const { fid } = await makeChatbot(person)
    const peer = openPeer(first, person, fid)
    await synced(peer)
    peer.document.commands.addGroup(group('kept'))
    const row = await first.context.db
      .selectFrom('flows')
      .select(['id', 'project_id'])
      .where('gid', '=', fid)
      .executeTakeFirstOrThrow()
    await peer.sees(title('kept', 'kept'))
    const watcher = openPeer(first, person, fid)
    await watcher.sees(title('kept', 'kept'))
    peer.leave()
    watcher.leave()
    await first.app.close()
    const again = await createDocuments({ ...first.context }).readFlow(row.project_id, row.id)
    expect(again.groups.map(({ id }) => id)).toContain('kept')
    await first.close()
  })

  test('folding updates together loses nothing that is appended meanwhile', async () => {
    const { fid } = await makeChatbot(owner)
    const flow = await flowRow(server, fid)
    const { db } = server.context
    const append = (n: number) =>
      appendUpdate(
        db,
        flow,
        updateWith((doc) => doc.getMap('variables').set(`v${n}`, { name: `v${n}`, value: n, order: `a${n % 10}` })),
      )
    await Promise.all(Array.from({ length: 60 }, (_, n) => (n % 15 === 14 ? compactDocument(db, flow) : append(n))))
    await compactDocument(db, flow)
    const stored = await loadDocument(db, flow)
    expect(stored.ids).toEqual([])
    expect(createLoadedDoc(stored.parts).getMap('variables').size).toBe(56)
  })

  test('a process killed between an update and folding, or in the middle of folding, leaves what was acknowledged', async () => {
    const { fid } = await makeChatbot(owner)
    const flow = await flowRow(server, fid)
    const { db } = server.context
    await appendUpdate(
      db,
      flow,
      updateWith((doc) => doc.getMap('variables').set('v', { name: 'v', value: 1, order: 'a0' })),
    )
    const killed = db.transaction().execute(async (trx) => {
      // nested transactions use this one
      const inner = new Proxy(trx, {
        get(target, key) {
          if (key === 'transaction') return () => ({ execute: (run: (t: typeof trx) => Promise<boolean>) => run(trx) })
          const value = Reflect.get(target, key, target) as unknown
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
      await compactDocument(inner, flow)
      throw new Error('killed before the commit')
    })
    await expect(killed).rejects.toThrow('killed')
    expect((await storedFlow(server, fid)).variables).toEqual([{ id: 'v', name: 'v', value: 1 }])
    expect((await loadDocument(db, flow)).ids).not.toEqual([])
  })

  test('a large document is applied piece by piece, and others have a turn after each', async () => {
    const doc = new Y.Doc()
    let applied = 0
    doc.on('update', () => {
      applied += 1
    })
    const pieces = splitUpdate(updateOf(largeFlow(50), registry), 100)
    const seen: number[] = []
    const look = () => {
      seen.push(applied)
      if (applied < pieces.length) setImmediate(look)
    }
    setImmediate(look)
    await applyInPieces(doc, pieces)
    // a poll in each turn of the loop sees the document after every piece but the last
    expect(pieces.length).toBeGreaterThan(10)
    expect(seen.slice(0, pieces.length - 1)).toEqual(pieces.slice(1).map((_, at) => at + 1))
  })

  test('what others stored comes into an open flow in pieces where it is large', async () => {
    const { fid } = await makeChatbot(owner)
    const flow = await flowRow(server, fid)
    const room = await openRoom({ ...server.context, drafts: server.parts.drafts }, flow, () => {})
    const updates: number[] = []
    room.doc.on('update', (update: Uint8Array) => updates.push(update.length))
    const large = updateOf(largeFlow(200), registry)
    await appendUpdate(server.context.db, flow, large)
    await room.caughtUp()
    expect(room.doc.getMap('groups').size).toBeGreaterThanOrEqual(200)
    expect(Math.max(...updates)).toBeLessThan(large.length / 2)
    await room.close()
  })

  test('a large document is read in rows of bounded size, and is what was stored', async () => {
    const { fid } = await makeChatbot(owner)
    const flow = await flowRow(server, fid)
    const sizes: number[] = []
    const noting = server.context.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        for (const { data } of result.rows as { data?: Buffer }[]) sizes.push(data?.length ?? 0)
        return result
      },
    })
    const random = Uint8Array.from({ length: 1_000_000 }, (_, n) => (n * 2_654_435_761) >>> 13)
    const parts = [new Uint8Array([1]), random, random.slice(0, 131_072), new Uint8Array(0), random.slice(0, 131_073)]
    const ids: string[] = []
    for (const part of parts) ids.push(await appendUpdate(server.context.db, flow, part))
    const read = await loadDocument(noting, flow)
    const same = (part: Uint8Array, n: number) => Buffer.from(parts[n] as Uint8Array).equals(part)
    expect(read.parts.slice(-5).map(same)).toEqual([true, true, true, true, true])
    const news = await readNews(noting, flow, read.ids.slice(0, -3))
    expect(news?.ids).toEqual(read.ids)
    expect(news?.fresh.map((part, n) => same(part, n + 2))).toEqual([true, true, true])
    expect(Math.max(...sizes)).toBe(131_072)
  })

  test('parts that arrive before what they build on are stored too', async () => {
    const { fid } = await makeChatbot(owner)
    const doc = new Y.Doc()
    const updates: Uint8Array[] = []
    doc.on('update', (update: Uint8Array) => updates.push(update))
    doc.getMap('variables').set('a', { name: 'a', value: null, order: 'a0' })
    doc.getMap('variables').set('b', { name: 'b', value: null, order: 'a1' })
    const socket = await rawSocket(server, owner, fid, '?saved=1')
    const saved = new Promise<void>((resolve) =>
      socket.on('message', (data: Buffer) => data[0] === MESSAGE_SAVED && resolve()),
    )
    socket.send(frame(0, 2, updates[1] as Uint8Array))
    await saved
    const stored = createLoadedDoc((await loadDocument(server.context.db, await flowRow(server, fid))).parts)
    Y.applyUpdate(stored, updates[0] as Uint8Array)
    expect([...stored.getMap('variables').keys()].sort()).toEqual(['a', 'b'])
    socket.terminate()
  })

  test('a room that everybody has left lets go of the document, and loads it again for the next', async () => {
    const { fid } = await makeChatbot(owner)
    const flow = await flowRow(server, fid)
    const rooms = createRooms({ ...server.context, drafts: server.parts.drafts }, 1)
    const first = await rooms.enter(flow)
    first.room.doc.getMap('variables').set('v', { name: 'v', value: 1, order: 'a0' })
    first.leave()
    await expect.poll(() => rooms.present(flow)).toBeUndefined()
    expect((await storedFlow(server, fid)).variables).toEqual([{ id: 'v', name: 'v', value: 1 }])
    const second = await rooms.enter(flow)
    expect(second.room).not.toBe(first.room)
    expect(second.room.doc.getMap('variables').has('v')).toBe(true)
    await rooms.close()
  })

  test('who comes in while a room is being let go stays in it, and what he writes is stored', async () => {
    const { fid } = await makeChatbot(owner)
    const flow = await flowRow(server, fid)
    const rooms = createRooms({ ...server.context, drafts: server.parts.drafts })
    const { room, leave } = await rooms.enter(flow)
    const retired = room.retire(() => false)
    room.doc.getMap('variables').set('v', { name: 'v', value: 1, order: 'a0' })
    expect(await retired).toBe(false)
    await room.flushed()
    expect((await storedFlow(server, fid)).variables).toEqual([{ id: 'v', name: 'v', value: 1 }])
    leave()
    await rooms.close()
  })

  test('a document of an older version is brought over before anybody sees it, and kept so', async () => {
    const { fid } = await makeChatbot(owner)
    const flow = await flowRow(server, fid)
    await appendUpdate(server.context.db, flow, firstKinds)
    const version = registry.get('go-to').migrations.length
    const read = await createDocuments({ ...server.context }).readFlow(flow.projectId, flow.id)
    const goTo = (from: Flow) => from.groups.flatMap(({ blocks }) => blocks).find(({ kind }) => kind === 'go-to')
    expect(goTo(read)).toMatchObject({ version, data: { to: 'group', target: { groupId: 'g' } } })
    const asStored = async () =>
      readDocument(createLoadedDoc((await loadDocument(server.context.db, flow)).parts), registry)
    // reading stores nothing, entering does
    expect(goTo(await asStored())).toMatchObject({ version: 0 })
    const rooms = createRooms({ ...server.context, drafts: server.parts.drafts })
    const { room, leave } = await rooms.enter(flow)
    expect(goTo(readDocument(room.doc, registry))).toMatchObject({ version })
    await room.flushed()
    expect(goTo(await asStored())).toMatchObject({ version })
    leave()
    await rooms.close()
  })

  test('a draft that nobody has open is replaced where it is stored, from one of an older version too', async () => {
    const { fid } = await makeChatbot(owner)
    const flow = await flowRow(server, fid)
    await appendUpdate(server.context.db, flow, firstKinds)
    const documents = createDocuments({ ...server.context })
    const wanted = { ...emptyFlow(), groups: [group('new')] }
    await documents.writeFlow(flow.projectId, flow.id, wanted)
    expect(documents.rooms.present(flow)).toBeUndefined()
    const stored = createLoadedDoc((await loadDocument(server.context.db, flow)).parts)
    expect([stored.store.pendingStructs, stored.store.pendingDs]).toEqual([null, null])
    expect(readDocument(stored, registry).groups.map(({ id }) => id)).toEqual(['new'])
  })

  test('who comes in while a draft is replaced where it is stored has it as it is then', async () => {
    const { fid } = await makeChatbot(owner)
    const flow = await flowRow(server, fid)
    const documents = createDocuments({ ...server.context })
    const entered: Room[] = []
    await documents.changeWhole(flow.projectId, flow.id, async () => {
      const { room } = await documents.rooms.enter(flow)
      entered.push(room)
      const update = updateWith((doc) => doc.getMap('variables').set('v', { name: 'v', value: 1, order: 'a0' }))
      return { result: null, update, pieces: [update] }
    })
    expect(entered[0]?.doc.getMap('variables').has('v')).toBe(true)
    await documents.rooms.close()
  })

  test('a room whose changes the database does not take keeps them', async () => {
    const { fid } = await makeChatbot(owner)
    const flow = await flowRow(server, fid)
    let broken = false
    const db = failingInserts(server.context.db, () => broken)
    const room = await openRoom({ ...server.context, drafts: server.parts.drafts, db }, flow, () => {})
    broken = true
    room.doc.getMap('variables').set('v', { name: 'v', value: 1, order: 'a0' })
    expect(await room.retire(() => true)).toBe(false)
    broken = false
    expect(await room.retire(() => true)).toBe(true)
    expect((await storedFlow(server, fid)).variables).toEqual([{ id: 'v', name: 'v', value: 1 }])
  })
})
