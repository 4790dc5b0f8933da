import { type Edge, type Node, Position } from '@xyflow/react'
import type { BlockView, EdgeView, GroupView, Projection } from '../../engine/document/commands'
import type { CanvasState } from './canvasStore'
import { type GroupLayout, handleId, metrics, type Point, targetId } from './geometry'
import type { PlacedGroup, Scene } from './placed'
import type { Route } from './routing/route'

export type GroupNode = Node<{ group: GroupView; layout: GroupLayout }, 'flowGroup'>
export type FlowEdge = Edge<{ view: EdgeView; visited: boolean; route: Route }, 'flowEdge'>
type Look = Pick<CanvasState, 'selection' | 'moving'> & {
  /** the group above the others, because one of its texts is being edited */
  raised?: string | undefined
}
/** `visited`: ids of edges. */
type EdgeLook = Look & { visited: ReadonlySet<string> }

/** What React Flow renders: groups, hidden ends of edges, and edges. */
export interface Shown {
  groups: Iterable<string>
  edges: Iterable<string>
}

/**
 * Creates React Flow's nodes and edges, and returns the same objects and lists while nothing changes: new node objects
 * make a large canvas slow. One instance per canvas, since it caches.
 *
 * @param label a group's accessible name
 */
export function createElements(label: (group: GroupView, blocks: readonly BlockView[]) => string) {
  let nodes = new Map<string, { placed: PlacedGroup; node: GroupNode }>()
  let edges = new Map<string, FlowEdge>()
  let nodeList: GroupNode[] = []
  let edgeList: FlowEdge[] = []

  function nodeOf(placed: PlacedGroup, hidden: boolean, look: Look): GroupNode {
    const { group, layout } = placed
    const known = nodes.get(group.id)
    const dragged = look.moving.get(group.id)
    const position = dragged ?? group.position
    const selected = look.selection.groups.has(group.id)
    // above what it is dragged across, also by somebody else
    const zIndex = dragged || look.raised === group.id ? IN_HAND : 0
    const { node } = known ?? {}
    if (
      node &&
      known?.placed === placed &&
      node.position === position &&
      node.selected === selected &&
      node.zIndex === zIndex &&
      node.hidden === hidden
    )
      return node
    const { data } = node ?? {}
    return {
      id: group.id,
      type: 'flowGroup',
      position: position as Point,
      data: data?.group === group && data.layout === layout ? data : { group, layout },
      width: metrics.width,
      height: layout.height,
      measured: { width: metrics.width, height: layout.height },
      handles: data?.layout === layout ? node?.handles : handlesOf(layout),
      selected,
      zIndex,
      hidden,
      ariaLabel: hidden ? undefined : label(group, placed.blocks),
    }
  }

  return {
    /**
     * Nodes in reading order. An edge's end outside the view becomes a hidden node: React Flow draws no edge without
     * both.
     */
    nodes(scene: Scene, shown: Shown, look: Look): GroupNode[] {
      const visible = new Set(shown.groups)
      const ids = new Set(visible)
      for (const edgeId of shown.edges) {
        const edge = scene.edges.get(edgeId)
        if (edge) ids.add(edge.source).add(edge.target)
      }
      const next = new Map<string, { placed: PlacedGroup; node: GroupNode }>()
      const { at } = scene.order()
      for (const id of [...ids].sort((a, b) => (at.get(a) ?? 0) - (at.get(b) ?? 0))) {
        const placed = scene.groups.get(id)
        if (placed) next.set(id, { placed, node: nodeOf(placed, !visible.has(id), look) })
      }
      nodes = next
      nodeList = unlessSame(
        nodeList,
        Array.from(next.values(), ({ node }) => node),
      )
      return nodeList
    },

    edges(scene: Scene, shown: Shown, look: EdgeLook): FlowEdge[] {
      const next = new Map<string, FlowEdge>()
      for (const id of shown.edges) {
        const placed = scene.edges.get(id)
        if (!placed) continue
        const { view, source, target } = placed
        const moves = look.moving.has(source) || look.moving.has(target)
        const route = moves ? scene.routeWhile(id, look.moving) : scene.routeOf(id)
        if (!route) continue
        const known = edges.get(id)
        const selected = look.selection.edges.has(id)
        const visited = look.visited.has(id)
        const same =
          known?.data?.view === view &&
          known.source === source &&
          known.target === target &&
          known.selected === selected &&
          known.data.visited === visited &&
          known.data.route === route
        next.set(
          id,
          same
            ? known
            : {
                id,
                type: 'flowEdge',
                source,
                sourceHandle: id,
                target,
                targetHandle: targetId(view.to.blockId),
                selected,
                data: { view, visited, route },
              },
        )
      }
      edges = next
      edgeList = unlessSame(edgeList, [...next.values()])
      return edgeList
    },
  }
}

/** Returns the previous list if all items are the same: React Flow processes every new list. */
const unlessSame = <T>(before: T[], now: T[]): T[] =>
  before.length === now.length && now.every((item, at) => item === before[at]) ? before : now

/** Above selected groups, to which React Flow adds a thousand. */
const IN_HAND = 1000

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

/** Left to right along the flow, top to bottom within a column: the Tab order. */
export function readingOrder(groups: Projection['groups']): string[] {
  const column = (x: number) => Math.round(x / metrics.width)
  return [...groups.values()]
    .sort((a, b) => column(a.position.x) - column(b.position.x) || a.position.y - b.position.y)
    .map((group) => group.id)
}
