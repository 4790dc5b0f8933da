import { type Edge, type Node, Position } from '@xyflow/react'
import type { BlockView, EdgeView, GroupView, Projection } from '../../engine/document/commands'
import type { CanvasState } from './canvasStore'
import { type BlockShape, type GroupLayout, handleId, layoutGroup, metrics, type Point, targetId } from './geometry'

export type GroupNode = Node<{ group: GroupView; layout: GroupLayout }, 'flowGroup'>
export type FlowEdge = Edge<{ view: EdgeView; visited: boolean }, 'flowEdge'>
type Look = Pick<CanvasState, 'selection' | 'moving'>

/**
 * Makes React Flow's nodes and edges from the projection, and gives the same object as long as nothing of it has changed: new node
 * objects are what makes a large canvas slow. One of these a canvas, since it remembers.
 *
 * @param shape the size of a block; must give the same for the same view
 * @param label how a group is announced
 */
export function createElements(
  shape: (block: BlockView) => BlockShape,
  label: (group: GroupView, blocks: BlockView[]) => string,
) {
  let nodes = new Map<string, { blocks: BlockView[]; node: GroupNode }>()
  let edges = new Map<string, FlowEdge>()
  let order: { groups: Projection['groups']; ids: string[] } | undefined

  function nodeOf(group: GroupView, projection: Projection, look: Look): GroupNode {
    const known = nodes.get(group.id)
    const blocks = blocksOf(group, projection)
    const position = look.moving.get(group.id) ?? group.position
    const selected = look.selection.groups.has(group.id)
    const sameBlocks = known !== undefined && sameItems(known.blocks, blocks)
    if (
      known &&
      sameBlocks &&
      known.node.data.group === group &&
      known.node.position === position &&
      known.node.selected === selected
    )
      return known.node
    const layout = known && sameBlocks ? known.node.data.layout : layoutGroup(blocks, shape)
    const node: GroupNode = {
      id: group.id,
      type: 'flowGroup',
      position: position as Point,
      data: known?.node.data.group === group && known.node.data.layout === layout ? known.node.data : { group, layout },
      width: metrics.width,
      height: layout.height,
      measured: { width: metrics.width, height: layout.height },
      handles: known && sameBlocks ? known.node.handles : handlesOf(layout),
      selected,
      ariaLabel: label(group, blocks),
    }
    nodes.set(group.id, { blocks, node })
    return node
  }

  return {
    nodes(projection: Projection, look: Look): GroupNode[] {
      if (order?.groups !== projection.groups) {
        order = { groups: projection.groups, ids: readingOrder(projection.groups) }
        nodes = new Map([...nodes].filter(([id]) => projection.groups.has(id)))
      }
      return order.ids.flatMap((id) => {
        const group = projection.groups.get(id)
        return group ? [nodeOf(group, projection, look)] : []
      })
    },

    /** Call after `nodes`: an edge whose port is not drawn is left out. `visited` are ids of edges. */
    edges(projection: Projection, selectedIds: ReadonlySet<string>, visited: ReadonlySet<string>): FlowEdge[] {
      const next = new Map<string, FlowEdge>()
      for (const view of projection.edges.values()) {
        const edge = edgeOf(view, projection, (groupId) => nodes.get(groupId)?.node.data.layout)
        if (!edge) continue
        const selected = selectedIds.has(view.id)
        const known = edges.get(view.id)
        const same =
          known?.data?.view === view &&
          known.source === edge.source &&
          known.target === edge.target &&
          known.selected === selected &&
          known.data.visited === visited.has(view.id)
        next.set(view.id, same ? known : { ...edge, selected, data: { view, visited: visited.has(view.id) } })
      }
      edges = next
      return [...next.values()]
    },
  }
}

function edgeOf(
  view: EdgeView,
  projection: Projection,
  layoutOf: (groupId: string) => GroupLayout | undefined,
): FlowEdge | null {
  const source = projection.blocks.get(view.from.blockId)?.groupId
  const sourceHandle = handleId(view.from.blockId, view.from.portId)
  if (!source || !layoutOf(source)?.handles.has(sourceHandle)) return null
  const block = view.to.blockId === undefined ? undefined : projection.blocks.get(view.to.blockId)
  const target = block?.groupId ?? view.to.groupId
  if (!projection.groups.has(target)) return null
  return { id: view.id, type: 'flowEdge', source, sourceHandle, target, targetHandle: targetId(block?.id) }
}

function handlesOf(layout: GroupLayout): GroupNode['handles'] {
  const size = metrics.handle
  const into = (id: string, y: number) =>
    ({ id, type: 'target', position: Position.Left, x: -2, y: y - size / 2, width: size, height: size }) as const
  return [
    into(targetId(), metrics.header / 2),
    ...layout.blocks.flatMap((place) => [
      into(targetId(place.block.id), place.top + metrics.blockY + metrics.port / 2),
      ...place.ports.map(
        (port) =>
          ({
            id: handleId(place.block.id, port.id),
            type: 'source',
            position: Position.Right,
            x: metrics.width - size / 2,
            y: port.y - size / 2,
            width: size,
            height: size,
          }) as const,
      ),
    ]),
  ]
}

export const blocksOf = (group: GroupView, projection: Projection): BlockView[] =>
  group.blockIds.flatMap((id) => projection.blocks.get(id) ?? [])

/** Left to right as a flow runs, top to bottom within a column: what Tab goes through. */
export function readingOrder(groups: Projection['groups']): string[] {
  const column = (x: number) => Math.round(x / metrics.width)
  return [...groups.values()]
    .sort((a, b) => column(a.position.x) - column(b.position.x) || a.position.y - b.position.y)
    .map((group) => group.id)
}

const sameItems = <T>(a: readonly T[], b: readonly T[]): boolean =>
  a.length === b.length && a.every((item, i) => item === b[i])
