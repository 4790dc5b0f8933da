import { once } from 'node:events'
import { createEncoder, toUint8Array, writeVarString, writeVarUint, writeVarUint8Array } from 'lib0/encoding'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type WebSocket from 'ws'
import * as Y from 'yjs'
import { closeCodes, MESSAGE_SAVED } from '../../engine/document/syncProtocol'
import { addMember, makeChatbot, openPeer, type Peer, socketOf, synced, updateWith } from '../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../tests/support/server'
import { Role } from '../api/roles'
import { createDocuments } from './documents'
import { openRoom } from './room'
import { createRooms } from './rooms'
import { appendUpdate, compactDocument, createLoadedDoc, loadDocument } from './store'

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
const flowRow = (fid: string) =>
  server.context.db
    .selectFrom('flows')
    .select(['id', 'project_id as projectId'])
    .where('gid', '=', fid)
    .executeTakeFirstOrThrow()
/** What another process would read from the database now. */
const storedFlow = async (fid: string) => {
  const { id, projectId } = await flowRow(fid)
  return createDocuments({ ...server.context }).readFlow(projectId, id)
}
/** A bare socket, past its handshake. */
async function rawSocket(client: Registered, fid: string, query = '') {
  const socket = new (socketOf(client) as unknown as typeof WebSocket)(
    `${server.url.replace('http', 'ws')}/collab/${fid}${query}`,
  )
  await once(socket, 'message')
  return socket
}

