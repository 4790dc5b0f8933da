import { createEncoder, toUint8Array, writeVarString, writeVarUint } from 'lib0/encoding'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type WebSocket from 'ws'
import type { FlowDocument } from '../../../../engine/document/flowDocument'
import { closeCodes } from '../../../../engine/document/syncProtocol'
import { canonicalFlow } from '../../../../engine/flow/canonical'
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
  updateWith,
} from '../../../../tests/support/collab'
import { seededRandom } from '../../../../tests/support/documents'
import { failingInserts } from '../../../../tests/support/failingInserts'
import { type RedisServer, startRedisServer } from '../../../../tests/support/redisServer'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { Role } from '../../../access/roles'
import { createBus } from '../../../platform/bus/createBus'
import { decodeNews, flowChannel } from './flowNews'
import { openRoom, type Room } from './room'
import { appendUpdate, compactDocument, type FlowRef } from './store'

/** Two servers with separate contexts over one database: only that and Redis connect them. */
let redis: RedisServer
let one: TestServer
let two: TestServer
let owner: Registered
beforeAll(async () => {
  redis = await startRedisServer()
  one = await startTestServer({ config: { redisUrl: redis.url } })
  two = await startTestServer({ config: { redisUrl: redis.url }, beside: one })
  owner = await one.register()
})
afterAll(async () => {
  await two?.close()
  await one?.close()
  await redis?.close()
})

const soon = <Value>(read: () => Value | Promise<Value>) => expect.poll(read)
const title = (groupId: string, text: string) => (document: FlowDocument) =>
  document.projection().groups.get(groupId)?.title === text
const group = (id: string) => ({ id, title: id, position: { x: 0, y: 0 }, blocks: [] })
const variable = (id: string) =>
  updateWith((doc) => doc.getMap('variables').set(id, { name: id, value: null, order: 'a0' }))
const variablesOf = (room: Room) => [...room.doc.getMap('variables').keys()].sort()

/** An editor at each process, both in sync with the server. */
async function editors(fid: string): Promise<[Peer, Peer]> {
  const peers: [Peer, Peer] = [openPeer(one, owner, fid), openPeer(two, owner, fid)]
  await Promise.all(peers.map(synced))
  return peers
}

/** A room of a process that receives no messages: it reads the database when asked to. */
const deafRoom = (flow: FlowRef) => {
  const context = { ...one.context, config: { ...one.context.config, redisUrl: null } }
  return openRoom({ ...context, bus: createBus(context), drafts: one.parts.drafts }, flow, () => {})
}

