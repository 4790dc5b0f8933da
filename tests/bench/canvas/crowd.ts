import { Awareness, applyAwarenessUpdate, encodeAwarenessUpdate } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { personOf } from '../../../engine/document/person'
import { createPresence, type Presence } from '../../../src/collab/presence'

const person = (n: number) =>
  personOf({ id: `person-${n}`, first_name: 'Person', last_name: String(n), email: `${n}@example.com` })

const TICK_MS = 10
/** each moves so often in a second */
const MOVES = 10

/** Other people in the flow: each has a block selected and moves the pointer ten times a second, as the server tells of it. */
export function createCrowd() {
  const mine = new Awareness(new Y.Doc())
  const presence: Presence = createPresence(mine, person(0))
  let timer: ReturnType<typeof setInterval> | undefined
  return {
    presence,
    /** @param middle where they are, in the flow's coordinates */
    gather(count: number, middle: { x: number; y: number }): void {
      clearInterval(timer)
      const others = Array.from({ length: count }, (_, n) => {
        const awareness = new Awareness(new Y.Doc())
        awareness.setLocalState({
          person: person(n + 1),
          selection: { ids: [`g${n % 60}b1`], count: 1 },
          view: { ...middle, zoom: 1, width: 1440, height: 900 },
        })
        return awareness
      })
      let turn = 0
      timer = setInterval(() => {
        for (let n = 0; n < (count * MOVES * TICK_MS) / 1000; n++) {
          const awareness = others[turn % count] as Awareness
          const angle = turn / 40 + (turn % count)
          const reach = 120 + (((turn % count) * 37) % 380)
          awareness.setLocalStateField('cursor', {
            x: Math.round(middle.x + Math.cos(angle) * reach * 1.4),
            y: Math.round(middle.y + Math.sin(angle) * reach),
          })
          applyAwarenessUpdate(mine, encodeAwarenessUpdate(awareness, [awareness.clientID]), 'server')
          turn += 1
        }
      }, TICK_MS)
    },
  }
}
