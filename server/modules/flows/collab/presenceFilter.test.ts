import { createEncoder, toUint8Array, writeVarString, writeVarUint } from 'lib0/encoding'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Awareness, encodeAwarenessUpdate } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { createPresenceFilter } from './presenceFilter'

const ada = { id: 'ada', name: 'Ada', color: '#336699', viewer: false }
const CLIENT = 7
let awareness: Awareness
beforeEach(() => {
  awareness = new Awareness(new Y.Doc())
})
afterEach(() => awareness.destroy())

/** An update with one client's state. */
function update(state: object, clock = 1): Uint8Array {
  const encoder = createEncoder()
  for (const number of [1, CLIENT, clock]) writeVarUint(encoder, number)
  writeVarString(encoder, JSON.stringify(state))
  return toUint8Array(encoder)
}

test('a state of 4 KB is passed on, and a larger one is dropped', () => {
  const filter = createPresenceFilter(awareness)
  const sender = {}
  const ofBytes = (size: number) => ({ note: 'x'.repeat(size - JSON.stringify({ note: '' }).length) })
  const noted = () => awareness.getStates().get(CLIENT)?.note?.length
  filter.take(sender, ada, update({ note: 'short' }))
  filter.take(sender, ada, update(ofBytes(4 * 1024 + 1)))
  expect(noted()).toBe('short'.length)
  // bytes, not characters
  filter.take(sender, ada, update({ note: 'ü'.repeat(2_100) }))
  expect(noted()).toBe('short'.length)
  filter.take(sender, ada, update(ofBytes(4 * 1024)))
  expect(noted()).toBe(ofBytes(4 * 1024).note.length)
})

test('a tab that has said nothing of itself does not take the id of another by what it sends on, and takes it when it is that other come back', () => {
  const filter = createPresenceFilter(awareness)
  const [first, second] = [{}, {}]
  const clockNow = () => awareness.meta.get(CLIENT)?.clock ?? 0
  filter.take(first, ada, update({ at: 1 }))
  const early = encodeAwarenessUpdate(awareness, [CLIENT])
  filter.take(first, ada, update({ at: 2 }))
  const said = clockNow()
  // what it received, the last state and the one before
  filter.take(second, ada, encodeAwarenessUpdate(awareness, [CLIENT]))
  filter.take(second, ada, early)
  expect(clockNow()).toBe(said)
  filter.take(first, ada, update({ at: 3 }))
  expect(awareness.getStates().get(CLIENT)?.at).toBe(3)
  // the first one's own state over a new connection, with the client's clock
  filter.take(second, ada, update({ at: 4 }, 2))
  expect(awareness.getStates().get(CLIENT)?.at).toBe(4)
})
