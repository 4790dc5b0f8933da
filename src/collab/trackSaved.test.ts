import { createEncoder, toUint8Array, writeVarUint } from 'lib0/encoding'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeSyncStep1, writeSyncStep2 } from 'y-protocols/sync'
import * as Y from 'yjs'
import { MESSAGE_SAVED } from '../../engine/document/syncProtocol'
import { connectTracked, type SavedProvider } from './trackSaved'

/** The server's end of a socket, simulated: what it received, and what it sends. */
class Socket {
  static last: Socket
  static readonly OPEN = 1
  readonly OPEN = 1
  readyState = 0
  binaryType = ''
  onopen: (() => void) | null = null
  onmessage: ((event: { data: Uint8Array }) => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null
  /** kinds of sync messages */
  frames: number[] = []
  constructor() {
    Socket.last = this
  }
  send(data: Uint8Array) {
    if (data[0] === 0) this.frames.push(data[1] ?? -1)
  }
  close() {
    this.readyState = 3
  }
  opens() {
    this.readyState = 1
    this.onopen?.()
  }
  says(build: (encoder: ReturnType<typeof createEncoder>) => void) {
    const encoder = createEncoder()
    build(encoder)
    this.onmessage?.({ data: toUint8Array(encoder) })
  }
  asks(server = new Y.Doc()) {
    this.says((encoder) => {
      writeVarUint(encoder, 0)
      writeSyncStep1(encoder, server)
    })
    this.says((encoder) => {
      writeVarUint(encoder, 0)
      writeSyncStep2(encoder, server)
    })
  }
  stored(frames: number) {
    this.says((encoder) => {
      writeVarUint(encoder, MESSAGE_SAVED)
      writeVarUint(encoder, frames)
    })
  }
  breaks() {
    this.onclose?.({ code: 1006 })
  }
}

let now = 0
let doc: Y.Doc
let sync: SavedProvider
beforeEach(() => {
  doc = new Y.Doc()
  now = 0
  sync = connectTracked('ws://server', 'room', doc, {
    onChange: () => undefined,
    WebSocket: Socket as unknown as typeof WebSocket,
    clock: () => now,
  })
})
afterEach(() => {
  sync.provider.destroy()
  doc.destroy()
})

const edit = () => doc.getMap('m').set(String(Math.random()), 1)
const unsent = () => sync.unsent().length

test('an edit is stored once its own frame is, whatever comes after it', () => {
  Socket.last.opens()
  Socket.last.asks()
  edit()
  edit()
  Socket.last.stored(1)
  expect(unsent()).toBe(2)
  Socket.last.stored(2)
  expect(unsent()).toBe(1)
  edit()
  Socket.last.stored(3)
  expect(unsent()).toBe(1)
  Socket.last.stored(4)
  expect(unsent()).toBe(0)
})

test('what was done offline goes with the answer to the server, and not with an edit that is sent before it', () => {
  edit()
  Socket.last.opens()
  edit()
  Socket.last.stored(1)
  expect(unsent()).toBe(1)
  Socket.last.asks()
  expect(Socket.last.frames).toEqual([0, 2, 1])
  Socket.last.stored(2)
  expect(unsent()).toBe(0)
})

test('what was sent on a connection that broke is sent again, and an old connection confirms nothing of the new one', async () => {
  const first = Socket.last
  first.opens()
  first.asks()
  edit()
  first.breaks()
  sync.provider.connect()
  await expect.poll(() => Socket.last !== first).toBe(true)
  first.stored(2)
  expect(unsent()).toBe(1)
  Socket.last.opens()
  // the count of a new connection on which nothing was sent yet
  Socket.last.stored(0)
  expect(unsent()).toBe(1)
  Socket.last.asks()
  Socket.last.stored(1)
  expect(unsent()).toBe(0)
})

test('what is typed without a pause counts as one edit', () => {
  for (const at of [0, 100, 400, 2_000, 2_300]) {
    now = at
    edit()
  }
  expect(sync.unsent().map(({ number }) => number)).toEqual([1, 1, 1, 2, 2])
})
