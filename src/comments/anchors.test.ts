import { expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { createDocument } from '../../engine/document/createDocument'
import { sceneOf } from '../canvas/scene'
import { anchorAt, placeOf } from './anchors'

function open() {
  const document = createDocument({ registry })
  const block = (id: string) => ({ id, kind: 'unheard-of', version: 0, data: {} })
  document.commands.addGroup({ id: 'g', title: 'G', position: { x: 100, y: 50 }, blocks: [block('a'), block('b')] })
  const editor = { document, registry }
  const place = (kind: 'group' | 'block', id: string, moving?: ReadonlyMap<string, { x: number; y: number }>) =>
    placeOf({ kind, id }, sceneOf(editor), document.projection(), moving)
  return { document, editor, place }
}

test('a pin stands at the corner of its group or block, and goes along while that is dragged', () => {
  const { place } = open()
  expect(place('group', 'g')).toEqual({ x: 100, y: 50, groupId: 'g', blockId: null })
  const b = place('block', 'b')
  expect(b).toMatchObject({ x: 100, groupId: 'g', blockId: 'b' })
  expect(b?.y).toBeGreaterThan(place('block', 'a')?.y ?? Number.NaN)
  const moved = place('block', 'b', new Map([['g', { x: 130, y: 40 }]]))
  expect(moved).toMatchObject({ x: 130, y: (b?.y ?? 0) - 10 })
})

test('a pin follows its block into another group, has no place while that is deleted, and comes back with it', () => {
  const { document, place } = open()
  document.commands.addGroup({ id: 'h', title: 'H', position: { x: 600, y: 0 }, blocks: [] })
  document.commands.moveBlock('b', { groupId: 'h', index: 0 })
  expect(place('block', 'b')).toMatchObject({ x: 600, groupId: 'h' })
  document.undo.stopCapturing()
  document.commands.deleteBlocks(['b'])
  expect(place('block', 'b')).toBeNull()
  document.undo.undo()
  expect(place('block', 'b')).toMatchObject({ x: 600, groupId: 'h' })
})

test('a press means the block under it, from afar its group, beside all of them the spot', () => {
  const { editor, place } = open()
  const scene = sceneOf(editor)
  const on = { x: 150, y: (place('block', 'b')?.y ?? 0) + 4 }
  expect(anchorAt(scene, on, 1)).toEqual({ kind: 'block', id: 'b' })
  expect(anchorAt(scene, on, 0.2)).toEqual({ kind: 'group', id: 'g' })
  expect(anchorAt(scene, { x: 150, y: 55 }, 1)).toEqual({ kind: 'group', id: 'g' })
  expect(anchorAt(scene, { x: 20.4, y: -3.6 }, 1)).toEqual({ kind: 'spot', x: 20, y: -4 })
})
