import type { BlockView, Projection } from '../../../engine/document/commands'
import { handleId } from '../geometry'

/** A keyboard position on the canvas: a group, a block in it, or a port of that. */
export interface Stop {
  groupId: string
  blockId?: string | undefined
  portId?: string | undefined
}

/** What the keyboard moves through. */
export interface Walk {
  projection: Projection
  /** group ids in reading order */
  order: readonly string[]
  /** ids of a block's focusable ports */
  ports: (block: BlockView) => readonly string[]
}

type Step = 1 | -1

/** The next stop for Tab: each group, then its blocks, each with its ports; null at the end. */
export function nextStop(walk: Walk, from: Stop, step: Step): Stop | null {
  const inside = stopsOf(walk, from.groupId)
  const next = inside[inside.findIndex((stop) => sameStop(stop, from)) + step]
  if (next && inside.some((stop) => sameStop(stop, from))) return next
  const group = nextGroup(walk, from, step)
  return group && (step === 1 ? group : (stopsOf(walk, group.groupId).at(-1) ?? null))
}

/** The block below or above, in this group or the next one with blocks; null at the end. */
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

/** The next or previous group; null at the end. */
export function nextGroup({ order }: Walk, from: Stop, step: Step): Stop | null {
  const groupId = order[order.indexOf(from.groupId) + step]
  return groupId === undefined ? null : { groupId }
}

/** The target of this port's edge; for a block or a group that of the first outgoing edge, or the next block. */
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

/** The port that leads here: to the block, otherwise to its group; the first in reading order. */
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
 * The new position when the present one is deleted: the next block, the previous one, the group, the next group, the
 * previous one; null if nothing is left.
 *
 * @param before the state before the deletion
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

/** Whether a stop still exists. */
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
