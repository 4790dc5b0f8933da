import { createEncoder, type Encoder, toUint8Array, writeUint8Array, writeVarUint } from 'lib0/encoding'
import * as Y from 'yjs'

/**
 * Returns what `Y.encodeStateAsUpdate` does, but yields in between: encoding a large document takes long, and other
 * work needs the thread too. Edits made meanwhile may or may not be included; this update and every update emitted
 * since the call add up to the whole document.
 * @param nextTurn resolves after other work has run
 * @param most structs encoded without a pause
 */
export async function encodeInTurns(doc: Y.Doc, nextTurn: () => Promise<unknown>, most = 2_000): Promise<Uint8Array> {
  const clients = [...doc.store.clients.keys()].sort((a, b) => b - a)
  const ends = clients.map((client) => [client, Y.getState(doc.store, client)] as const)
  const whole = createEncoder()
  writeVarUint(whole, ends.length)
  let left = most
  for (const [client, end] of ends) {
    const body = new Y.UpdateEncoderV1()
    let count = 0
    for (let clock = 0; clock < end; ) {
      if (left === 0) {
        await nextTurn()
        left = most
      }
      const structs = doc.store.clients.get(client) ?? []
      // edits merge and split structs, so the position is looked up after each pause; it may start before the clock
      for (let at = Y.findIndexSS(structs, clock); left > 0 && clock < end; at++) {
        const struct = structs[at] as Y.Item | Y.GC
        struct.write(body, clock - struct.id.clock)
        clock = struct.id.clock + struct.length
        count += 1
        left -= 1
      }
    }
    writeVarUint(whole, count)
    writeVarUint(whole, client)
    writeVarUint(whole, 0)
    writeUint8Array(whole, toUint8Array(body.restEncoder))
  }
  writeDeleted(whole, doc)
  return toUint8Array(whole)
}

/** An update without structs: their number (0), then the delete set. */
function writeDeleted(encoder: Encoder, doc: Y.Doc): void {
  writeUint8Array(encoder, Y.encodeStateAsUpdate(doc, Y.encodeStateVector(doc)).subarray(1))
}
