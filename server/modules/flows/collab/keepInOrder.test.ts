import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { registry } from '../../../../blocks/registry'
import { updateOf } from '../../../../engine/document/plainFlow'
import { splitUpdate } from '../../../../engine/document/splitUpdate'
import { largeFlow } from '../../../../tests/support/largeFlow'
import { keepInOrder, soundOrigin } from './repairs'
import { applyInPieces } from './store'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a large sound change is not looked through; what others do is, once it is there as a whole', async () => {
  const doc = new Y.Doc()
  const found: string[] = []
  const order = keepInOrder(doc, registry, [], (repairs) => found.push(...repairs.map(({ code }) => code)))
  const pieces = splitUpdate(updateOf(largeFlow(50), registry), 100)
  expect(pieces.length).toBeGreaterThan(5)
  const applied = (origin: object) => () => applyInPieces(doc, pieces, { origin })
  await order.whileWhole(applied(soundOrigin), { sound: true })
  expect(vi.getTimerCount()).toBe(0)

  // a half-applied change would be repaired
  const whole = order.whileWhole(
    async () => {
      doc.getMap('edges').set('nothing/next', { groupId: 'nowhere' })
      await vi.advanceTimersByTimeAsync(2_000)
      expect(found).toEqual([])
    },
    { sound: false },
  )
  await whole
  await vi.advanceTimersByTimeAsync(2_000)
  expect(found).toEqual(['edge-removed'])
  order.stop()
})
