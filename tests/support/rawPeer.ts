import { once } from 'node:events'
import { createDecoder, readVarString, readVarUint, readVarUint8Array } from 'lib0/decoding'
import { createEncoder, toUint8Array, writeVarString, writeVarUint } from 'lib0/encoding'
import type WebSocket from 'ws'
import * as Y from 'yjs'
import type { TestClient } from './client'
import { frame, socketOf } from './collab'
import type { TestServer } from './server'

export type RawPeer = Awaited<ReturnType<typeof openRaw>>

/** A client that speaks the protocol byte by byte, like an attacker. It may be refused: `open` resolves either way. */
export async function openRaw(server: TestServer, client: TestClient, fid: string, query = '') {
  const url = `${server.url.replace('http', 'ws')}/collab/${fid}${query}`
  const socket = new (socketOf(client) as unknown as typeof WebSocket)(url)
  const received: Uint8Array[] = []
  socket.on('message', (data: Buffer) => received.push(data))
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) })),
  )
  await once(socket, 'open')
  const ofType = (type: number, kind?: number) =>
    received.filter((data) => data[0] === type && (kind === undefined || data[1] === kind))
  return {
    socket,
    closed,
    received,
    ofType,
    send: (bytes: Uint8Array) => socket.send(bytes),
    writes: (kind: 1 | 2, update: Uint8Array) => socket.send(frame(0, kind, update)),
    says: (...entries: [client: number, state: unknown][]) => socket.send(frame(1, undefined, presence(entries))),
    /**
     * resolves when everything sent has been handled: with the document of this client, or null if it was disconnected
     */
    async reads(): Promise<Y.Doc | null> {
      const before = ofType(0, 1).length
      socket.send(frame(0, 0, Y.encodeStateVector(new Y.Doc())))
      const answered = new Promise<void>((resolve) => {
        const look = () => ofType(0, 1).length > before && resolve()
        socket.on('message', look)
      })
      await Promise.race([answered, closed])
      const answer = ofType(0, 1)[before]
      if (!answer) return null
      const doc = new Y.Doc()
      Y.applyUpdate(doc, readVarUint8Array(createDecoder(answer.subarray(2))))
      return doc
    },
    /** the last received state of each client */
    states(): Map<number, unknown> {
      const states = new Map<number, unknown>()
      for (const data of ofType(1)) {
        const decoder = createDecoder(readVarUint8Array(createDecoder(data.subarray(1))))
        for (let n = readVarUint(decoder); n > 0; n--) {
          const client = readVarUint(decoder)
          readVarUint(decoder)
          states.set(client, JSON.parse(readVarString(decoder)))
        }
      }
      return states
    },
  }
}

function presence(entries: readonly [client: number, state: unknown][]): Uint8Array {
  const encoder = createEncoder()
  writeVarUint(encoder, entries.length)
  for (const [client, state] of entries) {
    writeVarUint(encoder, client)
    writeVarUint(encoder, 1_000)
    writeVarString(encoder, JSON.stringify(state))
  }
  return toUint8Array(encoder)
}
