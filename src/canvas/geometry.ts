import type { BlockView } from '../../engine/document/commands'
import type { Registry } from '../../engine/flow/registry'
import { type BlockFace, type FaceNames, faceMetrics } from '../ui/blockFace'

/**
 * Where everything in a group stands, from data alone: React Flow gets sizes and handles without ever measuring the DOM.
 * Canvas.module.css repeats these numbers by custom properties that GroupNode sets.
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
  /** on a line of its own under the face */
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

/** What an unknown or broken block is drawn as: one line and one way out. */
const plainShape = (): BlockShape => ({
  height: 2 * metrics.blockY + faceMetrics.line,
  face: faceMetrics.line,
  ports: [{ id: 'next', label: undefined, y: metrics.blockY + faceMetrics.line / 2, ownRow: false }],
})

/**
 * The size of a block and where its ports are: a port whose row the face knows at that row, the plain "next" at the block's
 * middle (or first line, when it has company), any other on a row of its own under the face. Data that the kind's own functions
 * can't digest gives the plain shape, so that a broken block can still be seen, opened and deleted.
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

/** Where a block dropped at `y` (from the group's top) goes: before the first block whose middle is below it. */
export function insertionIndex(layout: GroupLayout, y: number): number {
  const index = layout.blocks.findIndex((place) => y < place.top + place.height / 2)
  return index === -1 ? layout.blocks.length : index
}

/** Where the insertion line for `index` is drawn, from the group's top. */
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

/** The first place at or below `wanted` where a box of that size covers none of the others. */
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
