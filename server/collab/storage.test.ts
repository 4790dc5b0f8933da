import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { registry } from '../../blocks/registry'
import { readDocument } from '../../engine/document/plainFlow'
import { MESSAGE_SAVED } from '../../engine/document/syncProtocol'
import type { Flow } from '../../engine/flow/schema'
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
} from '../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../tests/support/server'
import { createDocuments } from './documents'
import { openRoom } from './room'
import { createRooms } from './rooms'
import { appendUpdate, compactDocument, createLoadedDoc, loadDocument } from './store'

const fixture = new URL('../../engine/document/fixtures/firstKinds.json', import.meta.url)
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
      const inner = Object.assign(Object.create(trx), {
        transaction: () => ({ execute: (run: (t: typeof trx) => Promise<number>) => run(trx) }),
      })
      await compactDocument(inner, flow)
      throw new Error('killed before the commit')
    })
    await expect(killed).rejects.toThrow('killed')
    expect((await storedFlow(server, fid)).variables).toEqual([{ id: 'v', name: 'v', value: 1 }])
    expect((await loadDocument(db, flow)).ids).not.toEqual([])
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
    const rooms = createRooms(server.context, 1)
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
    const rooms = createRooms(server.context)
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
    const read = await createDocuments({ ...server.context }).readFlow(flow.projectId, flow.id)
    const goTo = (from: Flow) => from.groups.flatMap(({ blocks }) => blocks).find(({ kind }) => kind === 'go-to')
    expect(goTo(read)).toMatchObject({ version: 1, data: { to: 'group', target: { groupId: 'g' } } })
    const asStored = async () =>
      readDocument(createLoadedDoc((await loadDocument(server.context.db, flow)).parts), registry)
    // reading alone stores nothing, entering does
    expect(goTo(await asStored())).toMatchObject({ version: 0 })
    const rooms = createRooms(server.context)
    const { room, leave } = await rooms.enter(flow)
    expect(goTo(readDocument(room.doc, registry))).toMatchObject({ version: 1 })
    await room.flushed()
    expect(goTo(await asStored())).toMatchObject({ version: 1 })
    leave()
    await rooms.close()
  })

  test('a room whose changes the database does not take keeps them', async () => {
    const { fid } = await makeChatbot(owner)
    const flow = await flowRow(server, fid)
    let broken = false
    const insertInto: typeof server.context.db.insertInto = (table) => {
      if (broken) throw new Error('the disk is full')
      return server.context.db.insertInto(table)
    }
    const db = new Proxy(server.context.db, {
      get: (target, name) => (name === 'insertInto' ? insertInto : Reflect.get(target, name).bind(target)),
    })
    const room = await openRoom({ ...server.context, db }, flow, () => {})
    broken = true
    room.doc.getMap('variables').set('v', { name: 'v', value: 1, order: 'a0' })
    expect(await room.retire(() => true)).toBe(false)
    broken = false
    expect(await room.retire(() => true)).toBe(true)
    expect((await storedFlow(server, fid)).variables).toEqual([{ id: 'v', name: 'v', value: 1 }])
  })
})
