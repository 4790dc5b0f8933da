import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type * as Y from 'yjs'
import { registry } from '../../../../blocks/registry'
import { readDocument } from '../../../../engine/document/plainFlow'
import { closeCodes, closeReasons, MESSAGE_RIGHTS } from '../../../../engine/document/syncProtocol'
import type { TestClient } from '../../../../tests/support/client'
import {
  addMember,
  flowRow,
  makeChatbot,
  openPeer,
  type Peer,
  storedFlow,
  synced,
  updateWith,
} from '../../../../tests/support/collab'
import { openRaw, type RawPeer } from '../../../../tests/support/rawPeer'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { Role } from '../../../access/roles'
import { login, logout, logoutElsewhere } from '../../../contracts/auth'
import { deleteChatbot } from '../../../contracts/chatbots'
import { createProject, deleteProject, listProjects } from '../../../contracts/projects'
import { collabLimits } from './limits'

/** Who may do what with a flow over its socket. Attackers send bytes, or use y-websocket's own client. */
let server: TestServer
let owner: Registered
let now = new Date('2030-01-01T00:00:00Z')
beforeAll(async () => {
  server = await startTestServer({ clock: () => now })
  owner = await server.register()
})
afterAll(() => server?.close())

const { OWNER, ADMIN, EDITOR, ANALYST, BILLING, VIEWER } = Role
const { loggedOut, forbidden, gone } = closeCodes
const documents = () => server.parts.documents

const setVariable = (id: string) =>
  updateWith((doc) => doc.getMap('variables').set(id, { name: id, value: null, order: 'a0' }))
const variablesIn = (doc: Y.Doc | null) =>
  doc &&
  readDocument(doc, registry)
    .variables.map(({ id }) => id)
    .sort()
const storedVariables = async (fid: string) => {
  const { id, projectId } = await flowRow(server, fid)
  const room = await documents().rooms.present({ id, projectId })
  await room?.flushed()
  const stored = (await storedFlow(server, fid)).variables.map((variable) => variable.id).sort()
  // memory and storage must never differ
  if (room) expect(variablesIn(room.doc)).toEqual(stored)
  return stored
}
const userIdOf = async ({ user }: Registered) =>
  (await server.context.db.selectFrom('users').select('id').where('gid', '=', user.ui).executeTakeFirstOrThrow()).id

/** A chatbot that its owner has open, and a member of its project. */
async function place(roles: number[] | null) {
  const { pgid, cgid, fid } = await makeChatbot(owner)
  const somebody = await server.register()
  if (roles) await addMember(server, pgid, somebody, roles)
  const neighbour = openPeer(server, owner, fid)
  await synced(neighbour)
  return { pgid, cgid, fid, somebody, neighbour }
}

/** Others are unaffected: connected, and their writes are stored. */
async function isUnharmed(neighbour: Peer, fid: string) {
  expect(neighbour.provider.wsconnected).toBe(true)
  const id = `alive${neighbour.document.toFlow().variables.length}`
  neighbour.document.commands.addVariable({ id, name: id, value: null })
  await expect.poll(() => storedVariables(fid)).toContain(id)
  neighbour.leave()
}

const members: [who: string, roles: number[], may: 'write' | 'read' | number][] = [
  ['an owner', [OWNER], 'write'],
  ['an admin', [ADMIN], 'write'],
  ['an editor', [EDITOR], 'write'],
  ['a viewer', [VIEWER], 'read'],
  ['an analyst', [ANALYST], forbidden],
  ['who pays', [BILLING], forbidden],
  ['an analyst who pays', [ANALYST, BILLING], forbidden],
  ['a viewer who pays', [BILLING, VIEWER], 'read'],
  ['an analyst who edits', [ANALYST, EDITOR], 'write'],
  ['a viewer who edits', [VIEWER, EDITOR], 'write'],
]

