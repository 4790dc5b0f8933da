import type { IdSource } from '../../flow/ids'
import type { Registry } from '../../flow/registry'
import { type Block, type Edge, emptyFlow, type Flow, flowCaps, type Group } from '../../flow/schema'
import { createBlockMapper } from '../blockMapper'
import { clip } from '../fields'
import type { ImportReport } from '../importer'
import { createReport } from '../report'
import { mapNode } from './mapNode'
import { DEFAULT_EXIT, type GraphNode, type NodeGraph, RUN_FAILS } from './nodeGraph'
import { createNodeVariables } from './nodeVariables'
import type { MappedNode, NodeWorld, Read } from './nodeWorld'
import { type Order, workOutOrder } from './order'
import { noteEmptyReads, outputsToClear } from './reads'

/** Horizontal distance of the group before the start, and vertical distance between groups of the same node. */
const BESIDE = 400
const BELOW = 240

/**
 * Converts a graph of nodes to a flow: a node becomes a group, and parallel branches are serialized. If the product
 * starts anew for each message of the visitor, a group asks for it and every end leads back there. The report lists
 * what differs.
 */
export function importNodes(graph: NodeGraph, registry: Registry, ids: IdSource): { flow: Flow; report: ImportReport } {
  const report = createReport(graph.product, graph.version)
  for (const { level, place, message } of graph.notes) report.note(level, place, message)
  const variables = createNodeVariables(graph, ids, report)
  const reads: Read[] = []
  const mapper = createBlockMapper(registry, graph.product, report)
  const world: NodeWorld = { graph, variables, mapper, report, ids, reads }
  const nodes = new Map<string, MappedNode>()
  for (const node of graph.nodes) nodes.set(node.id, mapNode(node, world))
  noteEmptyReads(reads, nodes, report)
  const order = workOutOrder(graph, nodes, report)

  const groups = order.places.map(({ node }, at) => groupOf(nodes.get(node), positionOf(node, at, order, graph), ids))
  const between = betweenRuns(order, world)
  const last = between && groupOf(between, besideStart(graph), ids)
  const edges: Edge[] = []
  const connect = (group: Group | undefined, mapped: MappedNode | undefined, exit: string, to: Group | undefined) => {
    const port = mapped?.ports.get(exit)
    const from = port && group?.blocks[port.block]
    if (from && to) edges.push({ from: { blockId: from.id, portId: port.portId }, to: { groupId: to.id } })
  }
  for (const [at, { node, exits }] of order.places.entries()) {
    const isStart = at === order.start && graph.message !== null
    for (const [exit, to] of exits) {
      // the start leads to the first message, and that to what followed the start
      const target = to === null || (isStart && exit === DEFAULT_EXIT) ? (last ?? undefined) : groups[to]
      connect(groups[at], nodes.get(node), exit, target)
    }
  }
  const first = order.places[order.start]?.exits.get(DEFAULT_EXIT)
  if (last && between && graph.message && typeof first === 'number') connect(last, between, DEFAULT_EXIT, groups[first])
  const all = last ? [...groups, last] : groups
  return { flow: { ...emptyFlow(), groups: all, edges, variables: variables.variables }, report: report.finish() }
}

/**
 * The group between two runs: the question for the next message. A graph that runs once has an end, if something leads
 * there.
 */
function betweenRuns(order: Order, world: NodeWorld): MappedNode | null {
  const { graph } = world
  const node = (title: string, steps: GraphNode['steps']): GraphNode => ({
    id: '',
    type: 'message',
    title,
    position: null,
    data: {},
    steps,
    failure: RUN_FAILS,
    readOutputs: [],
    parent: null,
    inside: null,
  })
  if (graph.message) {
    const cleared = outputsToClear(world.reads, order.places, graph)
    const clears = cleared.map((variableId) => ({ id: '', type: 'clear', variableId }))
    return mapNode(node(graph.message.title, [...graph.message.steps, ...clears]), world)
  }
  const isNeeded = order.places.some(({ exits }) => [...exits.values()].includes(null))
  return isNeeded ? mapNode({ ...node('End', [{ id: '', type: 'over' }]), type: 'over' }, world) : null
}

function groupOf(mapped: MappedNode | undefined, position: Group['position'], ids: IdSource): Group {
  const blocks = (mapped?.blocks ?? []).map((block): Block => ({ ...block, id: ids() }))
  return { id: ids(), title: clip(mapped?.title.trim() ?? '', flowCaps.groupTitle) || 'Group', position, blocks }
}

/** The file's position, scaled, since groups are larger than its nodes. */
function positionOf(id: string, at: number, order: Order, graph: NodeGraph): Group['position'] {
  const copies = order.places.slice(0, at).filter(({ node }) => node === id).length
  const { x, y } = stretched(graph.nodes.find((node) => node.id === id)?.position ?? null, graph)
  const left = at === order.start && graph.message ? BESIDE : 0
  return { x: x - left, y: y + copies * BELOW }
}

const stretched = (position: GraphNode['position'], { scale }: NodeGraph): Group['position'] => ({
  x: Math.round((position?.x ?? 0) * scale.x),
  y: Math.round((position?.y ?? 0) * scale.y),
})

/** The message group replaces the start's position; the end is right of everything. */
function besideStart(graph: NodeGraph): Group['position'] {
  const start = graph.nodes.find(({ id }) => id === graph.start)
  if (graph.message) return stretched(start?.position ?? null, graph)
  const places = graph.nodes.map(({ position }) => stretched(position, graph))
  return { x: Math.max(0, ...places.map(({ x }) => x)) + BESIDE, y: places[0]?.y ?? 0 }
}