describe('with Redis', () => {
  test('what is edited in one process is seen in the other, both ways', async () => {
    const { fid } = await makeChatbot(owner)
    const [here, there] = await editors(fid)
    here.document.commands.addGroup(group('mine'))
    await there.sees(title('mine', 'mine'))
    there.document.commands.setGroupTitle('mine', 'Renamed')
    await here.sees(title('mine', 'Renamed'))
    expect(await storedFlow(one, fid)).toEqual(canonicalFlow(here.document.toFlow()))
    here.leave()
    there.leave()
  })

  test('people see each other across processes, from when they come until they leave', async () => {
    const { fid } = await makeChatbot(owner)
    const [here, there] = await editors(fid)
    const states = there.provider.awareness.getStates()
    const client = here.document.doc.clientID
    here.provider.awareness.setLocalStateField('cursor', { x: 1, y: 2 })
    await soon(() => states.get(client)?.cursor).toEqual({ x: 1, y: 2 })
    here.leave()
    await soon(() => states.has(client)).toBe(false)
    there.leave()
  })

  test('a process that opens a flow learns of those who sit still at others', async () => {
    const { fid } = await makeChatbot(owner)
    const here = openPeer(one, owner, fid)
    await synced(here)
    here.provider.awareness.setLocalStateField('cursor', 1)
    const flow = await flowRow(one, fid)
    const [context, client] = [{ ...two.context, bus: createBus(two.context) }, here.document.doc.clientID]
    const room = await one.parts.documents.rooms.present(flow)
    await soon(() => room?.awareness.getStates().get(client)?.cursor).toBe(1)
    const late = await openRoom({ ...context, drafts: one.parts.drafts }, flow, () => {})
    await soon(() => late.awareness.getStates().get(client)?.cursor).toBe(1)
    await late.close()
    await context.bus.close()
    here.leave()
  })

  test('who goes over to another process stays there when the old connection is found dead', async () => {
    const { fid } = await makeChatbot(owner)
    const flow = await flowRow(one, fid)
    const client = 777
    const says = (socket: WebSocket, cursor: number) => {
      const encoder = createEncoder()
      writeVarUint(encoder, 1)
      writeVarUint(encoder, client)
      writeVarUint(encoder, cursor)
      writeVarString(encoder, JSON.stringify({ cursor }))
      socket.send(frame(1, undefined, toUint8Array(encoder)))
    }
    const [old, fresh] = [await rawSocket(one, owner, fid), await rawSocket(two, owner, fid)]
    const presents = [one, two].map(({ parts }) => parts.documents.rooms.present(flow))
    const [first, second] = (await Promise.all(presents)) as [Room, Room]
    const cursors = () => [first, second].map(({ awareness }) => awareness.getStates().get(client)?.cursor)
    says(old, 1)
    await soon(cursors).toEqual([1, 1])
    says(fresh, 2)
    await soon(cursors).toEqual([2, 2])
    old.terminate()
    await soon(() => one.parts.documents.connections.countIn(flow)).toBe(0)
    // anything the first process had sent before has arrived by now
    first.awareness.setLocalState({ cursor: 'said later' })
    await soon(() => second.awareness.getStates().size).toBe(2)
    expect(cursors()).toEqual([2, 2])
    fresh.terminate()
    await soon(cursors).toEqual([undefined, undefined])
  })

  test('a role taken away at one process cuts a socket at the other', async () => {
    const { fid, pgid } = await makeChatbot(owner)
    const member = await one.register()
    await addMember(one, pgid, member, [Role.EDITOR])
    const peer = openPeer(two, member, fid)
    await synced(peer)
    const { id } = await one.context.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', member.user.email)
      .executeTakeFirstOrThrow()
    const asked = recheckAt(two, id)
    await one.context.db.deleteFrom('project_members').where('user_id', '=', id).execute()
    one.parts.documents.rightsChanged(id)
    await asked
    expect((await peer.closed).code).toBe(closeCodes.gone)
  })

  test('what is announced at one process is told to those at the other', async () => {
    const { fid } = await makeChatbot(owner)
    const flow = await flowRow(one, fid)
    const told = new Promise((resolve) => {
      two.parts.documents.connections.add({ userId: '0', flow, recheck() {}, tell: resolve }, 0)
    })
    await soon(() => {
      one.parts.documents.announce(flow, 'comments:7')
      return Promise.race([told, null])
    }).toBe('comments:7')
  })

  test('a flow that was deleted ends at every process', async () => {
    const { fid } = await makeChatbot(owner)
    const [here, there] = await editors(fid)
    const flow = await flowRow(one, fid)
    const told = new Promise<void>((resolve) => {
      const hear = (message: Uint8Array) => {
        const news = decodeNews(message)
        if (news?.type === 'stored' && news.id === null) resolve()
      }
      two.context.bus.subscribe(flowChannel(flow), { hear, look() {} })
    })
    await one.context.db.deleteFrom('flows').where('gid', '=', fid).execute()
    here.document.commands.addGroup(group('too late'))
    expect((await here.closed).code).toBe(closeCodes.gone)
    // a process that is just checking its rooms finds out by itself, without a message
    await Promise.race([told, there.closed])
    expect((await there.closed).code).toBe(closeCodes.gone)
  })
})

/** Resolves when a process is asked to check a user's rights. */
function recheckAt({ parts }: TestServer, userId: string): Promise<void> {
  return new Promise((resolve) => {
    const flow = { id: '0', projectId: '0' }
    parts.documents.connections.add({ userId, flow, recheck: resolve, tell() {} }, 0)
  })
}

