import type { Projection } from '../../engine/document/commands'
import type { Anchor } from '../../server/contracts/comments'
import type { Point } from '../canvas/geometry'
import type { Scene } from '../canvas/placed'

/** From afar blocks are too small to be meant. */
const BLOCKS_FROM = 0.4

/** Where an anchor's pin stands on the canvas, and the group that carries it along; null while what it is pinned to is deleted. */
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

/** What a press at a point of the canvas pins a comment to. */
export function anchorAt(scene: Scene, point: Point, zoom: number): Anchor {
  const groupId = scene.groupAt(point)
  const placed = groupId === null ? undefined : scene.groups.get(groupId)
  if (groupId === null || !placed) return { kind: 'spot', x: Math.round(point.x), y: Math.round(point.y) }
  const y = point.y - placed.box.y
  const block = placed.layout.blocks.find(({ top, height }) => top <= y && y < top + height)
  return block && zoom >= BLOCKS_FROM ? { kind: 'block', id: block.block.id } : { kind: 'group', id: groupId }
}

/** The same for the same anchor. */
export const anchorKey = (anchor: Anchor): string =>
  anchor.kind === 'spot' ? `spot ${anchor.x} ${anchor.y}` : `${anchor.kind} ${anchor.id}`
