import { expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { inward } from './adapter'
import { createCanvasStore, select } from './canvasStore'
import { parseHandle } from './connections'
import { faceOf } from './kindFaces'

test('what a panel has covered is shifted into sight, and what is too long shows its start', () => {
  expect(inward(100, 300, 0, 1000)).toBe(0)
  expect(inward(900, 1100, 0, 1000)).toBe(-128)
  expect(inward(-40, 200, 0, 1000)).toBe(68)
  expect(inward(200, 1900, 0, 1000)).toBe(-172)
})

test('a handle names a block and a port; a target handle names none', () => {
  expect(parseHandle('block/a/b')).toEqual({ blockId: 'block', portId: 'a/b' })
  expect([parseHandle('in'), parseHandle('in/block'), parseHandle(null)]).toEqual([null, null, null])
})

test('shift toggles, a plain click replaces', () => {
  const store = createCanvasStore()
  select(store, { blocks: ['a'] })
  select(store, { blocks: ['b'] }, true)
  select(store, { blocks: ['a'] }, true)
  expect([...store.getState().selection.blocks]).toEqual(['b'])
  select(store, { groups: ['g'] })
  expect(store.getState().selection.blocks.size).toBe(0)
})

test.each(registry.kinds.map((definition) => definition.kind))('%s has an icon and a face', (kind) => {
  expect(faceOf(kind)?.icon).toBeDefined()
})

test.each(registry.kinds.map((definition) => definition.kind))(
  'every row that a port of %s names is on its face',
  (kind) => {
    const definition = registry.get(kind)
    let count = 0
    const data = definition.defaults(() => `id${++count}`)
    const rows = new Map(
      faceOf(kind)
        ?.rows?.(data, { variable: () => null, group: () => null, text: (key) => key })
        .map(({ id, y }) => [id, y]),
    )
    for (const { row } of definition.ports(data)) if (row !== undefined) expect(rows.get(row)).toBeGreaterThan(0)
  },
)
