import { once } from 'node:events'
import { createEncoder, toUint8Array, writeVarString, writeVarUint } from 'lib0/encoding'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeCodes } from '../../../../engine/document/syncProtocol'
import {
  addMember,
  flowRow,
  frame,
  makeChatbot,
  openPeer,
  type Peer,
  rawSocket,
  storedFlow,
  synced,
} from '../../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { Role } from '../../../access/roles'

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
    two.provider.awareness.setLocalState({ cursor: 7, person: { name: 'Somebody else', color: '#123456' } })
    const person = { id: owner.user.ui, name: 'Ada Person 1', color: expect.any(String), viewer: false }
    const states = one.provider.awareness.getStates()
    const ofTwo = () => states.get(two.document.doc.clientID)
    await expect.poll(ofTwo).toEqual({ cursor: 7, person })

    const forged = await rawSocket(server, owner, fid)
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
    forged.send(frame(1, undefined, toUint8Array(encoder)))
    await expect.poll(() => states.get(777)).toEqual({ name: 'Me', person })
    expect(ofTwo()).toEqual({ cursor: 7, person })
    forged.terminate()
    await expect.poll(() => states.has(777)).toBe(false)
    one.leave()
    two.leave()
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
    expect((await storedFlow(server, fid)).groups.map(({ id }) => id)).not.toContain('forbidden')
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
      .where('project_id', '=', (await flowRow(server, fid)).projectId)
      .execute()
    // unannounced changes of rights are noticed while somebody writes
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
    const socket = await rawSocket(server, owner, fid)
    const closed = once(socket, 'close')
    socket.send(bytes)
    const [code] = await closed
    expect([closeCodes.badMessage, closeCodes.changeTooLarge]).toContain(code)
    expect(peer.provider.wsconnected).toBe(true)
    peer.document.commands.addGroup(group('still'))
    const late = openPeer(server, owner, fid)
    await late.sees(title('still', 'still'))
    peer.leave()
    late.leave()
  })

  test('a flood of frames is cut off', async () => {
    const { fid } = await makeChatbot(owner)
    const socket = await rawSocket(server, owner, fid)
    const closed = once(socket, 'close')
    for (let n = 0; n < 3_000; n++) socket.send(new Uint8Array([3]))
    expect((await closed)[0]).toBe(closeCodes.tooFast)
  })
})

const userId = async (person: Registered) =>
  (
    await server.context.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', person.user.email)
      .executeTakeFirstOrThrow()
  ).id
