import type { BlockView, Projection } from '../../../engine/document/commands'
import { handleId } from '../geometry'

/** Where the keyboard is on the canvas: a group, a block of it, or a port of that. */
export interface Stop {
  groupId: string
  blockId?: string | undefined
  portId?: string | undefined
}

/** What one walks through. */
export interface Walk {
  projection: Projection
  /** ids of the groups, as one reads them */
  order: readonly string[]
  /** ids of the ports that one can stop at */
  ports: (block: BlockView) => readonly string[]
}

type Step = 1 | -1

/** What Tab goes to: each group, then its blocks, each with its ports; null at the end. */
export function nextStop(walk: Walk, from: Stop, step: Step): Stop | null {
  const inside = stopsOf(walk, from.groupId)
  const next = inside[inside.findIndex((stop) => sameStop(stop, from)) + step]
  if (next && inside.some((stop) => sameStop(stop, from))) return next
  const group = nextGroup(walk, from, step)
  return group && (step === 1 ? group : (stopsOf(walk, group.groupId).at(-1) ?? null))
}

/** The block below or above, in this group or the next that has any; null at the end. */
export function nextBlock(walk: Walk, from: Stop, step: Step): Stop | null {
  const ids = blockIds(walk, from.groupId)
  const here = from.blockId === undefined ? (step === 1 ? -1 : 0) : ids.indexOf(from.blockId)
  const beside = ids[here + step]
  if (beside !== undefined) return { groupId: from.groupId, blockId: beside }
  for (let group = nextGroup(walk, from, step); group; group = nextGroup(walk, group, step)) {
    const blockId = blockIds(walk, group.groupId).at(step === 1 ? 0 : -1)
    if (blockId !== undefined) return { groupId: group.groupId, blockId }
  }
  return null
}

/** The group after or before this one; null at the end. */
export function nextGroup({ order }: Walk, from: Stop, step: Step): Stop | null {
  const groupId = order[order.indexOf(from.groupId) + step]
  return groupId === undefined ? null : { groupId }
}

/** Where the edge of this port leads; of a block or a group the first edge that leaves it, or what comes after it there. */
export function alongEdge(walk: Walk, from: Stop): Stop | null {
  const { edges } = walk.projection
  const ids = blockIds(walk, from.groupId)
  const blocks = from.blockId === undefined ? ids : ids.slice(ids.indexOf(from.blockId))
  for (const blockId of blocks) {
    const block = walk.projection.blocks.get(blockId)
    const ports = blockId === from.blockId && from.portId ? [from.portId] : block ? walk.ports(block) : []
    for (const portId of ports) {
      const to = edges.get(handleId(blockId, portId))?.to
      if (to && walk.projection.groups.has(to.groupId)) return { ...to }
    }
    if (from.portId) return null
  }
  return null
}

/** The port from which one gets here: to the block, else to its group; the first as one reads. */
export function againstEdge({ projection, order }: Walk, from: Stop): Stop | null {
  let found: { stop: Stop; place: number } | undefined
  const places = new Map(order.map((id, place) => [id, place]))
  for (const { from: port, to } of projection.edges.values()) {
    if (to.groupId !== from.groupId || (to.blockId !== undefined && to.blockId !== from.blockId)) continue
    const groupId = projection.blocks.get(port.blockId)?.groupId
    const place = groupId === undefined ? undefined : places.get(groupId)
    if (groupId === undefined || place === undefined || (found && found.place <= place)) continue
    found = { stop: { groupId, ...port }, place }
  }
  return found?.stop ?? null
}

/**
 * Where one goes on when what one stood at is gone: the block that came after it, the one before, the group, the group that came after, the
 * one before; null when nothing is left.
 *
 * @param before what there was
 */
export function survivor(before: Walk, stop: Stop, projection: Projection): Stop | null {
  const moved = stop.blockId === undefined ? undefined : projection.blocks.get(stop.blockId)
  if (moved) return { groupId: moved.groupId, blockId: moved.id }
  if (projection.groups.has(stop.groupId)) {
    const ids = blockIds(before, stop.groupId)
    const at = ids.indexOf(stop.blockId ?? '')
    const left = [...ids.slice(at + 1), ...ids.slice(0, Math.max(at, 0)).reverse()].find(
      (id) => projection.blocks.get(id)?.groupId === stop.groupId,
    )
    return at >= 0 && left !== undefined ? { groupId: stop.groupId, blockId: left } : { groupId: stop.groupId }
  }
  const at = before.order.indexOf(stop.groupId)
  const groupId = [...before.order.slice(at + 1), ...before.order.slice(0, Math.max(at, 0)).reverse()].find((id) =>
    projection.groups.has(id),
  )
  return groupId === undefined ? null : { groupId }
}

export const sameStop = (a: Stop | null, b: Stop | null): boolean =>
  a?.groupId === b?.groupId && a?.blockId === b?.blockId && a?.portId === b?.portId

/** Whether a stop is still there. */
export function exists({ projection, ports }: Walk, { groupId, blockId, portId }: Stop): boolean {
  const group = projection.groups.get(groupId)
  if (!group || blockId === undefined) return group !== undefined
  const block = projection.blocks.get(blockId)
  return block?.groupId === groupId && (portId === undefined || ports(block).includes(portId))
}

const blockIds = ({ projection }: Walk, groupId: string): readonly string[] =>
  projection.groups.get(groupId)?.blockIds ?? []

function stopsOf(walk: Walk, groupId: string): Stop[] {
  return [
    { groupId },
    ...blockIds(walk, groupId).flatMap((blockId): Stop[] => {
      const block = walk.projection.blocks.get(blockId)
      return [{ groupId, blockId }, ...(block ? walk.ports(block) : []).map((portId) => ({ groupId, blockId, portId }))]
    }),
  ]
}
