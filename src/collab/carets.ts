import type { CaretRoom, PeerCaret, PeerInField } from '../text/caretRoom'
import type { Peer } from './peerState'
import type { PeerChange, Presence } from './presence'

/**
 * Others' carets in texts and fields of a flow; one's own other tabs don't count. Listeners are called only when
 * somebody moved.
 */
export function createCarets(presence: Presence): CaretRoom {
  let inTexts = new Map<string, readonly PeerCaret[]>()
  let inFields = new Map<string, readonly PeerInField[]>()
  const listeners = new Set<() => void>()
  const read = () => {
    const peers = [...presence.peers().values()].filter((peer) => !presence.isMe(peer))
    inTexts = keepSame(gather(peers, caretOf), inTexts)
    inFields = keepSame(gather(peers, fieldOf), inFields)
    for (const listener of listeners) listener()
  }
  presence.subscribe((changes) => {
    if (changes.some(isElsewhere)) read()
  })
  read()
  return {
    inText: (place) => inTexts.get(place) ?? nobody,
    inField: (place) => inFields.get(place) ?? nobody,
    set: (caret) => presence.tell({ caret }),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const nobody: readonly never[] = []

const isElsewhere = ({ before, now }: PeerChange): boolean =>
  before?.caret !== now?.caret || before?.field !== now?.field || before?.person !== now?.person

const caretOf = ({ clientId, person, caret }: Peer) =>
  caret && { place: caret.place, here: { clientId, ...person, range: caret.range } }

const fieldOf = ({ person, caret, field }: Peer) => {
  const place = field ?? caret?.place
  return place ? { place, here: person } : null
}

/** Peers by place; a person with several tabs in one place counts once where only the person matters. */
function gather<Here extends PeerInField>(
  peers: readonly Peer[],
  find: (peer: Peer) => { place: string; here: Here } | null,
): Map<string, readonly Here[]> {
  const found = new Map<string, Here[]>()
  for (const peer of peers) {
    const { place, here } = find(peer) ?? {}
    if (place === undefined || here === undefined) continue
    const present = found.get(place) ?? []
    found.set(place, present)
    if (!present.some((other) => JSON.stringify(other) === JSON.stringify(here))) present.push(here)
  }
  return found
}

/** Keeps the previous lists if they are equal. */
function keepSame<T>(found: Map<string, readonly T[]>, before: ReadonlyMap<string, readonly T[]>) {
  for (const [place, list] of found) {
    const known = before.get(place)
    if (known && JSON.stringify(known) === JSON.stringify(list)) found.set(place, known)
  }
  return found
}
