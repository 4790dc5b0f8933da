import type { Projection } from '../../../engine/document/commands'
import type { Registry } from '../../../engine/flow/registry'
import type { Flow, Group } from '../../../engine/flow/schema'
import { type GroupShape, type LayoutGraph, layoutInput } from '../../../engine/graph/layoutInput'
import { blocksOf } from '../elements'
import { type Box, layoutGroup, metrics, type Point, shapeBlock, snap } from '../geometry'
import { faceOf } from '../kindFaces'
import { namesOf } from '../names'
import type { Places } from './arrangeFlow'

/** The graph to arrange: the whole flow, or the given groups with the edges among them, in their drawn sizes. */
export function layoutGraph(
  flow: Flow,
  projection: Projection,
  registry: Registry,
  groupIds: ReadonlySet<string> | null,
): LayoutGraph {
  const groups = flow.groups.filter(({ id }) => groupIds?.has(id) ?? true)
  return layoutInput({ ...flow, groups }, registry, (group) => shapeOf(group, projection, registry))
}

function shapeOf(group: Group, projection: Projection, registry: Registry): GroupShape {
  const layout = layoutOf(group.id, projection, registry)
  return {
    width: metrics.width,
    height: layout.height,
    entry: metrics.header / 2,
    blocks: layout.blocks.map(({ block, top, ports }) => ({
      id: block.id,
      y: top + metrics.blockY + metrics.port / 2,
      ports: ports.map(({ id, y }) => ({ id, y })),
    })),
  }
}

function layoutOf(groupId: string, projection: Projection, registry: Registry) {
  const group = projection.groups.get(groupId)
  const names = namesOf(projection)
  return layoutGroup(group ? blocksOf(group, projection) : [], (block) =>
    shapeBlock(block, registry, faceOf(block.kind), names),
  )
}

/**
 * Moves the arrangement to the groups' place: the group in which the flow starts stays (or, without one among them, the
 * top left corner), on the grid. Groups that don't move, or were deleted meanwhile, are left out.
 */
export function placeGroups(
  places: Places,
  projection: Projection,
  anchorId: string | undefined,
): { groupId: string; position: Point }[] {
  const present = [...places].flatMap(([id, place]) => {
    const group = projection.groups.get(id)
    return group ? [{ id, place, before: group.position }] : []
  })
  const anchor = present.find(({ id }) => id === anchorId)
  // on the grid, so that arranging again moves nothing
  const shift = anchor
    ? between(anchor.place, { x: snap(anchor.before.x), y: snap(anchor.before.y) })
    : between(corner(present.map(({ place }) => place)), corner(present.map(({ before }) => before)))
  return present.flatMap(({ id, place, before }) => {
    const position = { x: snap(place.x + shift.x), y: snap(place.y + shift.y) }
    return position.x === before.x && position.y === before.y ? [] : [{ groupId: id, position }]
  })
}

const corner = (points: readonly Point[]): Point => ({
  x: points.reduce((least, { x }) => Math.min(least, x), Number.POSITIVE_INFINITY),
  y: points.reduce((least, { y }) => Math.min(least, y), Number.POSITIVE_INFINITY),
})
const between = (from: Point, to: Point): Point => ({ x: to.x - from.x, y: to.y - from.y })

/** Ids of groups that cover another one, as drawn. */
export function overlappingGroups(projection: Projection, registry: Registry): ReadonlySet<string> {
  const boxes = [...projection.groups.values()]
    .map(({ id, position }): Box & { id: string } => ({
      id,
      ...position,
      width: metrics.width,
      height: layoutOf(id, projection, registry).height,
    }))
    .sort((a, b) => a.x - b.x)
  const found = new Set<string>()
  boxes.forEach((box, index) => {
    // only groups that start before this one's end can overlap it
    for (let at = index + 1; at < boxes.length; at++) {
      const other = boxes[at]
      if (!other || other.x >= box.x + box.width) break
      if (other.y >= box.y + box.height || box.y >= other.y + other.height) continue
      found.add(box.id)
      found.add(other.id)
    }
  })
  return found
}
