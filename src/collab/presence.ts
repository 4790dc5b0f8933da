import type { Awareness } from 'y-protocols/awareness'

export interface Person {
  name: string
  color: string
}
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

/** How the others see somebody: the account's name, and the same colour wherever they meet. */
export function personOf(account: { first_name: string; last_name: string; email: string }): Person {
  const name = `${account.first_name} ${account.last_name}`.trim() || account.email
  let hash = 0
  for (const character of account.email) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0
  return { name, color: colors[hash % colors.length] ?? colors[0] }
}

/** White reads well on each of them, and each stands out on light and on dark. */
const colors = ['#b4235a', '#7a3bc9', '#3457d5', '#0a6f8f', '#0b7a4b', '#8a5a00', '#c2410c', '#a21caf'] as const

export const isPerson = (value: unknown): value is Person =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  'color' in value &&
  typeof value.color === 'string'