describe.each(members)('%s', (_who, roles, may) => {
  test('reads, writes and shows presence as the roles allow', async () => {
    const { fid, somebody, neighbour } = await place(roles)
    const before = await storedVariables(fid)
    const watcher = await openRaw(server, owner, fid)
    watcher.says([1, {}])
    // it owns its client id before somebody else claims it
    await watcher.reads()
    const peer = await openRaw(server, somebody, fid)
    // sent before any message of the server
    peer.writes(1, setVariable('step2'))
    peer.writes(2, setVariable('update'))
    peer.says([1, { name: 'taken over' }])
    peer.says([77, { cursor: 1, person: { id: owner.user.ui, name: 'The owner' } }], [1, { name: 'taken over' }])
    const read = await peer.reads()
    if (typeof may === 'number') {
      expect(await peer.closed).toEqual({ code: may, reason: closeReasons[may] })
      expect(peer.received).toEqual([])
      expect(await storedVariables(fid)).toEqual(before)
      expect(watcher.states().has(77)).toBe(false)
    } else {
      const written = may === 'write' ? ['step2', 'update'] : []
      expect(variablesIn(read)).toEqual([...before, ...written])
      expect(await storedVariables(fid)).toEqual([...before, ...written])
      expect(peer.ofType(2)).toHaveLength(may === 'read' ? 1 : 0)
      // its cursor is shown under its own name
      const person = { id: somebody.user.ui, name: expect.stringContaining('Ada Person'), viewer: may === 'read' }
      await expect.poll(() => watcher.states().get(77)).toMatchObject({ cursor: 1, person })
    }
    expect(watcher.states().get(1) ?? {}).not.toMatchObject({ name: 'taken over' })
    for (const { socket } of [watcher, peer]) socket.terminate()
    await isUnharmed(neighbour, fid)
  })
})

const strangers: [who: string, code: number, as: () => Promise<TestClient>][] = [
  ['somebody of another project', gone, () => server.register()],
  ['somebody without a session', loggedOut, () => server.guest()],
  [
    'somebody with a made-up session',
    loggedOut,
    async () => {
      const guest = await server.register()
      guest.cookies.set('parley_session', 'x'.repeat(43))
      return guest
    },
  ],
  [
    'somebody who has logged out',
    loggedOut,
    async () => {
      const member = await server.register()
      const cookies = new Map(member.cookies)
      await member.call(logout, { body: {} })
      for (const [name, value] of cookies) member.cookies.set(name, value)
      return member
    },
  ],
]
test.each(strangers)('%s gets nothing and changes nothing', async (_who, code, as) => {
  const { fid, neighbour } = await place(null)
  const before = await storedVariables(fid)
  const stranger = await as()
  const peer = await openRaw(server, stranger, fid)
  peer.writes(1, setVariable('step2'))
  peer.writes(2, setVariable('update'))
  peer.says([77, {}])
  expect(await peer.closed).toEqual({ code, reason: closeReasons[code] })
  expect(peer.received).toEqual([])
  const stock = openPeer(server, stranger, fid)
  stock.document.commands.addVariable({ id: 'stock', name: 'stock', value: null })
  expect((await stock.closed).code).toBe(code)
  stock.leave()
  expect(await storedVariables(fid)).toEqual(before)
  await isUnharmed(neighbour, fid)
})

test('y-websocket’s own client writes nothing as a viewer, however often it comes back with it', async () => {
  const { fid, somebody, neighbour } = await place([VIEWER])
  const before = await storedVariables(fid)
  const stock = openPeer(server, somebody, fid)
  let refused = 0
  stock.provider.messageHandlers[2] = () => {
    refused += 1
  }
  await synced(stock)
  for (let times = 1; times <= 3; times++) {
    stock.document.commands.addVariable({ id: `mine${times}`, name: `mine${times}`, value: null })
    // once per connection
    await expect.poll(() => refused).toBe(times)
    stock.provider.disconnect()
    stock.provider.connect()
    await new Promise<void>((resolve) => stock.provider.once('sync', () => resolve()))
  }
  const raw = await openRaw(server, somebody, fid)
  await raw.reads()
  expect(await storedVariables(fid)).toEqual(before)
  stock.leave()
  raw.socket.terminate()
  await isUnharmed(neighbour, fid)
})

