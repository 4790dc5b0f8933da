import { expect, test } from 'vitest'
import type { BlockView, Projection } from '../../../engine/document/commands'
import { againstEdge, alongEdge, nextBlock, nextGroup, nextStop, type Stop, survivor, type Walk } from './order'

/** Groups a (a1, a2 with two ports), b (empty), c (c1); a2's second port leads to c. */
function walkOf(groups: Record<string, string[]>, edges: [string, string, string][] = [['a2', 'no', 'c']]): Walk {
  const projection: Projection = {
    groups: new Map(
      Object.entries(groups).map(([id, blockIds]) => [id, { id, title: id, position: { x: 0, y: 0 }, blockIds }]),
    ),
    blocks: new Map(
      Object.entries(groups).flatMap(([groupId, ids]) =>
        ids.map((id): [string, BlockView] => [id, { id, groupId, kind: 'text', version: 0, data: {} }]),
      ),
    ),
    edges: new Map(
      edges.map(([blockId, portId, groupId]) => {
        const id = `${blockId}/${portId}`
        return [id, { id, from: { blockId, portId }, to: { groupId } }]
      }),
    ),
    variables: [],
  }
  return { projection, order: Object.keys(groups), ports: ({ id }) => (id === 'a2' ? ['yes', 'no'] : ['next']) }
}

const walk = walkOf({ a: ['a1', 'a2'], b: [], c: ['c1'] })
const named = (stop: Stop | null) => stop && [stop.groupId, stop.blockId, stop.portId].filter(Boolean).join('/')

test('Tab goes through every group, block and port once, and back the same way', () => {
  const way: string[] = []
  for (let stop: Stop | null = { groupId: 'a' }; stop; stop = nextStop(walk, stop, 1)) way.push(named(stop) ?? '')
  expect(way).toEqual(['a', 'a/a1', 'a/a1/next', 'a/a2', 'a/a2/yes', 'a/a2/no', 'b', 'c', 'c/c1', 'c/c1/next'])
  const back: string[] = []
  const last = { groupId: 'c', blockId: 'c1', portId: 'next' }
  for (let stop: Stop | null = last; stop; stop = nextStop(walk, stop, -1)) back.push(named(stop) ?? '')
  expect(back).toEqual(way.toReversed())
})

test('blocks follow each other across groups, past one that is empty', () => {
  expect(named(nextBlock(walk, { groupId: 'a' }, 1))).toBe('a/a1')
  expect(named(nextBlock(walk, { groupId: 'a', blockId: 'a2' }, 1))).toBe('c/c1')
  expect(named(nextBlock(walk, { groupId: 'c', blockId: 'c1' }, -1))).toBe('a/a2')
  expect(nextBlock(walk, { groupId: 'c', blockId: 'c1' }, 1)).toBe(null)
  expect(named(nextGroup(walk, { groupId: 'a', blockId: 'a2' }, 1))).toBe('b')
})

test('an edge leads on from its port, its block and its group, and back to its port', () => {
  for (const from of [{ groupId: 'a' }, { groupId: 'a', blockId: 'a2' }, { groupId: 'a', blockId: 'a2', portId: 'no' }])
    expect(named(alongEdge(walk, from))).toBe('c')
  expect(alongEdge(walk, { groupId: 'a', blockId: 'a2', portId: 'yes' })).toBe(null)
  expect(named(againstEdge(walk, { groupId: 'c', blockId: 'c1' }))).toBe('a/a2/no')
  expect(againstEdge(walk, { groupId: 'a' })).toBe(null)
})

test('what is deleted hands the focus to its neighbour', () => {
  const after = (groups: Record<string, string[]>) => walkOf(groups).projection
  const at = { groupId: 'a', blockId: 'a1' }
  expect(named(survivor(walk, at, after({ a: ['a2'], b: [], c: ['c1'] })))).toBe('a/a2')
  expect(named(survivor(walk, { groupId: 'a', blockId: 'a2' }, after({ a: ['a1'], c: [] })))).toBe('a/a1')
  expect(named(survivor(walk, at, after({ a: [], c: [] })))).toBe('a')
  expect(named(survivor(walk, at, after({ c: ['c1'] })))).toBe('c')
  expect(named(survivor(walk, { groupId: 'c' }, after({ a: ['a1'] })))).toBe('a')
  expect(survivor(walk, at, after({}))).toBe(null)
  expect(named(survivor(walk, at, after({ a: [], c: ['a1'] })))).toBe('c/a1')
})
