import type { Awareness } from 'y-protocols/awareness'
import type { Person } from '../../engine/document/person'
import { nothingShared, type Peer, readPeer, type SharedState } from './peerState'

/** A person, with any number of tabs. */
export interface Present {
  person: Person
  clientIds: readonly number[]
  /** whether it is oneself */
  me: boolean
}

/** A client's previous and present state; null if absent. */
export interface PeerChange {
  before: Peer | null
  now: Peer | null
}

export interface Presence {
  readonly clientId: number
  /** whether another client is one's own other tab */
  isMe(peer: Peer): boolean
  /** the other clients of this flow */
  peers(): ReadonlyMap<number, Peer>
  /** everybody present, oneself first: the same list until somebody joins, leaves or is renamed */
  people(): readonly Present[]
  /** called with each change of others' presence; returns unsubscribe */
  subscribe(listener: (changes: readonly PeerChange[]) => void): () => void
  /** called when somebody joins, leaves or is renamed; returns unsubscribe */
  subscribePeople(listener: () => void): () => void
  /** Sends parts of one's presence, throttled, and only if somebody else is present. Other parts stay. */
  tell(parts: Partial<SharedState>): void
  close(): void
}

/** More often would not be visible, and each update is a message to everybody. */
const TELL_MS = 50

/** Presence in a flow: who is there, and where. Clients without a person are ignored. */
export function createPresence(awareness: Awareness, me?: Person): Presence {
  awareness.setLocalState(me ? { person: me } : null)
  const peers = new Map<number, Peer>()
  const listeners = new Set<(changes: readonly PeerChange[]) => void>()
  const peopleListeners = new Set<() => void>()
  let people = peopleOf(peers, awareness.clientID, me)

  const read = (clientIds: Iterable<number>) => {
    const changes: PeerChange[] = []
    for (const clientId of clientIds) {
      if (clientId === awareness.clientID) continue
      const before = peers.get(clientId) ?? null
      const state = awareness.getStates().get(clientId)
      const now = state ? readPeer(clientId, state, before ?? undefined) : null
      if (now) peers.set(clientId, now)
      else if (!peers.delete(clientId)) continue
      changes.push({ before, now })
    }
    if (changes.length === 0) return
    if (changes.some(({ before, now }) => before?.person !== now?.person)) {
      people = peopleOf(peers, awareness.clientID, me)
      for (const listener of peopleListeners) listener()
    }
    for (const listener of listeners) listener(changes)
  }
  const onChange = ({ added, updated, removed }: Record<'added' | 'updated' | 'removed', number[]>) => {
    read([...added, ...updated, ...removed])
    // new clients need the present state
    if (added.length > 0) plan()
  }
  awareness.on('change', onChange)
  read(awareness.getStates().keys())

  let wanted = nothingShared
  let told = '{}'
  let timer: ReturnType<typeof setTimeout> | undefined
  const send = () => {
    timer = undefined
    if (!me || awareness.getStates().size < 2) return
    const said = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== null))
    const text = JSON.stringify(said)
    if (text === told) return
    told = text
    awareness.setLocalState({ person: me, ...said })
    timer = setTimeout(send, TELL_MS)
  }
  const plan = () => {
    if (timer === undefined) send()
  }

  const listen = <Listener>(to: Set<Listener>, listener: Listener) => {
    to.add(listener)
    return () => void to.delete(listener)
  }
  return {
    clientId: awareness.clientID,
    isMe: ({ person }) => person.id === me?.id,
    peers: () => peers,
    people: () => people,
    subscribe: (listener) => listen(listeners, listener),
    subscribePeople: (listener) => listen(peopleListeners, listener),
    tell(parts) {
      wanted = { ...wanted, ...parts }
      plan()
    },
    close() {
      clearTimeout(timer)
      awareness.off('change', onChange)
    },
  }
}

/** Sorted by name, so that positions are stable. */
function peopleOf(peers: ReadonlyMap<number, Peer>, ownClient: number, me: Person | undefined): readonly Present[] {
  const byId = new Map<string, { person: Person; clientIds: number[]; me: boolean }>()
  if (me) byId.set(me.id, { person: me, clientIds: [ownClient], me: true })
  for (const { clientId, person } of peers.values()) {
    const known = byId.get(person.id)
    if (known) known.clientIds.push(clientId)
    else byId.set(person.id, { person, clientIds: [clientId], me: false })
  }
  return [...byId.values()].sort(
    (a, b) =>
      Number(b.me) - Number(a.me) ||
      a.person.name.localeCompare(b.person.name) ||
      a.person.id.localeCompare(b.person.id),
  )
}
