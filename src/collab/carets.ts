import type { Awareness } from 'y-protocols/awareness'
import type { CaretRoom, PeerCaret } from '../text/caretRoom'
import { isPerson } from './presence'

/** Carets are told at most so often: nobody sees more, and each costs everybody a message. */
const TELL_MS = 60

/** Who stands where in the texts of a flow, over its presence. Listeners are called only when a caret moved, came or went. */
export function createCarets(awareness: Awareness): CaretRoom {
  let inTexts = new Map<string, readonly PeerCaret[]>()
  const listeners = new Set<() => void>()
  const read = () => {
    const found = caretsByText(awareness)
    for (const [place, carets] of found) {
      const before = inTexts.get(place)
      if (before && JSON.stringify(before) === JSON.stringify(carets)) found.set(place, before)
    }
    const changed = found.size !== inTexts.size || [...found].some(([place, carets]) => inTexts.get(place) !== carets)
    inTexts = found
    if (changed) for (const listener of listeners) listener()
  }
  awareness.on('change', read)

  let wanted: unknown = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const tell = () => {
    timer = undefined
    if (JSON.stringify(awareness.getLocalState()?.caret ?? null) === JSON.stringify(wanted)) return
    awareness.setLocalStateField('caret', wanted)
    timer = setTimeout(tell, TELL_MS)
  }
  return {
    inText: (place) => inTexts.get(place) ?? nobody,
    set(caret) {
      wanted = caret
      if (timer === undefined) tell()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const nobody: readonly PeerCaret[] = []

function caretsByText(awareness: Awareness): Map<string, readonly PeerCaret[]> {
  const found = new Map<string, PeerCaret[]>()
  for (const [clientId, { person, caret }] of awareness.getStates()) {
    if (clientId === awareness.clientID || !isPerson(person)) continue
    if (typeof caret !== 'object' || caret === null || typeof caret.place !== 'string') continue
    const carets = found.get(caret.place) ?? []
    found.set(caret.place, carets)
    carets.push({ clientId, ...person, range: caret.range })
  }
  return found
}
