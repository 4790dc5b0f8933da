import type { Awareness } from 'y-protocols/awareness'
import type { Person } from '../../engine/document/person'
import { nothingShared, type Peer, readPeer, type SharedState } from './peerState'

/** One person, however many tabs they have the flow open in. */
export interface Present {
  person: Person
  clientIds: readonly number[]
  /** it is oneself */
  me: boolean
}

/** What one client said before and says now; null when it was not there, or is gone. */
export interface PeerChange {
  before: Peer | null
  now: Peer | null
}

export interface Presence {
  readonly clientId: number
  /** whether another client is oneself too, in a second tab */
  isMe(peer: Peer): boolean
  /** the other clients that have this flow open */
  peers(): ReadonlyMap<number, Peer>
  /** everybody who has it open, oneself first: the same list as long as nobody comes, goes or is renamed */
  people(): readonly Present[]
  /** called with each change of what others say; returns unsubscribe */
  subscribe(listener: (changes: readonly PeerChange[]) => void): () => void
  /** called when somebody comes, goes or is renamed; returns unsubscribe */
  subscribePeople(listener: () => void): () => void
  /** Tells the others, at most so often, and nobody while nobody is there. What is left out stays as it was told. */
  tell(parts: Partial<SharedState>): void
  close(): void
}

/** Nobody sees more than that, and each telling costs everybody a message. */
const TELL_MS = 50

/** Who has the flow open and where they are in it. Nothing is told of somebody without a name. */
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
    // who comes in must see where one is
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

/** By name, so that nobody's place changes when others come and go. */
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
