import { expect, test } from 'vitest'
import type { Bus, Listener } from '../../../platform/bus/bus'
import { createUpdates } from './updates'

/** Two processes' buses that reach each other at once. */
function joinedBuses(): [Bus, Bus] {
  const sides = [new Map<string, Listener>(), new Map<string, Listener>()] as const
  const bus = (own: 0 | 1): Bus => ({
    publish: (channel, message) => sides[own === 0 ? 1 : 0].get(channel)?.hear(message, `process ${own}`),
    subscribe(channel, listener) {
      sides[own].set(channel, listener)
      listener.look()
      return () => sides[own].delete(channel)
    },
    close: async () => {},
  })
  return [bus(0), bus(1)]
}

test('who listens to a conversation is told of turns in this process and in others, and to look when listening begins', () => {
  const [one, two] = joinedBuses().map(createUpdates) as [
    ReturnType<typeof createUpdates>,
    ReturnType<typeof createUpdates>,
  ]
  let told = 0
  const leave = one.subscribe('7', () => told++)
  expect(told).toBe(1)
  two.publish('8')
  expect(told).toBe(1)
  two.publish('7')
  expect(told).toBe(2)
  one.publish('7')
  expect(told).toBe(3)
  leave()
  two.publish('7')
  one.publish('7')
  expect(told).toBe(3)
})

test('what is being written is shown to who listens, in this process and in others, and is no news', () => {
  const [one, two] = joinedBuses().map(createUpdates) as [
    ReturnType<typeof createUpdates>,
    ReturnType<typeof createUpdates>,
  ]
  const seen: unknown[] = []
  let told = 0
  const leave = one.subscribe(
    '7',
    () => told++,
    (draft) => seen.push(draft),
  )
  const draft = { after: 2, text: [{ type: 'paragraph' as const, children: [{ text: 'Grüße' }] }] }
  one.draft('7', draft)
  two.draft('7', draft)
  two.draft('8', draft)
  expect(seen).toEqual([draft, draft])
  expect(told).toBe(1)
  leave()
  one.draft('7', draft)
  two.draft('7', draft)
  expect(seen).toHaveLength(2)
})
