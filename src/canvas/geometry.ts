import type { BlockView } from '../../engine/document/commands'
import type { Registry } from '../../engine/flow/registry'
import { type BlockFace, type FaceNames, faceMetrics } from '../ui/blockFace'

/**
 * Positions of everything in a group, computed from data: React Flow gets sizes and handles without measuring the DOM.
 * Canvas.module.css uses the same numbers through custom properties set by GroupNode.
 */
export const metrics = {
  width: 264,
  header: 40,
  padding: 8,
  gap: 4,
  blockX: 10,
  blockY: 8,
  icon: 24,
  port: 22,
  empty: 48,
  handle: 10,
} as const

export interface PortPlace {
  id: string
  label: string | undefined
  /** centre, from the top of the block (in a shape) or of the group (in a layout) */
  y: number
  /** on a separate row below the face */
  ownRow: boolean
}
export interface BlockShape {
  height: number
  face: number
  ports: readonly PortPlace[]
}
export interface BlockPlace extends BlockShape {
  block: BlockView
  top: number
}
export interface GroupLayout {
  height: number
  blocks: readonly BlockPlace[]
  /** of every port in it, `<block id>/<port id>` */
  handles: ReadonlySet<string>
}

export const handleId = (blockId: string, portId: string): string => `${blockId}/${portId}`
export const targetId = (blockId?: string): string => (blockId ? `in/${blockId}` : 'in')

/** The shape of an unknown or broken block: one line and one port. */
const plainShape = (): BlockShape => ({
  height: 2 * metrics.blockY + faceMetrics.line,
  face: faceMetrics.line,
  ports: [{ id: 'next', label: undefined, y: metrics.blockY + faceMetrics.line / 2, ownRow: false }],
})

/**
 * A block's size and its ports' positions: a port whose row the face knows at that row, the plain "next" at the block's
 * centre (or first line, if there are others), any other on a separate row below the face. Data that the kind can't
 * process gives the plain shape, so that a broken block can still be seen, opened and deleted.
 */
export function shapeBlock(
  block: BlockView,
  registry: Registry,
  face: BlockFace | undefined,
  names: FaceNames,
): BlockShape {
  const definition = registry.find(block.kind)
  if (!definition) return plainShape()
  try {
    const declared = definition.ports(block.data)
    const faceHeight = Math.max(Math.ceil(face?.height(block.data, names) ?? 0), faceMetrics.line)
    const rows = new Map(face?.rows?.(block.data, names).map((row) => [row.id, row.y]))
    let below = metrics.blockY + faceHeight
    const ports = declared.map((port): PortPlace => {
      const row = port.row === undefined ? undefined : rows.get(port.row)
      if (row !== undefined) return { id: port.id, label: port.label, y: metrics.blockY + row, ownRow: false }
      if (port.label === undefined) {
        const line = declared.length === 1 ? faceHeight : faceMetrics.line
        return { id: port.id, label: undefined, y: metrics.blockY + line / 2, ownRow: false }
      }
      below += metrics.port
      return { id: port.id, label: port.label, y: below - metrics.port / 2, ownRow: true }
    })
    return { height: below + metrics.blockY, face: faceHeight, ports }
  } catch {
    return plainShape()
  }
}

/** Stacks the blocks of a group. */
export function layoutGroup(blocks: readonly BlockView[], shape: (block: BlockView) => BlockShape): GroupLayout {
  let y: number = metrics.header
  const handles = new Set<string>()
  const places = blocks.map((block): BlockPlace => {
    const own = shape(block)
    const top = y
    y += own.height + metrics.gap
    for (const port of own.ports) handles.add(handleId(block.id, port.id))
    return { ...own, block, top, ports: own.ports.map((port) => ({ ...port, y: top + port.y })) }
  })
  const height =
    blocks.length === 0 ? metrics.header + metrics.empty + metrics.padding : y - metrics.gap + metrics.padding
  return { height, blocks: places, handles }
}

/** The index for a block dropped at `y` (from the group's top): before the first block whose centre is below. */
export function insertionIndex(layout: GroupLayout, y: number): number {
  const index = layout.blocks.findIndex((place) => y < place.top + place.height / 2)
  return index === -1 ? layout.blocks.length : index
}

/** The position of the insertion line for `index`, from the group's top. */
export function insertionY(layout: GroupLayout, index: number): number {
  const place = layout.blocks[index]
  if (place) return place.top - metrics.gap / 2
  const last = layout.blocks.at(-1)
  return last ? last.top + last.height + metrics.gap / 2 : metrics.header + metrics.gap
}

export interface Point {
  x: number
  y: number
}
export interface Box extends Point {
  width: number
  height: number
}

/** The first free position at or below `wanted` for a box of that size. */
export function freePlace(
  wanted: Point,
  size: { width: number; height: number },
  taken: readonly Box[],
  gap = 24,
): Point {
  const clash = (at: Point): Box | undefined =>
    taken.find(
      (box) =>
        at.x < box.x + box.width + gap &&
        box.x < at.x + size.width + gap &&
        at.y < box.y + box.height + gap &&
        box.y < at.y + size.height + gap,
    )
  let place = { x: snap(wanted.x), y: snap(wanted.y) }
  for (let hit = clash(place); hit; hit = clash(place)) place = { x: place.x, y: snap(hit.y + hit.height + gap) + GRID }
  return place
}

export const GRID = 8
export const snap = (value: number): number => Math.round(value / GRID) * GRID