describe('two editors with the stock provider', () => {
  test("see each other's changes, and a third who comes later sees them all", async () => {
    const { fid } = await makeChatbot(owner)
    const [one, two] = [openPeer(server, owner, fid), openPeer(server, owner, fid)]
    await Promise.all([synced(one), synced(two)])
    one.document.commands.addGroup(group('mine'))
    two.document.commands.addGroup(group('theirs'))
    await two.sees(title('mine', 'mine'))
    await one.sees(title('theirs', 'theirs'))
    two.document.commands.setGroupTitle('mine', 'Renamed')
    await one.sees(title('mine', 'Renamed'))
    const late = openPeer(server, owner, fid)
    await late.sees(title('mine', 'Renamed'))
    expect(late.document.toFlow()).toEqual(one.document.toFlow())
    for (const peer of [one, two, late]) peer.leave()
  })

  test('a new chatbot opens with the first content that it was made with', async () => {
    const { fid } = await makeChatbot(owner)
    const peer = openPeer(server, owner, fid)
    await synced(peer)
    expect(peer.document.toFlow().groups.flatMap(({ blocks }) => blocks.map(({ kind }) => kind))).toEqual(['start'])
    peer.leave()
  })

  test('know of each other while both are there, by their own client id alone', async () => {
    const { fid } = await makeChatbot(owner)
    const [one, two] = [openPeer(server, owner, fid), openPeer(server, owner, fid)]
    await Promise.all([synced(one), synced(two)])
    const change = () => new Promise((resolve) => one.provider.awareness.once('change', resolve))
    let seen = change()
    two.provider.awareness.setLocalState({ person: { name: 'Two', color: '#123456' } })
    await seen
    expect(one.provider.awareness.getStates().get(two.document.doc.clientID)).toEqual({
      person: { name: 'Two', color: '#123456' },
    })

    const forged = await rawSocket(owner, fid)
    const encoder = createEncoder()
    writeVarUint(encoder, 2)
    for (const [client, name] of [
      [777, 'Me'],
      [two.document.doc.clientID, 'Forged'],
    ] as const) {
      writeVarUint(encoder, client)
      writeVarUint(encoder, 1_000)
      writeVarString(encoder, JSON.stringify({ name }))
    }
    seen = change()
    forged.send(frame(1, undefined, toUint8Array(encoder)))
    await seen
    expect(one.provider.awareness.getStates().get(777)).toEqual({ name: 'Me' })
    expect(one.provider.awareness.getStates().get(two.document.doc.clientID)).toEqual({
      person: { name: 'Two', color: '#123456' },
    })
    seen = change()
    forged.terminate()
    await seen
    expect(one.provider.awareness.getStates().has(777)).toBe(false)
    one.leave()
    two.leave()
  })
})

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
    const flow = await flowRow(fid)
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
    expect(stored.updates).toBe(0)
    expect(createLoadedDoc(stored.parts).getMap('variables').size).toBe(56)
  })

  test('a process killed between an update and folding, or in the middle of folding, leaves what was acknowledged', async () => {
    const { fid } = await makeChatbot(owner)
    const flow = await flowRow(fid)
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
    expect((await storedFlow(fid)).variables).toEqual([{ id: 'v', name: 'v', value: 1 }])
    expect((await loadDocument(db, flow)).updates).toBeGreaterThan(0)
  })

  test('parts that arrive before what they build on are stored too', async () => {
    const { fid } = await makeChatbot(owner)
    const doc = new Y.Doc()
    const updates: Uint8Array[] = []
    doc.on('update', (update: Uint8Array) => updates.push(update))
    doc.getMap('variables').set('a', { name: 'a', value: null, order: 'a0' })
    doc.getMap('variables').set('b', { name: 'b', value: null, order: 'a1' })
    const socket = await rawSocket(owner, fid, '?saved=1')
    const saved = new Promise<void>((resolve) =>
      socket.on('message', (data: Buffer) => data[0] === MESSAGE_SAVED && resolve()),
    )
    socket.send(frame(0, 2, updates[1] as Uint8Array))
    await saved
    const stored = createLoadedDoc((await loadDocument(server.context.db, await flowRow(fid))).parts)
    Y.applyUpdate(stored, updates[0] as Uint8Array)
    expect([...stored.getMap('variables').keys()].sort()).toEqual(['a', 'b'])
    socket.terminate()
  })

  test('a room that everybody has left lets go of the document, and loads it again for the next', async () => {
    const { fid } = await makeChatbot(owner)
    const flow = await flowRow(fid)
    const rooms = createRooms(server.context, 1)
    const first = await rooms.enter(flow)
    first.room.doc.getMap('variables').set('v', { name: 'v', value: 1, order: 'a0' })
    first.leave()
    await expect.poll(() => rooms.present(flow)).toBeUndefined()
    expect((await storedFlow(fid)).variables).toEqual([{ id: 'v', name: 'v', value: 1 }])
    const second = await rooms.enter(flow)
    expect(second.room).not.toBe(first.room)
    expect(second.room.doc.getMap('variables').has('v')).toBe(true)
    await rooms.close()
  })

  test('who comes in while a room is being let go stays in it, and what he writes is stored', async () => {
    const { fid } = await makeChatbot(owner)
    const flow = await flowRow(fid)
    const rooms = createRooms(server.context)
    const { room, leave } = await rooms.enter(flow)
    const retired = room.retire(() => false)
    room.doc.getMap('variables').set('v', { name: 'v', value: 1, order: 'a0' })
    expect(await retired).toBe(false)
    await room.flushed()
    expect((await storedFlow(fid)).variables).toEqual([{ id: 'v', name: 'v', value: 1 }])
    leave()
    await rooms.close()
  })

  test('a room whose changes the database does not take keeps them', async () => {
    const { fid } = await makeChatbot(owner)
    const flow = await flowRow(fid)
    let broken = false
    const insertInto: typeof server.context.db.insertInto = (table) => {
      if (broken) throw new Error('the disk is full')
      return server.context.db.insertInto(table)
    }
    const db = new Proxy(server.context.db, {
      get: (target, name) => (name === 'insertInto' ? insertInto : Reflect.get(target, name).bind(target)),
    })
    const room = await openRoom({ db, log: server.context.log }, flow, () => {})
    broken = true
    room.doc.getMap('variables').set('v', { name: 'v', value: 1, order: 'a0' })
    expect(await room.retire(() => true)).toBe(false)
    broken = false
    expect(await room.retire(() => true)).toBe(true)
    expect((await storedFlow(fid)).variables).toEqual([{ id: 'v', name: 'v', value: 1 }])
  })
})

