import { afterAll, beforeAll, expect, test } from 'vitest'
import * as Y from 'yjs'
import { closeCodes, closeReasons } from '../../../../engine/document/syncProtocol'
import {
  addMember,
  flowRow,
  frame,
  makeChatbot,
  openPeer,
  storedFlow,
  synced,
  updateWith,
} from '../../../../tests/support/collab'
import { seededRandom } from '../../../../tests/support/documents'
import { openRaw } from '../../../../tests/support/rawPeer'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { Role } from '../../../access/roles'

let server: TestServer
let owner: Registered
beforeAll(async () => {
  server = await startTestServer()
  owner = await server.register()
})
afterAll(() => server?.close())

const CONNECTIONS = process.env.FULL ? 1_000 : 60
const FRAMES = 12

/** Random bytes, and valid frames with some bytes changed, cut off or doubled. */
function createFrames(dice: (below: number) => number) {
  const bytes = (length: number) => Uint8Array.from({ length }, () => dice(256))
  const update = updateWith((doc) => doc.getMap('variables').set('fuzz', { name: 'fuzz', value: 'x', order: 'a0' }))
  const sound = [
    frame(0, 0, Y.encodeStateVector(new Y.Doc())),
    frame(0, 1, update),
    frame(0, 2, update),
    frame(1, undefined, new Uint8Array([1, 7, 1, 2, 123, 125])),
    new Uint8Array([3]),
  ]
  return (): Uint8Array => {
    if (dice(4) === 0) return bytes(dice(64))
    if (dice(4) === 0) return frame(dice(3), dice(4), bytes(dice(64)))
    const base = sound[dice(sound.length)] as Uint8Array
    const turned = base.slice(0, dice(5) === 0 ? dice(base.length + 1) : base.length)
    for (let n = dice(3); n > 0 && turned.length > 0; n--) turned[dice(turned.length)] = dice(256)
    return dice(8) === 0 ? Uint8Array.from([...turned, ...turned]) : turned
  }
}

test.each([
  ['a viewer', Role.VIEWER, 1],
  ['an editor', Role.EDITOR, 2],
])(
  'garbage from %s ends its own connection at most: neighbours go on, and memory is what is stored',
  async (_who, role, seed) => {
    const { fid, pgid } = await makeChatbot(owner)
    const attacker = await server.register()
    await addMember(server, pgid, attacker, [role])
    const neighbour = openPeer(server, owner, fid)
    await synced(neighbour)
    const cuts: unknown[] = []
    neighbour.provider.on('connection-close', (event) => cuts.push(event?.code))
    const before = await storedFlow(server, fid)
    const next = createFrames(diceOf(seededRandom(seed)))
    const ends = new Set<number>()
    for (let n = 0; n < CONNECTIONS; n++) {
      const peer = await openRaw(server, attacker, fid)
      for (let sent = 0; sent < FRAMES; sent++) peer.send(next())
      if (await peer.reads()) peer.socket.close()
      const { code, reason } = await peer.closed
      ends.add(code)
      if (code !== NO_CODE) expect(reason).toBe(closeReasons[code])
    }
    expect([...ends].every((code) => [closeCodes.badMessage, NO_CODE].includes(code as never))).toBe(true)
    expect(ends).toContain(closeCodes.badMessage)
    expect(cuts).toEqual([])
    neighbour.document.commands.addVariable({ id: 'alive', name: 'alive', value: null })
    const late = openPeer(server, owner, fid)
    await late.sees((document) => document.toFlow().variables.some(({ id }) => id === 'alive'))
    const { id, projectId } = await flowRow(server, fid)
    const documents = server.parts.documents
    await (await documents.rooms.present({ id, projectId }))?.flushed()
    const stored = await storedFlow(server, fid)
    expect(stored).toEqual(await documents.readFlow(projectId, id))
    if (role === Role.VIEWER) {
      expect({ ...stored, variables: stored.variables.filter((variable) => variable.id !== 'alive') }).toEqual(before)
    }
    for (const peer of [neighbour, late]) peer.leave()
  },
)

const diceOf = (random: () => number) => (below: number) => Math.floor(random() * below)

/** the test itself closed it */
const NO_CODE = 1005
