import type { Projection } from '../../engine/document/commands'
import type { Anchor } from '../../server/contracts/comments'
import type { Point } from '../canvas/geometry'
import type { Scene } from '../canvas/placed'

/** Below this zoom blocks are too small as anchors. */
const BLOCKS_FROM = 0.4

/** The position of an anchor's pin, and the group it moves with; null while its element is deleted. */
export function placeOf(
  anchor: Anchor,
  scene: Scene,
  projection: Projection,
  moving: ReadonlyMap<string, Point> = new Map(),
): (Point & { groupId: string | null; blockId: string | null }) | null {
  if (anchor.kind === 'spot') return { x: anchor.x, y: anchor.y, groupId: null, blockId: null }
  const blockId = anchor.kind === 'block' ? anchor.id : null
  const groupId = blockId === null ? anchor.id : projection.blocks.get(blockId)?.groupId
  const placed = scene.groups.get(groupId ?? '')
  if (groupId === undefined || !placed) return null
  const top = blockId === null ? 0 : placed.layout.blocks.find(({ block }) => block.id === blockId)?.top
  if (top === undefined) return null
  const { x, y } = moving.get(groupId) ?? placed.box
  return { x, y: y + top, groupId, blockId }
}

/** The anchor at a point of the canvas. */
export function anchorAt(scene: Scene, point: Point, zoom: number): Anchor {
  const groupId = scene.groupAt(point)
  const placed = groupId === null ? undefined : scene.groups.get(groupId)
  if (groupId === null || !placed) return { kind: 'spot', x: Math.round(point.x), y: Math.round(point.y) }
  const y = point.y - placed.box.y
  const block = placed.layout.blocks.find(({ top, height }) => top <= y && y < top + height)
  return block && zoom >= BLOCKS_FROM ? { kind: 'block', id: block.block.id } : { kind: 'group', id: groupId }
}

/** A key that is equal for equal anchors. */
export const anchorKey = (anchor: Anchor): string =>
  anchor.kind === 'spot' ? `spot ${anchor.x} ${anchor.y}` : `${anchor.kind} ${anchor.id}`
