import { expect, test } from 'vitest'
import { encloses, fitting } from './minimapPlace'

test('a lone group is in the middle of the map, as small as on a screen', () => {
  const { origin, scale } = fitting({ x: 900, y: -400, width: 264, height: 120 })
  expect((900 + 132 - origin.x) * scale).toBeCloseTo(104)
  expect((-400 + 60 - origin.y) * scale).toBeCloseTo(68)
  expect(scale).toBeLessThan(0.13)
})

test('a large flow fills the map as far as its shape allows', () => {
  const { origin, scale } = fitting({ x: 0, y: 0, width: 19_200, height: 4_000 })
  expect([(0 - origin.x) * scale, (19_200 - origin.x) * scale].map(Math.round)).toEqual([8, 200])
})

test('a flow is in sight as a whole when no side of it is out of the screen', () => {
  const screen = { x: 0, y: 0, width: 800, height: 600 }
  expect(encloses(screen, { x: 0, y: 10, width: 800, height: 590 })).toBe(true)
  for (const out of [{ x: -1 }, { y: -1 }, { x: 701 }, { y: 501 }])
    expect(encloses(screen, { x: 10, y: 10, width: 100, height: 100, ...out })).toBe(false)
})
