import type { Duplex } from 'node:stream'
import { createDecoder, readVarUint, readVarUint8Array } from 'lib0/decoding'
import type { WebSocket } from 'ws'
import { messageYjsSyncStep1, messageYjsSyncStep2, messageYjsUpdate } from 'y-protocols/sync'
import { encodeInTurns } from '../../../../engine/document/encodeInTurns'
import { closeCodes, closeReasons, codeOfCap } from '../../../../engine/document/syncProtocol'
import { nextTurn } from '../../../platform/nextTurn'
import type { Admission, Rights } from './access'
import type { Connection, Connections } from './connections'
import type { EditSession } from './editSession'
import { frames, MESSAGE } from './frames'
import { collabLimits, createBucket } from './limits'
import type { Member, Room } from './room'

/** y-websocket clients close a connection that is silent for 30 s. */
const HEARTBEAT_MS = 15_000
/**
 * Rights are read again on writes: after the first time in the background, after the second before the write. This
 * bounds how long an unannounced change of rights goes unnoticed.
 */
const ASK_AFTER_MS = 1_000
const TRUST_MS = 3_000

/** Larger documents are sent in pieces to a client that has nothing of them, so that others are not delayed. */
const LARGE_BYTES = 256_000
/** Bytes of an empty state vector. */
const NOTHING_YET = 1

export interface ConnectionOptions {
  socket: WebSocket
  /** the socket's underlying stream */
  stream: Duplex
  room: Room
  session: EditSession
  connections: Connections
  rights: Admission
  /** `connections.rechecks()` before `rights` were read: they may have changed while the document was loaded */
  asOf: number
  askRights: () => Promise<Rights>
  clock: () => Date
  /** whether the client knows our additions to the protocol */
  tellSaved: boolean
  onClose: () => void
}

/**
 * Speaks y-websocket's protocol with one socket: frames are handled one after another, each write is checked against
 * the present rights, and an invalid frame ends only this connection.
 */