describe('the database alone', () => {
  test('a row whose id is older than one that was read is found', async () => {
    const { fid } = await makeChatbot(owner)
    const flow = await flowRow(one, fid)
    const room = await deafRoom(flow)
    await one.context.db.transaction().execute(async (slow) => {
      await appendUpdate(slow, flow, variable('first'))
      await appendUpdate(one.context.db, flow, variable('second'))
      await room.caughtUp()
      expect(variablesOf(room)).toEqual(['second'])
    })
    await room.caughtUp()
    expect(variablesOf(room)).toEqual(['first', 'second'])
    await room.close()
  })

  test('rows that another process folded before they were read are found', async () => {
    const { fid } = await makeChatbot(owner)
    const flow = await flowRow(one, fid)
    const room = await deafRoom(flow)
    await appendUpdate(one.context.db, flow, variable('folded'))
    await compactDocument(one.context.db, flow)
    await appendUpdate(one.context.db, flow, variable('after'))
    await room.caughtUp()
    expect(variablesOf(room)).toEqual(['after', 'folded'])
    await room.close()
  })

  test('rows of others that a process folds itself without having read them are found', async () => {
    const { fid } = await makeChatbot(owner)
    const flow = await flowRow(one, fid)
    const room = await deafRoom(flow)
    for (let n = 0; n < 5; n++) await appendUpdate(one.context.db, flow, variable(`other${n}`))
    // enough rows of its own to compact
    for (let n = 0; n < 300; n++) {
      room.doc.getMap('variables').set('own', { name: 'own', value: n, order: 'a0' })
      await room.flushed()
    }
    await soon(() => variablesOf(room)).toEqual(['other0', 'other1', 'other2', 'other3', 'other4', 'own'])
    await room.close()
  })

  test('two processes that fold at once lose nothing', async () => {
    const { fid } = await makeChatbot(owner)
    const flow = await flowRow(one, fid)
    const [a, b] = [await deafRoom(flow), await deafRoom(flow)]
    const write = (room: Room, name: string) => room.doc.getMap('variables').set(name, { name, value: 1, order: 'a0' })
    await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        write(n % 2 ? a : b, `v${n}`)
        await (n % 2 ? a : b).flushed()
        if (n % 5 === 0)
          await Promise.all([compactDocument(one.context.db, flow), compactDocument(two.context.db, flow)])
      }),
    )
    await Promise.all([a.caughtUp(), b.caughtUp()])
    expect(variablesOf(a)).toHaveLength(40)
    expect(variablesOf(b)).toEqual(variablesOf(a))
    expect((await storedFlow(one, fid)).variables).toHaveLength(40)
    await Promise.all([a.close(), b.close()])
  })

  test('other processes hear of a change once it is stored, not before', async () => {
    const { fid } = await makeChatbot(owner)
    const flow = await flowRow(one, fid)
    let broken = true
    const db = failingInserts(one.context.db, (table) => broken && table === 'flow_updates')
    const context = { ...one.context, db, bus: createBus(one.context) }
    const [here, there] = [
      await openRoom({ ...context, drafts: one.parts.drafts }, flow, () => {}),
      await openRoom({ ...two.context, drafts: two.parts.drafts }, flow, () => {}),
    ]
    here.doc.getMap('variables').set('v', { name: 'v', value: 1, order: 'a0' })
    await expect(here.flushed()).rejects.toThrow('full')
    here.awareness.setLocalState({ note: 'said after the change' })
    await soon(() => there.awareness.getStates().size).toBe(1)
    await there.caughtUp()
    expect(variablesOf(there)).toEqual([])
    broken = false
    await soon(() => variablesOf(there)).toEqual(['v'])
    await Promise.all([here.close(), there.close()])
    await context.bus.close()
  })
})

describe('Redis lost', () => {
  test('a draft that is read, published or edited at one process has what the other stored unheard', async () => {
    const { fid } = await makeChatbot(owner)
    const [here, there] = await editors(fid)
    const flow = await flowRow(one, fid)
    await redis.stop()
    const documents = [one, two].map(({ parts }) => parts.documents)
    for (let n = 0; n < 6; n++) {
      await documents[n % 2]?.editFlow(flow.projectId, flow.id, (commands, { groups }) => {
        expect(groups.size).toBe(1 + n)
        commands.addGroup(group(`g${n}`))
      })
      expect((await documents[(n + 1) % 2]?.readFlow(flow.projectId, flow.id))?.groups).toHaveLength(2 + n)
    }
    await redis.start()
    here.leave()
    there.leave()
  })

  const SEED = 20_261_122
  test(`random edits at both, Redis lost, silent and back, documents folded meanwhile: all are equal in the end (seed ${SEED})`, async () => {
    const random = seededRandom(SEED)
    const { fid } = await makeChatbot(owner)
    const flow = await flowRow(one, fid)
    const peers = [...(await editors(fid)), ...(await editors(fid))]
    let made = 0

    function edit({ document: { commands, projection } }: Peer) {
      const ids = [...projection().groups.keys()]
      const id = ids[Math.floor(random() * ids.length)]
      const what = random()
      if (!id || what < 0.4) commands.addGroup(group(`r${made++}`))
      else if (what < 0.7) commands.setGroupTitle(id, `Title ${made++}`)
      else if (what < 0.9) commands.moveGroups([{ groupId: id, position: { x: made++, y: 0 } }])
      else if (ids.length > 5) commands.deleteGroups([id])
    }
    const edits = async (count: number) => {
      for (let n = 0; n < count; n++) {
        for (const peer of peers) if (random() < 0.5) edit(peer)
        if (n % 10 === 0) await one.parts.documents.readFlow(flow.projectId, flow.id)
      }
    }
    const equal = async () => {
      await soon(async () => {
        const flows = [await storedFlow(one, fid), ...peers.map(({ document }) => canonicalFlow(document.toFlow()))]
        return new Set(flows.map((each) => JSON.stringify(each))).size
      }).toBe(1)
    }

    await edits(50)
    await redis.stop()
    await edits(50)
    await compactDocument(one.context.db, flow)
    await edits(50)
    // without Redis, by polling
    await equal()
    await redis.start()
    await edits(50)
    redis.freeze(true)
    await edits(50)
    await compactDocument(two.context.db, flow)
    redis.freeze(false)
    await edits(50)
    await equal()
    expect(made).toBeGreaterThan(100)
    for (const peer of peers) peer.leave()
  })
})
