import { expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { emptyFlow, type Group } from '../flow/schema'
import { createProgram } from './program'

const startAt = (id: string, x: number, y: number): Group => ({
  id,
  title: id,
  position: { x, y },
  blocks: [{ id: `start-${id}`, kind: 'start', version: 0, data: {} }],
})
const entryOf = (groups: Group[]) =>
  createProgram({ ...emptyFlow(), groups }, registry).entry({ type: 'start' })?.groupId

test('of several starts the one furthest to the left begins, then the topmost: what an editor can see, not the order in the file', () => {
  expect(entryOf([startAt('right', 500, 0), startAt('left', 0, 300)])).toBe('left')
  expect(entryOf([startAt('left', 0, 300), startAt('right', 500, 0)])).toBe('left')
  expect(entryOf([startAt('low', 0, 300), startAt('high', 0, -20)])).toBe('high')
  expect(entryOf([])).toBeUndefined()
})
