import { createDecoder, readVarUint, readVarUint8Array } from 'lib0/decoding'
import { createEncoder, type Encoder, toUint8Array, writeVarUint, writeVarUint8Array } from 'lib0/encoding'
import type { WebSocket } from 'ws'
import { writePermissionDenied } from 'y-protocols/auth'
import { applyAwarenessUpdate, encodeAwarenessUpdate, removeAwarenessStates } from 'y-protocols/awareness'
import { messageYjsSyncStep1, writeSyncStep1, writeSyncStep2, writeUpdate } from 'y-protocols/sync'
import { closeCodes, MESSAGE_SAVED } from '../../engine/document/syncProtocol'
import type { Rights } from './access'
import type { createAwarenessFilter } from './awarenessFilter'
import { collabLimits, createBucket } from './limits'
import type { Member, Room } from './room'

const MESSAGE = { sync: 0, awareness: 1, auth: 2, queryAwareness: 3 } as const
/** y-websocket's client gives up a connection on which it hears nothing for 30 s. */
const HEARTBEAT_MS = 15_000
/** For this long a right that was found is taken as still there. */
const RIGHTS_MS = 1_000

export interface ConnectionOptions {
  socket: WebSocket
  room: Room
  rights: Exclude<Rights, { refused: string }>
  askRights: () => Promise<Rights>
  filter: ReturnType<typeof createAwarenessFilter>
  /** does it want to be told what is stored? */
  tellSaved: boolean
  onClose: () => void
}

/**
 * Speaks y-websocket's protocol with one socket: frames are taken one after the other, each write is checked against the
 * present rights, and whatever is wrong with a frame ends this connection alone.
 */
export function serveConnection({ socket, room, rights, askRights, filter, tellSaved, onClose }: ConnectionOptions) {
  const now = () => performance.now()
  const mayFrames = createBucket(collabLimits.framesPerSecond, collabLimits.framesAtOnce, now)
  const mayBytes = createBucket(collabLimits.bytesPerSecond, collabLimits.bytesAtOnce, now)
  let write = rights.write
  let askedAt = now()
  let denied = false
  let alive = true
  let queue = Promise.resolve()

  const send = (build: (encoder: Encoder) => void) => {
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > collabLimits.outboxBytes) return socket.terminate()
    const encoder = createEncoder()
    build(encoder)
    socket.send(toUint8Array(encoder))
  }
  const sendAwareness = (clients: number[]) =>
    send((encoder) => {
      writeVarUint(encoder, MESSAGE.awareness)
      writeVarUint8Array(encoder, encodeAwarenessUpdate(room.awareness, clients))
    })
  const sendSync = (build: (encoder: Encoder) => void) =>
    send((encoder) => {
      writeVarUint(encoder, MESSAGE.sync)
      build(encoder)
    })

  const member: Member = {
    onUpdate: (update) => sendSync((encoder) => writeUpdate(encoder, update)),
    onSaved: (frames) => {
      if (!tellSaved) return
      send((encoder) => {
        writeVarUint(encoder, MESSAGE_SAVED)
        writeVarUint(encoder, frames)
      })
    },
    onEnd: (end) => socket.close(end === 'gone' ? closeCodes.gone : closeCodes.tryLater),
  }

  /** Asks again what the session may do; ends the connection when that is nothing. */
  async function refreshRights(): Promise<void> {
    const present = await askRights()
    askedAt = now()
    if (!('refused' in present)) write = present.write
    else {
      write = false
      socket.close(closeCodes[present.refused])
    }
  }

  function deny() {
    if (denied) return
    denied = true
    send((encoder) => {
      writeVarUint(encoder, MESSAGE.auth)
      writePermissionDenied(encoder, 'You may only read this flow.')
    })
  }

  async function takeSync(frame: Uint8Array) {
    const decoder = createDecoder(frame)
    readVarUint(decoder)
    const kind = readVarUint(decoder)
    const content = readVarUint8Array(decoder)
    if (kind === messageYjsSyncStep1) return sendSync((encoder) => writeSyncStep2(encoder, room.doc, content))
    if (kind !== 1 && kind !== 2) throw new Error(`sync message ${kind}`)
    if (now() - askedAt > RIGHTS_MS) await refreshRights()
    if (!write) return deny()
    if (socket.readyState !== socket.OPEN) return
    if (room.bytes + content.length > collabLimits.documentBytes)
      return socket.close(closeCodes.tooLarge, 'The flow is too large.')
    room.write(member, content)
  }

  async function take(frame: Uint8Array) {
    const decoder = createDecoder(frame)
    const type = readVarUint(decoder)
    if (type === MESSAGE.sync) return takeSync(frame)
    if (type === MESSAGE.queryAwareness) return sendAwareness([...room.awareness.getStates().keys()])
    // what is said of presence by a client that we don't know the type of is no reason to stop it
    if (type !== MESSAGE.awareness) throw new Error(`message ${type}`)
    const own = filter.own(member, readVarUint8Array(decoder))
    if (own) applyAwarenessUpdate(room.awareness, own, member)
  }

  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) return socket.close(closeCodes.badMessage, 'Not a binary frame.')
    if (data.length > collabLimits.frameBytes) return socket.close(closeCodes.tooLarge, 'The change is too large.')
    if (!mayFrames(1) || !mayBytes(data.length)) return socket.close(closeCodes.tooFast, 'Too many changes at once.')
    queue = queue
      .then(() => (socket.readyState === socket.OPEN ? take(data) : undefined))
      .catch(() => socket.close(closeCodes.badMessage, 'The message could not be read.'))
  })

  const onAwareness = ({ added, updated, removed }: { added: number[]; updated: number[]; removed: number[] }) =>
    sendAwareness([...added, ...updated, ...removed])
  room.awareness.on('update', onAwareness)
  const leave = room.join(member)
  const heartbeat = setInterval(() => {
    if (!alive) return socket.terminate()
    alive = false
    socket.ping()
    sendAwareness([])
    queue = queue.then(refreshRights).catch(() => {})
  }, HEARTBEAT_MS).unref()
  socket.on('pong', () => {
    alive = true
  })
  socket.on('close', () => {
    clearInterval(heartbeat)
    leave()
    room.awareness.off('update', onAwareness)
    const client = filter.release(member)
    if (client !== undefined) removeAwarenessStates(room.awareness, [client], member)
    onClose()
  })

  // a reader is not asked what he has: it would only be refused
  if (write) sendSync((encoder) => writeSyncStep1(encoder, room.doc))
  const present = [...room.awareness.getStates().keys()]
  if (present.length > 0) sendAwareness(present)
}
