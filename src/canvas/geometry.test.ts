import { Box } from 'lucide-react'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { BlockView } from '../../engine/document/commands'
import { defineBlock, type Port } from '../../engine/flow/defineBlock'
import { createRegistry } from '../../engine/flow/registry'
import type { BlockFace } from '../ui/blockFace'
import { freePlace, insertionIndex, insertionY, layoutGroup, metrics, shapeBlock } from './geometry'

const kind = (ports: (data: unknown) => Port[]) =>
  defineBlock({
    kind: 'sample',
    category: 'input',
    title: 'Sample',
    help: '',
    schema: z.unknown(),
    defaults: () => null,
    ports,
    *run() {
      return 'next'
    },
  })
const block = (id: string): BlockView => ({ id, groupId: 'g', kind: 'sample', version: 0, data: {} })
const Nothing = () => null
const names = { variable: () => null, group: () => null, text: (key: string) => key }
const face = (height: number, rows: { id: string; y: number }[] = []): BlockFace => ({
  icon: Box,
  height: () => height,
  rows: () => rows,
  Component: Nothing,
})
const plain = { height: 36, face: 20, ports: [{ id: 'next', label: undefined, y: 18, ownRow: false }] }
const layout = layoutGroup(['a', 'b', 'c'].map(block), () => plain)

test('a port is at the row of the face that it names', () => {
  const registry = createRegistry([
    kind(() => [
      { id: 'yes', label: 'Yes', row: 'r1' },
      { id: 'no', label: 'No', row: 'r2' },
    ]),
  ])
  const shape = shapeBlock(
    block('a'),
    registry,
    face(60, [
      { id: 'r1', y: 14 },
      { id: 'r2', y: 46 },
    ]),
    names,
  )
  expect(shape.ports.map((port) => port.y)).toEqual([metrics.blockY + 14, metrics.blockY + 46])
  expect(shape.height).toBe(60 + 2 * metrics.blockY)
})

test('labelled ports that no row shows get rows of their own below the face, in order', () => {
  const registry = createRegistry([
    kind(() => [{ id: 'next' }, { id: 'skip', label: 'Skip' }, { id: 'lost', label: 'Lost', row: 'gone' }]),
  ])
  const shape = shapeBlock(block('a'), registry, face(40), names)
  const below = metrics.blockY + 40
  expect(shape.ports.map(({ id, y, ownRow }) => [id, y, ownRow])).toEqual([
    ['next', metrics.blockY + 10, false],
    ['skip', below + metrics.port / 2, true],
    ['lost', below + 1.5 * metrics.port, true],
  ])
  expect(shape.height).toBe(below + 2 * metrics.port + metrics.blockY)
})

test('the only way out is at the middle of the block', () => {
  const shape = shapeBlock(block('a'), createRegistry([kind(() => [{ id: 'next' }])]), face(60), names)
  expect(shape.ports[0]?.y).toBe(shape.height / 2)
})

test('a block of an unknown kind, or with data that its kind chokes on, is still drawn', () => {
  const broken = createRegistry([
    kind(() => {
      throw new Error('no')
    }),
  ])
  expect(shapeBlock(block('a'), createRegistry([]), undefined, names)).toEqual(plain)
  expect(shapeBlock(block('a'), broken, face(20), names)).toEqual(plain)
})

test('a group is as high as its stack and knows every port in it', () => {
  expect(layout.blocks.map((place) => place.top)).toEqual([40, 80, 120])
  expect(layout.height).toBe(120 + 36 + metrics.padding)
  expect([...layout.handles]).toEqual(['a/next', 'b/next', 'c/next'])
  expect(layout.blocks[1]?.ports[0]?.y).toBe(98)
})

test('a dropped block goes before the block whose upper half it is over, else to the end', () => {
  expect([0, 57, 59, 97, 99, 137, 139, 900].map((y) => insertionIndex(layout, y))).toEqual([0, 0, 1, 1, 2, 2, 3, 3])
  expect(
    insertionIndex(
      layoutGroup([], () => plain),
      30,
    ),
  ).toBe(0)
})

test('the insertion line is between the blocks that the drop would part', () => {
  expect([0, 1, 3].map((index) => insertionY(layout, index))).toEqual([38, 78, 158])
})

test('a new group covers no other, whatever stands in the way', () => {
  const taken = [
    { x: 0, y: 0, width: 264, height: 300 },
    { x: 100, y: 330, width: 264, height: 200 },
  ]
  const place = freePlace({ x: 10, y: 10 }, { width: 264, height: 120 }, taken)
  expect(place.y).toBeGreaterThanOrEqual(530)
  expect(freePlace({ x: 1000, y: 13 }, { width: 264, height: 120 }, taken)).toEqual({ x: 1000, y: 16 })
})
