import { expect, test } from 'vitest'
import { panAt } from './edgePan'

test('pans at the edges of the canvas, towards what lies beyond, and not outside of it', () => {
  const canvas = { left: 100, top: 50, right: 900, bottom: 650 } as DOMRect
  expect(panAt({ x: 500, y: 300 }, canvas)).toEqual({ x: 0, y: 0 })
  expect(panAt({ x: 110, y: 300 }, canvas)?.x).toBeGreaterThan(0)
  expect(panAt({ x: 890, y: 640 }, canvas)).toEqual({ x: -10, y: -10 })
  expect(panAt({ x: 60, y: 300 }, canvas)).toBeNull()
  expect(panAt({ x: 500, y: 300 }, undefined)).toBeNull()
})