describe('while the flow is open', () => {
  /** Announced changes must take effect without relying on the periodic check: before the next second begins. */
  const changes: [what: string, code: number | 'read', change: (at: Awaited<ReturnType<typeof place>>) => unknown][] = [
    ['an editor becomes a viewer', 'read', ({ pgid, somebody }) => setRoles(pgid, somebody, [VIEWER])],
    ['an editor becomes an analyst', forbidden, ({ pgid, somebody }) => setRoles(pgid, somebody, [ANALYST])],
    ['an editor is removed', gone, ({ fid, somebody }) => removeMember(fid, somebody)],
    ['an editor logs out', loggedOut, ({ somebody }) => somebody.call(logout, { body: {} })],
    ['an editor logs out everywhere else', loggedOut, ({ somebody }) => logOutElsewhere(somebody)],
    ['all sessions of an editor end', loggedOut, ({ somebody }) => endSessions(somebody)],
    [
      'the chatbot is deleted',
      gone,
      async ({ pgid, cgid }) => {
        const { name } = await server.context.db
          .selectFrom('chatbots')
          .select('name')
          .where('gid', '=', cgid)
          .executeTakeFirstOrThrow()
        await owner.call(deleteChatbot, { params: { pgid, cgid }, body: { name } })
      },
    ],
  ]
  test.each(changes)('%s: nothing more is taken, at once', async (_what, code, change) => {
    const at = await place([EDITOR])
    const peer = await openRaw(server, at.somebody, at.fid)
    peer.writes(2, setVariable('before'))
    expect(variablesIn(await peer.reads())).toEqual(['before'])
    await change(at)
    peer.writes(2, setVariable('after'))
    peer.writes(1, setVariable('after'))
    if (code === 'read') {
      expect(variablesIn(await peer.reads())).toEqual(['before'])
      expect(peer.ofType(2)).toHaveLength(1)
    } else {
      expect(await peer.closed).toEqual({ code, reason: closeReasons[code] })
    }
    if (code === gone && _what.startsWith('the chatbot')) return at.neighbour.leave()
    expect(await storedVariables(at.fid)).toEqual(['before'])
    peer.socket.terminate()
    await isUnharmed(at.neighbour, at.fid)
  })

  test('the project is deleted: nothing more is taken, at once', async () => {
    const ada = await server.register()
    const { pgid, fid } = await makeChatbot(ada)
    await ada.call(createProject, { body: { name: 'Another' } })
    const peer = await openRaw(server, ada, fid)
    peer.writes(2, setVariable('before'))
    expect(variablesIn(await peer.reads())).toEqual(['before'])
    const { projects } = await ada.call(listProjects)
    const name = projects.find(({ gid }) => gid === pgid)?.name ?? ''
    await ada.call(deleteProject, { params: { pgid }, body: { name } })
    peer.writes(2, setVariable('after'))
    expect(await peer.closed).toEqual({ code: gone, reason: closeReasons[gone] })
  })

  test('an editor becomes a viewer while the flow is loaded for her: nothing is taken', async () => {
    const { pgid, fid, somebody, neighbour } = await place([EDITOR])
    const { rooms } = documents()
    const enter = rooms.enter.bind(rooms)
    const entering = vi.spyOn(rooms, 'enter').mockImplementationOnce(async (flow) => {
      // her rights are read, her connection is not there yet
      await setRoles(pgid, somebody, [VIEWER])
      return enter(flow)
    })
    const peer = await openRaw(server, somebody, fid, '?saved=1')
    peer.writes(2, setVariable('after'))
    expect(variablesIn(await peer.reads())).toEqual([])
    expect(peer.ofType(MESSAGE_RIGHTS).map(([, write]) => write)).toEqual([1, 0])
    expect(await storedVariables(fid)).toEqual([])
    entering.mockRestore()
    peer.socket.terminate()
    await isUnharmed(neighbour, fid)
  })

  test('a session that runs out ends writing at its moment', async () => {
    const { fid, somebody, neighbour } = await place([EDITOR])
    neighbour.leave()
    const peer = await openRaw(server, somebody, fid)
    peer.writes(2, setVariable('before'))
    expect(variablesIn(await peer.reads())).toEqual(['before'])
    const moment = now
    now = new Date(moment.getTime() + 31 * 24 * 3_600_000)
    peer.writes(2, setVariable('after'))
    expect((await peer.closed).code).toBe(loggedOut)
    now = moment
    expect(await storedVariables(fid)).toEqual(['before'])
  })

  test('who only listens is cut off too, without saying a word', async () => {
    const { fid, somebody, neighbour } = await place([VIEWER])
    const peer = await openRaw(server, somebody, fid)
    await peer.reads()
    await removeMember(fid, somebody)
    expect((await peer.closed).code).toBe(gone)
    await isUnharmed(neighbour, fid)
  })

  test('a viewer who becomes an editor writes, and is asked for what was refused before', async () => {
    const { fid, pgid, somebody, neighbour } = await place([VIEWER])
    const peer = openPeer(server, somebody, fid)
    await synced(peer)
    const watcher = await openRaw(server, owner, fid)
    const viewerIn = () => (watcher.states().get(peer.document.doc.clientID) as { person: object } | undefined)?.person
    await expect.poll(viewerIn).toMatchObject({ viewer: true })
    peer.document.commands.addVariable({ id: 'refused', name: 'refused', value: null })
    const raw = await openRaw(server, somebody, fid)
    await raw.reads()
    expect(await storedVariables(fid)).toEqual([])
    await setRoles(pgid, somebody, [EDITOR])
    await expect.poll(() => storedVariables(fid)).toEqual(['refused'])
    peer.document.commands.addVariable({ id: 'taken', name: 'taken', value: null })
    await expect.poll(() => storedVariables(fid)).toEqual(['refused', 'taken'])
    await expect.poll(viewerIn).toMatchObject({ viewer: false })
    peer.leave()
    for (const { socket } of [raw, watcher]) socket.terminate()
    await isUnharmed(neighbour, fid)
  })

  test('a database that does not answer lets nobody write, and everybody come back', async () => {
    const { fid, somebody, neighbour } = await place([EDITOR])
    const peer = await openRaw(server, somebody, fid)
    await peer.reads()
    const { db } = server.context
    server.context.db = new Proxy(db, {
      get: (target, name) => {
        if (name === 'selectFrom') throw new Error('the database is away')
        return Reflect.get(target, name).bind(target)
      },
    })
    documents().rightsChanged(await whileHere(db, somebody))
    peer.writes(2, setVariable('after'))
    expect((await peer.closed).code).toBe(closeCodes.tryLater)
    server.context.db = db
    expect(await storedVariables(fid)).toEqual([])
    await isUnharmed(neighbour, fid)
  })
})

