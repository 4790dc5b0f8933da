import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PlacedBox } from './arrange'
import { grown, touches } from './boxIndex'
import type { Box } from './geometry'
import { makeRoom } from './makeRoom'

const within =
  (boxes: readonly PlacedBox[]) =>
  (area: Box): PlacedBox[] =>
    boxes.filter((box) => touches(box, area))

test('what a new group would cover goes up or down, and pushes on what it comes to', () => {
  const boxes = [
    { id: 'above', x: 0, y: -80, width: 264, height: 120 },
    { id: 'below', x: 100, y: 100, width: 264, height: 120 },
    { id: 'next', x: 100, y: 240, width: 264, height: 120 },
    { id: 'aside', x: 700, y: 0, width: 264, height: 120 },
  ]
  expect([...makeRoom({ x: 0, y: 0, width: 264, height: 160 }, within(boxes))]).toEqual([
    ['above', { x: 0, y: -144 }],
    ['below', { x: 100, y: 184 }],
    ['next', { x: 100, y: 328 }],
  ])
})

test('two that one would cover, both below its middle, do not come to lie on each other', () => {
  const boxes = [
    { id: 'second', x: 0, y: 209, width: 264, height: 90 },
    { id: 'first', x: 0, y: 16, width: 264, height: 168 },
  ]
  expect(makeRoom({ x: 0, y: 0, width: 264, height: 200 }, within(boxes))).toEqual(
    new Map([
      ['first', { x: 0, y: 224 }],
      ['second', { x: 0, y: 416 }],
    ]),
  )
})

test('nothing is covered afterwards that was not covered before', () => {
  const spots = fc.array(fc.record({ x: fc.nat(1200), y: fc.nat(1600), height: fc.integer({ min: 90, max: 500 }) }), {
    maxLength: 25,
  })
  fc.assert(
    fc.property(spots, fc.nat(1200), fc.nat(1600), (all, x, y) => {
      const boxes: PlacedBox[] = []
      all.forEach((spot, at) => {
        const box = { ...spot, id: `${at}`, width: 264 }
        if (!boxes.some((other) => touches(grown(other, 24), box))) boxes.push(box)
      })
      const fresh = { id: 'new', x, y, width: 264, height: 200 }
      const moved = makeRoom(fresh, within(boxes))
      const after = [fresh, ...boxes.map((box) => ({ ...box, ...moved.get(box.id) }))]
      after.forEach((a, at) => {
        for (const b of after.slice(at + 1)) expect(touches(grown(a, -1), b), `${a.id} ${b.id}`).toBe(false)
      })
    }),
    // the first that two lay on each other in
    { seed: -365017834, numRuns: 1_200 },
  )
})
