import type { BlockView } from '../../engine/document/commands'
import type { Block, Edge, EdgeTarget } from '../../engine/flow/schema'
import { flowCaps } from '../../engine/flow/schema'
import { nothingSelected, select } from './canvasStore'
import type { Editor } from './context'
import { openBlock } from './editing/openBlock'
import { blocksOf } from './elements'
import { type Box, freePlace, layoutGroup, metrics, type Point, shapeBlock } from './geometry'
import { faceOf } from './kindFaces'
import { namesOf } from './names'

/** Editing operations on the canvas, each one undo step, with the expected selection afterwards. */

/** A new block from the palette. Throws KIND_UNKNOWN. */
export function createBlock({ registry, newId }: Editor, kind: string): Block {
  const definition = registry.get(kind)
  return { id: newId(), kind, version: definition.migrations.length, data: definition.defaults(newId) as Block['data'] }
}

/** Puts blocks, new or existing, into a new group. Returns the group's id. */
export function addGroup(editor: Editor, title: string, at: Point, blocks: Block[], from?: Edge['from']): string {
  const { commands } = editor.document
  const groupId = editor.newId()
  commands.batch(() => {
    commands.addGroup({ id: groupId, title: title.slice(0, flowCaps.groupTitle), position: at, blocks })
    if (from) commands.connect(from, { groupId })
  })
  return groupId
}

/**
 * Adds a block from the palette by click: after the selected block, at the end of the selected group, or in a new group
 * near `near`. If nothing follows the start, the new group is connected to it.
 */
export function addByClick(editor: Editor, kind: string, title: string, near: Point): void {
  const { document, store } = editor
  const { selection } = store.getState()
  const block = createBlock(editor, kind)
  const projection = document.projection()
  const beside = projection.blocks.get(only(selection.blocks) ?? '')
  const group = projection.groups.get(beside?.groupId ?? only(selection.groups) ?? '')
  if (group && editor.registry.find(kind)?.category !== 'trigger')
    document.commands.addBlock(group.id, beside ? group.blockIds.indexOf(beside.id) + 1 : group.blockIds.length, block)
  else if (editor.registry.find(kind)?.category === 'trigger' || !followStart(editor, title, block))
    addGroup(editor, title, placeFor(editor, near, [block]), [block])
  openBlock(store, block.id)
}

/** Puts a block into a new group right of the start and connects it; false if no start is unconnected. */
function followStart(editor: Editor, title: string, block: Block): boolean {
  const { blocks, groups, edges } = editor.document.projection()
  const taken = new Set(Array.from(edges.values(), ({ from }) => from.blockId))
  const start = [...blocks.values()].find(
    ({ id, kind, groupId }) =>
      editor.registry.find(kind)?.category === 'trigger' &&
      !taken.has(id) &&
      groups.get(groupId)?.blockIds.length === 1,
  )
  const beside = groups.get(start?.groupId ?? '')
  const port = start && editor.registry.portsOf(start)[0]
  if (!start || !beside || !port) return false
  const at = { x: beside.position.x + metrics.width + 96, y: beside.position.y }
  addGroup(editor, title, placeFor(editor, at, [block]), [block], { blockId: start.id, portId: port.id })
  return true
}

/** Adds a block to a group at an index. */
export function addInto(editor: Editor, kind: string, groupId: string, index: number): void {
  const block = createBlock(editor, kind)
  editor.document.commands.addBlock(groupId, index, block)
  openBlock(editor.store, block.id)
}

/** Adds a block in a new group at a position, optionally connected from a port. */
export function addAt(editor: Editor, kind: string, title: string, at: Point, from?: Edge['from']): void {
  const block = createBlock(editor, kind)
  addGroup(editor, title, at, [block], from)
  openBlock(editor.store, block.id)
}

/** Connects a port, replacing its edge. An edge to a group's first block becomes an edge to the group. */
export function connect({ document }: Editor, from: Edge['from'], to: EdgeTarget): void {
  const first = document.projection().groups.get(to.groupId)?.blockIds[0]
  document.commands.connect(from, to.blockId === undefined || to.blockId === first ? { groupId: to.groupId } : to)
}

/**
 * Moves blocks, in order, into a group before the block at `index`. Groups that become empty are deleted, unless an
 * edge leads to them.
 */
