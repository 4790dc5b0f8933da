import { Awareness, applyAwarenessUpdate, encodeAwarenessUpdate } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { type Person, personOf } from '../../engine/document/person'
import { createPresence, type Presence } from './presence'

const person = (first_name: string, last_name: string, viewer = false) =>
  personOf({ id: first_name.toLowerCase(), first_name, last_name, email: `${first_name}@example.com` }, viewer)

export const people = {
  ada: person('Ada', 'Lovelace'),
  bo: person('Bo', 'Diaz'),
  vera: person('Vera', 'Viewer', true),
}

interface Client {
  awareness: Awareness
  presence: Presence
  /** number of entries sent so far */
  told(): number
  leave(): void
}

/** A room that delivers every message to everybody at once: Bo is `here`, Ada is `there`, others may join. */
export function meeting() {
  const clients = new Set<Awareness>()
  const join = (who: Person): Client => {
    const awareness = new Awareness(new Y.Doc())
    let told = 0
    const carry = (to: Awareness) =>
      applyAwarenessUpdate(to, encodeAwarenessUpdate(awareness, [awareness.clientID]), 'network')
    awareness.on('update', (_: unknown, origin: unknown) => {
      if (origin === 'network') return
      told += 1
      for (const other of clients) if (other !== awareness) carry(other)
    })
    clients.add(awareness)
    const presence = createPresence(awareness, who)
    for (const other of clients)
      if (other !== awareness) {
        applyAwarenessUpdate(awareness, encodeAwarenessUpdate(other, [other.clientID]), 'network')
      }
    return { awareness, presence, told: () => told, leave: () => awareness.setLocalState(null) }
  }
  const here = join(people.bo)
  const there = join(people.ada)
  return { here, there, join }
}
