import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Alignment, align, distribute, type PlacedBox, tidy } from './arrange'

const whole = (min: number, max: number) => fc.integer({ min, max })
const boxes = fc
  .array(fc.record({ x: whole(-4000, 4000), y: whole(-4000, 4000), width: whole(40, 400), height: whole(40, 900) }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((list) => list.map((box, i): PlacedBox => ({ ...box, id: `g${i}` })))

const after = (list: readonly PlacedBox[], moved: ReturnType<typeof align>) =>
  list.map((box) => ({ ...box, ...moved.get(box.id) }))

const overlap = (a: PlacedBox, b: PlacedBox) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

test('aligning brings all to one line inside the box around them, and leaves the other axis alone', () => {
  const line: Record<Alignment, (box: PlacedBox) => number> = {
    left: (box) => box.x,
    centre: (box) => box.x + box.width / 2,
    right: (box) => box.x + box.width,
    top: (box) => box.y,
    middle: (box) => box.y + box.height / 2,
    bottom: (box) => box.y + box.height,
  }
  fc.assert(
    fc.property(boxes, fc.constantFrom(...(Object.keys(line) as Alignment[])), (list, to) => {
      const placed = after(list, align(list, to))
      const lines = placed.map(line[to])
      // centres of odd sizes differ by half a unit
      expect(Math.max(...lines) - Math.min(...lines)).toBeLessThanOrEqual(1)
      const vertical = ['top', 'middle', 'bottom'].includes(to)
      placed.forEach((box, i) => {
        expect(vertical ? box.x : box.y).toBe(vertical ? list[i]?.x : list[i]?.y)
        expect(Number.isInteger(box.x) && Number.isInteger(box.y)).toBe(true)
      })
      if (to !== 'centre' && to !== 'middle') expect(align(placed, to).size).toBe(0)
    }),
    { seed: 4 },
  )
})

test('distributing makes the gaps the same, and leaves the first and the last where they are', () => {
  fc.assert(
    fc.property(boxes, fc.constantFrom('x', 'y'), (list, axis) => {
      const size = axis === 'x' ? 'width' : 'height'
      const placed = after(list, distribute(list, axis))
      expect(Math.min(...placed.map((box) => box[axis]))).toBeGreaterThanOrEqual(
        Math.min(...list.map((box) => box[axis])) - 1,
      )
      const order = [...list].sort((a, b) => a[axis] - b[axis] || a[axis] + a[size] - b[axis] - b[size])
      const at = new Map(placed.map((box) => [box.id, box]))
      if (list.length < 3) return
      const gaps = order.slice(1).map((box, i) => {
        const previous = at.get(order[i]?.id ?? '')
        return (at.get(box.id)?.[axis] ?? 0) - (previous?.[axis] ?? 0) - (previous?.[size] ?? 0)
      })
      expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThanOrEqual(2)
      expect(at.get(order[0]?.id ?? '')?.[axis]).toBe(order[0]?.[axis])
      expect(at.get(order.at(-1)?.id ?? '')?.[axis]).toBe(order.at(-1)?.[axis])
    }),
    { seed: 4 },
  )
})

test('tidying leaves none over another, keeps the corner, and moves nothing a second time', () => {
  fc.assert(
    fc.property(boxes, fc.constantFrom('row', 'column', 'grid'), (list, into) => {
      const placed = after(list, tidy(list, into))
      for (const [i, a] of placed.entries()) for (const b of placed.slice(i + 1)) expect(overlap(a, b)).toBe(false)
      const corner = (some: PlacedBox[]) => [Math.min(...some.map(({ x }) => x)), Math.min(...some.map(({ y }) => y))]
      expect(corner(placed)).toEqual(corner(list))
      if (into === 'row') expect(new Set(placed.map(({ y }) => y)).size).toBe(1)
      if (into === 'column') expect(new Set(placed.map(({ x }) => x)).size).toBe(1)
      expect(tidy(placed, into).size).toBe(0)
    }),
    { seed: 4 },
  )
})

test('a row keeps the order from left to right, a column from top to bottom', () => {
  const box = (id: string, x: number, y: number): PlacedBox => ({ id, x, y, width: 264, height: 100 })
  const list = [box('c', 700, 5), box('a', 0, 300), box('b', 310, 90)]
  const order = (moved: ReturnType<typeof tidy>, axis: 'x' | 'y') =>
    after(list, moved)
      .sort((a, b) => a[axis] - b[axis])
      .map(({ id }) => id)
  expect(order(tidy(list, 'row'), 'x')).toEqual(['a', 'b', 'c'])
  expect(order(tidy(list, 'column'), 'y')).toEqual(['c', 'b', 'a'])
})
