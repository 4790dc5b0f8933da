import { expect, test } from 'vitest'
import type { Group } from '../../flow/schema'
import { withRoom } from './startRoom'

const at = (id: string, x: number, y: number): Group => ({ id, title: id, position: { x, y }, blocks: [] })

test('a start that would lie over the first group moves to its left, past whatever stands there', () => {
  const start = at('start', 0, 0)
  expect(withRoom(start, [start, at('a', 200, 10)]).position).toEqual({ x: -120, y: 0 })
  expect(withRoom(start, [start, at('b', -300, 0), at('a', 200, 10)]).position).toEqual({ x: -620, y: 0 })
})

test('a start that has room stays where it is', () => {
  const start = at('start', 0, 0)
  expect(withRoom(start, [start, at('below', 1, 148), at('far', 400, 0), at('above', 0, -250)])).toBe(start)
})