export function serveConnection(options: ConnectionOptions) {
  const { socket, stream, room, session, connections, askRights, clock, tellSaved, onClose } = options
  const now = () => performance.now()
  const mayFrames = createBucket(collabLimits.framesPerSecond, collabLimits.framesAtOnce, now)
  const mayBytes = createBucket(collabLimits.bytesPerSecond, collabLimits.bytesAtOnce, now)
  let rights = options.rights
  let askedAt = now()
  // the number of announced changes of rights, and how many of them the last check saw
  let changes = 0
  let known = 0
  // accepted and refused write frames
  let taken = 0
  let refused = 0
  let toldOfRefusal = false
  // refused frames count as saved once the later answer that contains their content is stored
  const madeUp: { taken: number; refused: number }[] = []
  let corked = false
  let alive = true
  let queue = Promise.resolve()

  const send = (frame: Uint8Array) => {
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > collabLimits.outboxBytes) return socket.terminate()
    cork()
    socket.send(frame)
  }
  /**
   * Frames sent in one turn of the event loop go out as one packet, which saves most of the work when many write at
   * once.
   */
  const cork = () => {
    if (corked) return
    corked = true
    stream.cork()
    setImmediate(() => {
      corked = false
      stream.uncork()
    })
  }
  const close = (code: number) => socket.close(code, closeReasons[code])

  const member: Member = {
    userId: rights.userId,
    onUpdate: (update) => send(session.updateFrame(update)),
    onSaved: (count) => {
      if (!tellSaved) return
      const past = madeUp.findLast((each) => each.taken <= count)
      send(frames.saved(count + (past?.refused ?? 0)))
    },
    onEnd: (end) => close(end === 'gone' ? closeCodes.gone : closeCodes.tryLater),
  }

  /** Reads the session's rights again; closes the connection if there are none. */
  async function refreshRights(): Promise<void> {
    do {
      const asked = changes
      const present = await askRights()
      // an older result that arrives late
      if (asked < known) continue
      known = asked
      askedAt = now()
      if ('refused' in present) return close(closeCodes[present.refused])
      const before = rights
      rights = present
      if (JSON.stringify(before.person) !== JSON.stringify(present.person))
        session.presence.restamp(member, present.person)
      if (present.write === before.write) continue
      if (tellSaved) send(frames.rights(present.write))
      if (!present.write) continue
      toldOfRefusal = false
      // the answer brings what was refused
      send(frames.question(room.doc))
    } while (known !== changes && socket.readyState === socket.OPEN)
  }

  const areRightsFresh = () =>
    known === changes && now() - askedAt <= TRUST_MS && clock().getTime() < rights.expiresAt.getTime()

  let asking = false
  /** Checks in the background; the result counts for later frames. */
  async function askMeanwhile() {
    if (asking || now() - askedAt <= ASK_AFTER_MS) return
    asking = true
    await refreshOrLeave()
    asking = false
  }

  /** Notifies the client once each time it loses the right to write. */
  function deny() {
    refused += 1
    if (toldOfRefusal) return
    toldOfRefusal = true
    send(frames.denied('You may only read this flow.'))
  }

  async function takeSync(frame: Uint8Array) {
    const decoder = createDecoder(frame)
    readVarUint(decoder)
    const kind = readVarUint(decoder)
    const content = readVarUint8Array(decoder)
    if (kind === messageYjsSyncStep1) {
      const isWhole = content.length <= NOTHING_YET && room.bytes >= LARGE_BYTES
      return send(isWhole ? frames.whole(await encodeInTurns(room.doc, nextTurn)) : frames.answer(room.doc, content))
    }
    if (kind !== messageYjsSyncStep2 && kind !== messageYjsUpdate) throw new Error(`sync message ${kind}`)
    if (!areRightsFresh()) await refreshOrLeave()
    else void askMeanwhile()
    if (socket.readyState !== socket.OPEN) return
    if (!rights.write) return deny()
    if (room.bytes + content.length > collabLimits.documentBytes) return close(closeCodes.flowTooLarge)
    const over = room.write(member, content)
    if (over) return close(codeOfCap[over])
    taken += 1
    if (kind === messageYjsSyncStep2 && refused > 0) madeUp.push({ taken, refused })
  }

  async function take(frame: Uint8Array) {
    const decoder = createDecoder(frame)
    const type = readVarUint(decoder)
    if (type === MESSAGE.sync) return takeSync(frame)
    if (type === MESSAGE.queryAwareness) return send(frames.presence(room.awareness, session.present()))
    if (type !== MESSAGE.awareness) throw new Error(`message ${type}`)
    session.presence.take(member, rights.person, readVarUint8Array(decoder))
  }

  /** If rights can't be checked, close the connection; the client reconnects. */
  const refreshOrLeave = () => refreshRights().catch(() => close(closeCodes.tryLater))

  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) return close(closeCodes.badMessage)
    if (data.length > collabLimits.frameBytes) return close(closeCodes.changeTooLarge)
    if (!mayFrames(1) || !mayBytes(data.length)) return close(closeCodes.tooFast)
    queue = queue
      .then(() => (socket.readyState === socket.OPEN ? take(data) : undefined))
      .catch(() => close(closeCodes.badMessage))
  })

  const stopHearing = session.enter(member, send)
  const leave = room.join(member)
  const own: Connection = {
    userId: rights.userId,
    flow: rights.flow,
    recheck() {
      changes += 1
      queue = queue.then(() => (known === changes ? undefined : refreshOrLeave()))
    },
    tell: (topic) => {
      if (tellSaved) send(frames.news(topic))
    },
  }
  const remove = connections.add(own, options.asOf)
  const heartbeat = setInterval(() => {
    if (!alive) return socket.terminate()
    alive = false
    socket.ping()
    send(frames.presence(room.awareness, []))
    queue = queue.then(refreshRights).catch(() => {})
  }, HEARTBEAT_MS).unref()
  socket.on('pong', () => {
    alive = true
  })
  socket.on('close', () => {
    clearInterval(heartbeat)
    remove()
    leave()
    stopHearing()
    session.presence.release(member)
    onClose()
  })

  if (tellSaved) send(frames.rights(rights.write))
  // a reader is not asked for its changes, which would be refused
  if (rights.write) send(frames.question(room.doc))
  const present = session.present()
  if (present.length > 0) send(frames.presence(room.awareness, present))
}