describe('rights', () => {
  test('a viewer gets what is changed and can change nothing', async () => {
    const { fid, pgid } = await makeChatbot(owner)
    const viewer = await server.register()
    await addMember(server, pgid, viewer, [Role.VIEWER])
    const [editing, watching] = [openPeer(server, owner, fid), openPeer(server, viewer, fid)]
    await Promise.all([synced(editing), synced(watching)])
    const denied = new Promise((resolve) => {
      watching.provider.messageHandlers[2] = resolve
    })
    watching.document.commands.addGroup(group('forbidden'))
    await denied
    editing.document.commands.addGroup(group('allowed'))
    await watching.sees(title('allowed', 'allowed'))
    expect(editing.document.projection().groups.has('forbidden')).toBe(false)
    expect((await storedFlow(fid)).groups.map(({ id }) => id)).not.toContain('forbidden')
    editing.leave()
    watching.leave()
  })

  test('a flow of another project, and one that is not there, are both just gone', async () => {
    const { fid } = await makeChatbot(owner)
    const stranger = await server.register()
    for (const room of [fid, 'zzzzzzzzzzzzzzzz', 'no flow']) {
      const peer = openPeer(server, stranger, room)
      expect((await peer.closed).code).toBe(closeCodes.gone)
      expect(peer.provider.shouldConnect).toBe(false)
      peer.leave()
    }
  })

  test('nobody comes in without a session, or from a page of another site', async () => {
    const { fid } = await makeChatbot(owner)
    const guest = await server.guest()
    const peer = openPeer(server, guest, fid)
    expect((await peer.closed).code).toBe(closeCodes.loggedOut)
    peer.leave()
    const foreign = openPeer(server, owner, fid, { origin: 'https://evil.example' })
    const [error] = await new Promise<[{ message: string }]>((resolve) =>
      foreign.provider.on('connection-error', (event) => resolve([event as unknown as { message: string }])),
    )
    expect(error.message).toContain('403')
    foreign.leave()
  })

  test('a right that is withdrawn ends writing, a membership that ends closes the socket', async () => {
    const { fid, pgid } = await makeChatbot(owner)
    const helper = await server.register()
    await addMember(server, pgid, helper, [Role.EDITOR])
    const peer = openPeer(server, helper, fid)
    await synced(peer)
    await server.context.db
      .deleteFrom('project_members')
      .where('user_id', '=', await userId(helper))
      .where('project_id', '=', (await flowRow(fid)).projectId)
      .execute()
    // rights are asked anew a second after they were found: write until then
    const timer = setInterval(
      () => peer.document.commands.addVariable({ id: `v${Math.random()}`.replace('.', ''), name: 'x', value: null }),
      200,
    )
    expect((await peer.closed).code).toBe(closeCodes.gone)
    clearInterval(timer)
    peer.leave()
  })
})

describe('bad input', () => {
  const bad: [string, Uint8Array | string][] = [
    ['an empty frame', new Uint8Array()],
    ['text', 'hello'],
    ['an unknown message', new Uint8Array([9, 1, 2, 3])],
    ['an unknown sync message', new Uint8Array([0, 9, 0])],
    ['an update cut short', new Uint8Array([0, 2, 200, 1, 1, 1])],
    [
      'random bytes as an update',
      frame(
        0,
        2,
        new Uint8Array(300).map((_, i) => (i * 37 + 11) % 256),
      ),
    ],
    ['random bytes as a state vector', frame(0, 0, new Uint8Array([255, 255, 255]))],
    ['broken presence', frame(1, undefined, new Uint8Array([1, 5, 1, 3, 123, 123, 123]))],
    ['a frame that is too large', frame(0, 2, new Uint8Array(6 * 1024 * 1024))],
  ]
  test.each(bad)('%s closes that one connection with a code', async (_, bytes) => {
    const { fid } = await makeChatbot(owner)
    const peer = openPeer(server, owner, fid)
    await synced(peer)
    const socket = await rawSocket(owner, fid)
    const closed = once(socket, 'close')
    socket.send(bytes)
    const [code] = await closed
    expect([closeCodes.badMessage, closeCodes.tooLarge]).toContain(code)
    expect(peer.provider.wsconnected).toBe(true)
    peer.document.commands.addGroup(group('still'))
    const late = openPeer(server, owner, fid)
    await late.sees(title('still', 'still'))
    peer.leave()
    late.leave()
  })

  test('a flood of frames is cut off', async () => {
    const { fid } = await makeChatbot(owner)
    const socket = await rawSocket(owner, fid)
    const closed = once(socket, 'close')
    for (let n = 0; n < 3_000; n++) socket.send(new Uint8Array([3]))
    expect((await closed)[0]).toBe(closeCodes.tooFast)
  })
})

/** A frame of y-protocols: the message's type, the kind of sync message, bytes. */
function frame(type: number, kind: number | undefined, bytes: Uint8Array): Uint8Array {
  const encoder = createEncoder()
  writeVarUint(encoder, type)
  if (kind !== undefined) writeVarUint(encoder, kind)
  writeVarUint8Array(encoder, bytes)
  return toUint8Array(encoder)
}

const userId = async (person: Registered) =>
  (
    await server.context.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', person.user.email)
      .executeTakeFirstOrThrow()
  ).id
