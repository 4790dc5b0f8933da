import { createDecoder, readVarUint, readVarUint8Array } from 'lib0/decoding'
import type { WebSocket } from 'ws'
import { messageYjsSyncStep1 } from 'y-protocols/sync'
import { closeCodes } from '../../engine/document/syncProtocol'
import type { Admission, Rights } from './access'
import type { Connections } from './connections'
import { frames, MESSAGE } from './frames'
import { collabLimits, createBucket } from './limits'
import type { Lobby } from './lobby'
import type { Member, Room } from './room'

/** y-websocket's client gives up a connection on which it hears nothing for 30 s. */
const HEARTBEAT_MS = 15_000
/** For this long a right is taken as still there when nobody said that it changed. */
const RIGHTS_MS = 1_000

export interface ConnectionOptions {
  socket: WebSocket
  room: Room
  lobby: Lobby
  connections: Connections
  rights: Admission
  askRights: () => Promise<Rights>
  clock: () => Date
  /** does it know our additions to the protocol? */
  tellSaved: boolean
  onClose: () => void
}

/**
 * Speaks y-websocket's protocol with one socket: frames are taken one after the other, each write is checked against the
 * present rights, and whatever is wrong with a frame ends this connection alone.
 */
export function serveConnection(options: ConnectionOptions) {
  const { socket, room, lobby, connections, askRights, clock, tellSaved, onClose } = options
  const now = () => performance.now()
  const mayFrames = createBucket(collabLimits.framesPerSecond, collabLimits.framesAtOnce, now)
  const mayBytes = createBucket(collabLimits.bytesPerSecond, collabLimits.bytesAtOnce, now)
  let rights = options.rights
  let askedAt = now()
  // how often somebody said that the rights changed, and how much of it the last answer knew
  let changes = 0
  let known = 0
  let denied = false
  let alive = true
  let queue = Promise.resolve()

  const send = (frame: Uint8Array) => {
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > collabLimits.outboxBytes) return socket.terminate()
    socket.send(frame)
  }

  const member: Member = {
    onUpdate: (update) => send(lobby.updateFrame(update)),
    onSaved: (count) => {
      if (tellSaved) send(frames.saved(count))
    },
    onEnd: (end) => socket.close(end === 'gone' ? closeCodes.gone : closeCodes.tryLater),
  }

  /** Asks again what the session may do; ends the connection when that is nothing. */
  async function refreshRights(): Promise<void> {
    do {
      const asked = changes
      const present = await askRights()
      known = asked
      askedAt = now()
      if ('refused' in present) return socket.close(closeCodes[present.refused])
      const before = rights
      rights = present
      if (JSON.stringify(before.person) !== JSON.stringify(present.person))
        lobby.presence.restamp(member, present.person)
      if (present.write && !before.write) {
        denied = false
        // what it did meanwhile may come in now
        send(frames.question(room.doc))
      }
    } while (known !== changes && socket.readyState === socket.OPEN)
  }

  const areRightsFresh = () =>
    known === changes && now() - askedAt <= RIGHTS_MS && clock().getTime() < rights.expiresAt.getTime()

  function deny() {
    if (denied) return
    denied = true
    send(frames.denied('You may only read this flow.'))
  }

  async function takeSync(frame: Uint8Array) {
    const decoder = createDecoder(frame)
    readVarUint(decoder)
    const kind = readVarUint(decoder)
    const content = readVarUint8Array(decoder)
    if (kind === messageYjsSyncStep1) return send(frames.answer(room.doc, content))
    if (kind !== 1 && kind !== 2) throw new Error(`sync message ${kind}`)
    if (!areRightsFresh()) await refreshOrLeave()
    if (socket.readyState !== socket.OPEN) return
    if (!rights.write) return deny()
    if (room.bytes + content.length > collabLimits.documentBytes)
      return socket.close(closeCodes.tooLarge, 'The flow is too large.')
    room.write(member, content)
  }

  async function take(frame: Uint8Array) {
    const decoder = createDecoder(frame)
    const type = readVarUint(decoder)
    if (type === MESSAGE.sync) return takeSync(frame)
    if (type === MESSAGE.queryAwareness) return send(frames.presence(room.awareness, lobby.present()))
    if (type !== MESSAGE.awareness) throw new Error(`message ${type}`)
    lobby.presence.take(member, rights.person, readVarUint8Array(decoder))
  }

  /** Whoever can't be asked about is not let on; the client comes back. */
  const refreshOrLeave = () => refreshRights().catch(() => socket.close(closeCodes.tryLater))

  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) return socket.close(closeCodes.badMessage, 'Not a binary frame.')
    if (data.length > collabLimits.frameBytes) return socket.close(closeCodes.tooLarge, 'The change is too large.')
    if (!mayFrames(1) || !mayBytes(data.length)) return socket.close(closeCodes.tooFast, 'Too many changes at once.')
    queue = queue
      .then(() => (socket.readyState === socket.OPEN ? take(data) : undefined))
      .catch(() => socket.close(closeCodes.badMessage, 'The message could not be read.'))
  })

  const stopHearing = lobby.enter(member, send)
  const leave = room.join(member)
  const remove = connections.add({
    userId: rights.userId,
    flow: rights.flow,
    recheck() {
      changes += 1
      queue = queue.then(() => (known === changes ? undefined : refreshOrLeave()))
    },
    tell: (topic) => {
      if (tellSaved) send(frames.news(topic))
    },
  })
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
    lobby.presence.release(member)
    onClose()
  })

  // a reader is not asked what he has: it would only be refused
  if (rights.write) send(frames.question(room.doc))
  const present = lobby.present()
  if (present.length > 0) send(frames.presence(room.awareness, present))
}
