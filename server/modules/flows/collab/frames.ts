import {
  createEncoder,
  type Encoder,
  toUint8Array,
  writeVarString,
  writeVarUint,
  writeVarUint8Array,
} from 'lib0/encoding'
import { writePermissionDenied } from 'y-protocols/auth'
import { type Awareness, encodeAwarenessUpdate } from 'y-protocols/awareness'
import { messageYjsSyncStep2, writeSyncStep1, writeSyncStep2, writeUpdate } from 'y-protocols/sync'
import type * as Y from 'yjs'
import { MESSAGE_NEWS, MESSAGE_RIGHTS, MESSAGE_SAVED } from '../../../../engine/document/syncProtocol'

/** The message types of y-websocket. */
export const MESSAGE = { sync: 0, awareness: 1, auth: 2, queryAwareness: 3 } as const

/** Frames sent by the server, of y-websocket's protocol or of ours (engine/document/syncProtocol.ts). */
export const frames = {
  /** asks for what the client has and the server lacks */
  question: (doc: Y.Doc) => frame(MESSAGE.sync, (encoder) => writeSyncStep1(encoder, doc)),
  answer: (doc: Y.Doc, stateVector: Uint8Array) =>
    frame(MESSAGE.sync, (encoder) => writeSyncStep2(encoder, doc, stateVector)),
  /** the answer to a client that has nothing yet */
  whole: (update: Uint8Array) =>
    frame(MESSAGE.sync, (encoder) => {
      writeVarUint(encoder, messageYjsSyncStep2)
      writeVarUint8Array(encoder, update)
    }),
  update: (update: Uint8Array) => frame(MESSAGE.sync, (encoder) => writeUpdate(encoder, update)),
  presence: (awareness: Awareness, clients: number[]) =>
    frame(MESSAGE.awareness, (encoder) => writeVarUint8Array(encoder, encodeAwarenessUpdate(awareness, clients))),
  denied: (reason: string) => frame(MESSAGE.auth, (encoder) => writePermissionDenied(encoder, reason)),
  saved: (count: number) => frame(MESSAGE_SAVED, (encoder) => writeVarUint(encoder, count)),
  rights: (write: boolean) => frame(MESSAGE_RIGHTS, (encoder) => writeVarUint(encoder, write ? 1 : 0)),
  news: (topic: string) => frame(MESSAGE_NEWS, (encoder) => writeVarString(encoder, topic)),
}

function frame(type: number, write: (encoder: Encoder) => void): Uint8Array {
  const encoder = createEncoder()
  writeVarUint(encoder, type)
  write(encoder)
  return toUint8Array(encoder)
}

/** Caches the last result: a frame for everybody in a room is encoded once. */
export function once<Key extends object>(make: (key: Key) => Uint8Array): (key: Key) => Uint8Array {
  let last: { key: Key; made: Uint8Array } | undefined
  return (key) => {
    if (last?.key !== key) last = { key, made: make(key) }
    return last.made
  }
}
