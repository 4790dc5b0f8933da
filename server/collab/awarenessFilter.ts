import { createDecoder, readVarString, readVarUint } from 'lib0/decoding'
import { createEncoder, toUint8Array, writeVarString, writeVarUint } from 'lib0/encoding'

const STATE_BYTES = 4 * 1024

/**
 * Whose presence each connection speaks for: one client id, the first it names that nobody else has. y-websocket's clients send on what
 * they hear of others, so entries of other ids are dropped, not punished.
 */
export function createAwarenessFilter() {
  const owners = new Map<number, object>()
  const owned = new Map<object, number>()

  return {
    /** The part of an awareness update that its sender may say; null when nothing is left. Throws for garbage. */
    own(sender: object, update: Uint8Array): Uint8Array | null {
      const decoder = createDecoder(update)
      const entries: { client: number; clock: number; state: string }[] = []
      for (let n = readVarUint(decoder); n > 0; n--) {
        const entry = { client: readVarUint(decoder), clock: readVarUint(decoder), state: readVarString(decoder) }
        const state: unknown = JSON.parse(entry.state)
        if (state !== null && !owned.has(sender) && !owners.has(entry.client)) {
          owners.set(entry.client, sender)
          owned.set(sender, entry.client)
        }
        if (owners.get(entry.client) === sender && entry.state.length <= STATE_BYTES) entries.push(entry)
      }
      if (entries.length === 0) return null
      const encoder = createEncoder()
      writeVarUint(encoder, entries.length)
      for (const { client, clock, state } of entries) {
        writeVarUint(encoder, client)
        writeVarUint(encoder, clock)
        writeVarString(encoder, state)
      }
      return toUint8Array(encoder)
    },
    /** Frees the sender's client id and gives it back, for removing its state. */
    release(sender: object): number | undefined {
      const client = owned.get(sender)
      owned.delete(sender)
      if (client !== undefined) owners.delete(client)
      return client
    },
  }
}
