import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Box } from './geometry'
import { snapToNeighbours } from './guides'

const box = (x: number, y: number, width = 100, height = 60): Box => ({ x, y, width, height })
const HOLD = 6

test('an edge or a middle that is near takes the box along, each axis for itself', () => {
  const other = box(0, 0)
  expect(snapToNeighbours(box(4, 300), [other], HOLD)).toMatchObject({ x: -4, y: null })
  expect(snapToNeighbours(box(500, -3), [other], HOLD)).toMatchObject({ x: null, y: 3 })
  // aligned with the centre of one twice as wide
  expect(snapToNeighbours(box(52, 300), [box(0, 0, 200)], HOLD).x).toBe(-2)
  expect(snapToNeighbours(box(13, 300), [other], HOLD)).toEqual({ x: null, y: null, guides: [] })
})

test('the line goes from the one to the other, along what they share', () => {
  const { guides } = snapToNeighbours(box(3, 300), [box(0, 0)], HOLD)
  expect(guides).toEqual([
    { kind: 'line', from: { x: 0, y: 0 }, to: { x: 0, y: 360 } },
    { kind: 'line', from: { x: 100, y: 0 }, to: { x: 100, y: 360 } },
  ])
})

test('a box between two stands in the middle, and one after two as far off as they are from each other', () => {
  const row = [box(0, 0), box(400, 0)]
  const between = snapToNeighbours(box(203, 30), row, HOLD)
  expect(between.x).toBe(-3)
  expect(between.guides.filter(({ kind }) => kind === 'gap')).toHaveLength(2)
  const after = snapToNeighbours(box(504, 30), [box(0, 0), box(250, 0)], HOLD)
  expect(after.x).toBe(-4)
  expect(after.guides.filter(({ kind }) => kind === 'gap')).toEqual([
    { kind: 'gap', from: { x: 100, y: 60 }, to: { x: 250, y: 60 } },
    { kind: 'gap', from: { x: 350, y: 60 }, to: { x: 500, y: 60 } },
  ])
})

test('it never goes further than the tolerance, draws a guide for what it holds to, and stays once it is there', () => {
  const whole = (min: number, max: number) => fc.integer({ min, max })
  const any = fc.record({ x: whole(-900, 900), y: whole(-900, 900), width: whole(20, 300), height: whole(20, 300) })
  fc.assert(
    fc.property(any, fc.array(any, { maxLength: 12 }), (moved, others) => {
      const { x, y, guides } = snapToNeighbours(moved, others, HOLD)
      for (const by of [x, y]) if (by !== null) expect(Math.abs(by)).toBeLessThanOrEqual(HOLD)
      expect(guides.length > 0).toBe(x !== null || y !== null)
      const there = { ...moved, x: moved.x + (x ?? 0), y: moved.y + (y ?? 0) }
      const again = snapToNeighbours(there, others, HOLD)
      if (x !== null) expect(again.x).not.toBeNull()
      if (y !== null) expect(again.y).not.toBeNull()
    }),
    { seed: 4, numRuns: 400 },
  )
})
