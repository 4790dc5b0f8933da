// The clients of the bench of the sync server, in a process of their own: they speak y-websocket's protocol and read little of it.
import { once } from 'node:events'
import { createDecoder, readVarUint8Array } from 'lib0/decoding'
import { createEncoder, toUint8Array, writeVarUint, writeVarUint8Array } from 'lib0/encoding'
import { WebSocket } from 'ws'
import * as Y from 'yjs'

let place
const NOTHING = Y.encodeStateVector(new Y.Doc())
const frame = (kind, bytes) => {
  const encoder = createEncoder()
  writeVarUint(encoder, 0)
  writeVarUint(encoder, kind)
  writeVarUint8Array(encoder, bytes)
  return toUint8Array(encoder)
}
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const percentile = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN

let people = 0
/** Connects and waits for the document. `onTime` is given the moment at which an update that comes was made. */
async function join(room, onTime = () => {}) {
  const cookie = place.cookies[people++ % place.cookies.length]
  const socket = new WebSocket(`${place.url}/${room}`, { headers: cookie ? { cookie } : {}, perMessageDeflate: false })
  socket.on('close', (code, reason) => code > 1006 && console.error('cut off', code, String(reason)))
  let synced
  const loaded = new Promise((resolve) => {
    synced = resolve
  })
  socket.on('message', (data) => {
    if (data[0] !== 0) return
    if (data[1] === 1) return synced(data)
    // a byte of a client's number may be an @ too
    const made = data[1] === 2 ? /@(\d+\.\d+)#/.exec(data.toString('latin1')) : null
    if (made) onTime(Number(made[1]))
  })
  await once(socket, 'open')
  socket.send(frame(0, NOTHING))
  const answer = await loaded
  const doc = new Y.Doc()
  doc.on('update', (update) => socket.send(frame(2, update)))
  const id = `v${doc.clientID}`
  const write = () => {
    const value = `@${performance.now().toFixed(3)}#`
    doc.getMap('variables').set(id, { name: id, value, order: 'a0' })
  }
  return { socket, answer, write, doc }
}

async function leave(clients) {
  const gone = clients.map(({ socket }) => once(socket, 'close'))
  for (const { socket } of clients) socket.close()
  await Promise.all(gone)
}

const scenarios = {
  /** `writers` of `count` clients in one room write so often, for so long: how late the others have it */
  async fanOut({ count, writers, seconds, perSecond, room }) {
    const late = []
    const clients = []
    for (let n = 0; n < count; n++) clients.push(await join(room, (time) => late.push(performance.now() - time)))
    const [warm] = clients
    for (let n = 0; n < 20; n++) warm.write()
    await wait(500)
    late.length = 0
    await write(clients.slice(0, writers), seconds, perSecond)
    await wait(1_000)
    // who writes hears it back from the peer, from ours too
    const expected = writers * count * seconds * perSecond
    await leave(clients)
    late.sort((a, b) => a - b)
    return { p50: percentile(late, 0.5), p95: percentile(late, 0.95), came: late.length / expected }
  },

  /** so many rooms with so many clients each, one of whom writes once a second */
  async rooms({ count, each, seconds }) {
    const late = []
    held = []
    for (let n = 0; n < count; n++) {
      for (let m = 0; m < each; m++)
        held.push(await join(place.rooms[n], (time) => late.push(performance.now() - time)))
    }
    late.length = 0
    await write(
      held.filter((_, n) => n % each === 0),
      seconds,
      1,
    )
    await wait(1_000)
    late.sort((a, b) => a - b)
    return { p50: percentile(late, 0.5), p95: percentile(late, 0.95), came: late.length / (count * each * seconds) }
  },
  async leaveRooms() {
    await leave(held)
    held = []
  },

  /** from opening the socket to having the document, several times */
  async firstSync({ room, times }) {
    const took = []
    let bytes = 0
    for (let n = 0; n < times; n++) {
      const began = performance.now()
      const client = await join(room)
      const update = readVarUint8Array(createDecoder(client.answer.subarray(2)))
      Y.applyUpdate(new Y.Doc(), update)
      took.push(performance.now() - began)
      bytes = update.length
      await leave([client])
    }
    return { first: took[0], others: took.slice(1).sort((a, b) => a - b)[Math.floor((times - 1) / 2)], bytes }
  },
  /** gives one room the document of another */
  async fetchLarge({ room }) {
    const client = await join(room)
    await leave([client])
    return Buffer.from(readVarUint8Array(createDecoder(client.answer.subarray(2)))).toString('base64')
  },
  async putLarge({ room, update }) {
    const client = await join(room)
    client.socket.send(frame(2, Buffer.from(update, 'base64')))
    await join(room).then((other) => leave([client, other]))
  },

  /** so many edits from ten clients, each in small steps */
  async edits({ room, edits }) {
    const clients = await Promise.all(Array.from({ length: 10 }, () => join(room)))
    for (let n = 0; n < edits / clients.length; n++) {
      for (const { write } of clients) write()
      if (n % 10 === 9) await wait(60)
    }
    await wait(1_000)
    await leave(clients)
  },
}
let held = []

/** The writers take turns, so that they do not all write in the same instant. */
async function write(writers, seconds, perSecond) {
  const began = performance.now()
  const total = seconds * perSecond * writers.length
  for (let n = 0; n < total; n++) {
    const due = began + (n * 1_000) / (perSecond * writers.length)
    const early = due - performance.now()
    if (early > 0) await wait(early)
    writers[n % writers.length].write()
  }
}

process.on('message', async ({ id, ask, of }) => {
  if (ask === 'at') {
    place = of
    return process.send({ id, answer: null })
  }
  process.send({ id, answer: (await scenarios[ask](of)) ?? null })
})
process.on('disconnect', () => process.exit())
