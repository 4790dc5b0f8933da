import { createDecoder, readVarString, readVarUint } from 'lib0/decoding'
import { createEncoder, toUint8Array, writeVarString, writeVarUint } from 'lib0/encoding'
import { type Awareness, applyAwarenessUpdate, removeAwarenessStates } from 'y-protocols/awareness'
import type { Person } from '../../../../engine/document/person'

const STATE_BYTES = 4 * 1024

type State = Record<string, unknown>

/**
 * Restricts each connection to one client id, the first unclaimed one it names, and fills in the person. y-websocket
 * clients also forward others' states, so entries with other ids are dropped, not punished.
 *
 * The clocks are the server's: messages of a socket arrive in order, and a client that reconnects after a short while
 * would be ignored with its own clock.
 */
export function createPresenceFilter(
  awareness: Awareness,
  clock: () => number = Date.now,
  isElsewhere: (client: number) => boolean = () => false,
) {
  /** `since`: the clock of the first state that the server sent for it */
  const owners = new Map<number, { sender: object; person: Person; since: number }>()
  const owned = new Map<object, number>()

  /**
   * A forwarded state of somebody else equals what the server sent. Otherwise a second tab of the same person without
   * own state would claim the first one's id, and both would answer each other endlessly.
   */
  function isEcho({ client, clock }: Entry): boolean {
    const said = awareness.getStates().has(client) ? awareness.meta.get(client)?.clock : undefined
    return said !== undefined && clock <= said && clock >= (owners.get(client)?.since ?? said)
  }

  /** A client may reconnect before its old connection is known to be dead. */
  function claim(sender: object, person: Person, client: number) {
    const before = owners.get(client)
    const present = (awareness.getStates().get(client) as State | undefined)?.person as Person | undefined
    if ((before && before.person.id !== person.id) || (present && present.id !== person.id)) return
    if (before) owned.delete(before.sender)
    owners.set(client, { sender, person, since: before?.since ?? Number.POSITIVE_INFINITY })
    owned.set(sender, client)
  }

  function say(sender: object, client: number, state: State | null) {
    const next = Math.max((awareness.meta.get(client)?.clock ?? 0) + 1, clock())
    const owner = owners.get(client)
    if (owner) owner.since = Math.min(owner.since, next)
    const encoder = createEncoder()
    writeVarUint(encoder, 1)
    writeVarUint(encoder, client)
    writeVarUint(encoder, next)
    writeVarString(encoder, JSON.stringify(state))
    applyAwarenessUpdate(awareness, toUint8Array(encoder), sender)
  }

  return {
    /** Applies the sender's own part of an awareness update. Throws for invalid bytes. */
    take(sender: object, person: Person, update: Uint8Array): void {
      for (const entry of entriesOf(update)) {
        const { client, state, size } = entry
        if (state && !owned.has(sender) && !isEcho(entry)) claim(sender, person, client)
        if (owned.get(sender) !== client || size > STATE_BYTES) continue
        say(sender, client, state && { ...state, person })
      }
    },
    /** Updates the sender's person after a change of rights. */
    restamp(sender: object, person: Person): void {
      const client = owned.get(sender)
      const state = client === undefined ? undefined : (awareness.getStates().get(client) as State | undefined)
      if (client === undefined || !state) return
      say(sender, client, { ...state, person })
    },
    /** Removes the sender's presence. */
    release(sender: object): void {
      const client = owned.get(sender)
      if (client === undefined) return
      owned.delete(sender)
      owners.delete(client)
      // it may have reconnected to another process before its old socket was known to be dead
      if (!isElsewhere(client)) removeAwarenessStates(awareness, [client], sender)
    },
  }
}

interface Entry {
  client: number
  clock: number
  state: State | null
  size: number
}

function entriesOf(update: Uint8Array): Entry[] {
  const decoder = createDecoder(update)
  const entries: Entry[] = []
  for (let n = readVarUint(decoder); n > 0; n--) {
    const client = readVarUint(decoder)
    const clock = readVarUint(decoder)
    const json = readVarString(decoder)
    const state: unknown = JSON.parse(json)
    if (typeof state !== 'object' || Array.isArray(state)) throw new Error('a state is an object')
    entries.push({ client, clock, state: state as State | null, size: Buffer.byteLength(json) })
  }
  return entries
}