describe('too much', () => {
  const attacks: [what: string, code: number, run: (peer: RawPeer) => void][] = [
    ['a frame that is too large', closeCodes.changeTooLarge, (peer) => peer.writes(2, new Uint8Array(6 * 1024 * 1024))],
    [
      'more frames than a person makes',
      closeCodes.tooFast,
      (peer) => {
        for (let n = 0; n < 3_000; n++) peer.send(new Uint8Array([3]))
      },
    ],
    ['bytes that mean nothing', closeCodes.badMessage, (peer) => peer.send(new Uint8Array([0, 2, 200, 1, 1, 1]))],
  ]
  test.each(attacks)('%s: that connection ends with its reason, whoever it is', async (_what, code, attack) => {
    for (const roles of [[EDITOR], [VIEWER]]) {
      const { fid, somebody, neighbour } = await place(roles)
      const peer = await openRaw(server, somebody, fid)
      await peer.reads()
      attack(peer)
      expect(await peer.closed).toEqual({ code, reason: closeReasons[code] })
      expect(await storedVariables(fid)).toEqual([])
      await isUnharmed(neighbour, fid)
    }
  })

  test('a flow that has grown too large takes nothing more, and says so', async () => {
    const { fid, somebody, neighbour } = await place([EDITOR])
    const { id, projectId } = await flowRow(server, fid)
    const room = await documents().rooms.present({ id, projectId })
    const bytes = Object.getOwnPropertyDescriptor(room, 'bytes') as PropertyDescriptor
    Object.defineProperty(room, 'bytes', { configurable: true, get: () => collabLimits.documentBytes })
    const peer = await openRaw(server, somebody, fid)
    peer.writes(2, setVariable('one more'))
    const code = closeCodes.flowTooLarge
    expect(await peer.closed).toEqual({ code, reason: closeReasons[code] })
    Object.defineProperty(room, 'bytes', bytes)
    expect(await storedVariables(fid)).toEqual([])
    await isUnharmed(neighbour, fid)
  })

  test('one person has so many connections and not one more, over all flows', async () => {
    const { fid, somebody, neighbour } = await place([VIEWER])
    const peers: RawPeer[] = []
    for (let n = 0; n < collabLimits.connectionsPerUser; n++) peers.push(await openRaw(server, somebody, fid))
    await Promise.all(peers.map((peer) => peer.reads()))
    const surplus = await openRaw(server, somebody, fid)
    const code = closeCodes.tooManyTabs
    expect(await surplus.closed).toEqual({ code, reason: closeReasons[code] })
    peers[0]?.socket.close()
    await peers[0]?.closed
    const next = await openRaw(server, somebody, fid)
    expect(await next.reads()).not.toBeNull()
    for (const { socket } of [...peers, next]) socket.terminate()
    await isUnharmed(neighbour, fid)
  })
})

async function setRoles(pgid: string, member: Registered, roles: number[]) {
  await addMember(server, pgid, member, roles)
  documents().rightsChanged(await userIdOf(member))
}

async function removeMember(fid: string, member: Registered) {
  const { projectId } = await flowRow(server, fid)
  const userId = await userIdOf(member)
  await server.context.db
    .deleteFrom('project_members')
    .where('user_id', '=', userId)
    .where('project_id', '=', projectId)
    .execute()
  documents().rightsChanged(userId)
}

/** From another browser, with the account's password. */
async function logOutElsewhere({ user, password }: Registered) {
  const other = await server.guest()
  await other.call(login, { body: { email: user.email, password } })
  expect(await other.call(logoutElsewhere)).toEqual({ ended: 1 })
}

async function endSessions(member: Registered) {
  const userId = await userIdOf(member)
  await server.context.db.deleteFrom('sessions').where('user_id', '=', userId).execute()
  documents().rightsChanged(userId)
}

const whileHere = async (db: TestServer['context']['db'], { user }: Registered) =>
  (await db.selectFrom('users').select('id').where('gid', '=', user.ui).executeTakeFirstOrThrow()).id
