import type { Awareness } from 'y-protocols/awareness'
import type { Person } from '../../engine/document/person'

export interface Presence {
  readonly awareness: Awareness
  /** the others who have this flow open */
  peers(): { clientId: number; person: Person }[]
  /** called when somebody comes, goes or changes; returns unsubscribe */
  subscribe(listener: () => void): () => void
}

/** Who has the flow open. Nothing is sent for somebody without a name. */
export function createPresence(awareness: Awareness, person?: Person): Presence {
  awareness.setLocalState(person ? { person } : null)
  return {
    awareness,
    peers: () =>
      [...awareness.getStates()].flatMap(([clientId, state]) => {
        const peer: unknown = state.person
        return clientId !== awareness.clientID && isPerson(peer) ? [{ clientId, person: peer }] : []
      }),
    subscribe(listener) {
      awareness.on('change', listener)
      return () => awareness.off('change', listener)
    },
  }
}

/** The server writes who somebody is; what is no person came from no server of ours. */
export const isPerson = (value: unknown): value is Person =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'string' &&
  'name' in value &&
  typeof value.name === 'string' &&
  'color' in value &&
  typeof value.color === 'string' &&
  'viewer' in value &&
  typeof value.viewer === 'boolean'