export function moveBlocks(editor: Editor, blockIds: readonly string[], groupId: string, index: number): void {
  const { document } = editor
  const moving = new Set(blockIds)
  let order = document.projection().groups.get(groupId)?.blockIds ?? []
  const before = order.slice(index).find((id) => !moving.has(id))
  const sources = groupsOf(editor, blockIds)
  document.commands.batch(() => {
    for (const blockId of blockIds) {
      const others = order.filter((id) => id !== blockId)
      const at = before === undefined ? others.length : others.indexOf(before)
      document.commands.moveBlock(blockId, { groupId, index: at })
      order = others.toSpliced(at, 0, blockId)
    }
    deleteEmptied(
      editor,
      sources.filter((id) => id !== groupId),
      moving,
    )
  })
  select(editor.store, { blocks: blockIds })
}

/** Moves blocks into a new group. Returns the group's id. */
export function moveBlocksOut(editor: Editor, blockIds: readonly string[], title: string, at: Point): string {
  const { commands } = editor.document
  let groupId = ''
  commands.batch(() => {
    groupId = addGroup(editor, title, at, [])
    moveBlocks(editor, blockIds, groupId, 0)
  })
  return groupId
}

function deleteEmptied(editor: Editor, groupIds: readonly string[], gone: ReadonlySet<string>): void {
  const projection = editor.document.projection()
  const aimedAt = new Set(Array.from(projection.edges.values(), (edge) => edge.to.groupId))
  const empty = groupIds.filter((id) => {
    const left = projection.groups.get(id)?.blockIds.filter((blockId) => !gone.has(blockId))
    return left?.length === 0 && !aimedAt.has(id)
  })
  if (empty.length > 0) editor.document.commands.deleteGroups(empty)
}

/**
 * Deletes the selection. A group is deleted with its last block. Blocks of unknown kinds need a confirmation: until
 * then nothing is deleted.
 * @returns whether it was done
 */
export function deleteSelection(editor: Editor, meant = false): boolean {
  const { document, store } = editor
  const { groups, blocks, edges } = store.getState().selection
  const projection = document.projection()
  if (!meant && unknownSelected(editor) > 0) {
    store.setState({ askDelete: true })
    return false
  }
  const emptied = groupsOf(editor, [...blocks]).filter((id) =>
    projection.groups.get(id)?.blockIds.every((blockId) => blocks.has(blockId)),
  )
  const ports = [...edges].flatMap((id) => projection.edges.get(id)?.from ?? [])
  document.commands.batch(() => {
    if (ports.length > 0) document.commands.disconnect(ports)
    if (blocks.size > 0) document.commands.deleteBlocks([...blocks])
    const gone = [...new Set([...groups, ...emptied])]
    if (gone.length > 0) document.commands.deleteGroups(gone)
  })
  store.setState({ selection: nothingSelected })
  return true
}

/** The number of blocks of unknown kinds in the selection, including those in selected groups. */
export function unknownSelected({ document, store, registry }: Editor): number {
  const { selection } = store.getState()
  const { groups, blocks } = document.projection()
  const ids = new Set([...selection.blocks, ...[...selection.groups].flatMap((id) => groups.get(id)?.blockIds ?? [])])
  return [...ids].filter((id) => {
    const block = blocks.get(id)
    return block !== undefined && !registry.find(block.kind)
  }).length
}

export function selectAll({ document, store }: Editor): void {
  select(store, { groups: [...document.projection().groups.keys()] })
}

/** The parts of a block that determine its size. */
type Drawn = Pick<BlockView, 'id' | 'kind' | 'version' | 'data'>

/** The drawn size of a group with these blocks in this flow; variables of another flow count as deleted. */
export function sizeOf({ registry, document }: Editor, blocks: readonly Drawn[]): { width: number; height: number } {
  const placed = blocks.map((block) => ({ ...block, groupId: '' }))
  const names = namesOf(document.projection())
  const { height } = layoutGroup(placed, (block) => shapeBlock(block, registry, faceOf(block.kind), names))
  return { width: metrics.width, height }
}

/** A position near a point where a new group with these blocks covers no other. */
export function placeFor(editor: Editor, near: Point, blocks: readonly Drawn[]): Point {
  const projection = editor.document.projection()
  const taken = Array.from(
    projection.groups.values(),
    (group): Box => ({ ...group.position, ...sizeOf(editor, blocksOf(group, projection)) }),
  )
  return freePlace(near, sizeOf(editor, blocks), taken)
}

const groupsOf = ({ document }: Editor, blockIds: readonly string[]): string[] => [
  ...new Set(blockIds.flatMap((id) => document.projection().blocks.get(id)?.groupId ?? [])),
]

const only = (ids: ReadonlySet<string>): string | undefined => (ids.size === 1 ? [...ids][0] : undefined)
