import { clip } from '../fields'
import type { ReportWriter } from '../report'
import { placeOf } from './mapNode'
import type { NodeEdge, NodeGraph } from './nodeGraph'
import type { MappedNode } from './nodeWorld'
import { orderOf, type Place } from './schedule'

/** The flow's groups in order; `start` is the index of the group that a run starts at, or -1. */
export interface Order {
  places: Place[]
  start: number
}

/** Serializes the nodes of a graph and notes what that changes; unreachable nodes keep the order of the file. */
export function workOutOrder(graph: NodeGraph, nodes: ReadonlyMap<string, MappedNode>, report: ReportWriter): Order {
  const exitsOf = (id: string) => [...(nodes.get(id)?.ports.keys() ?? [])]
  const ordered = orderOf(graph.schedule, exitsOf, nodes.size)
  if (ordered === null)
    report.note(
      'warning',
      undefined,
      'Its branches are too many to be put into one order: of several edges that leave by one way out the first is kept.',
    )
  const places = withRest(ordered ?? [], graph, exitsOf)
  noteEdges(graph, nodes, ordered ?? [], report)
  return { places, start: places.findIndex(({ node }) => node === graph.start) }
}

/** Adds unreachable nodes with the edges drawn between them. */
function withRest(ordered: Place[], graph: NodeGraph, exitsOf: (id: string) => string[]): Place[] {
  const present = new Set(ordered.map(({ node }) => node))
  const rest = graph.nodes.filter(({ id }) => !present.has(id))
  const places = [...ordered, ...rest.map(({ id }): Place => ({ node: id, exits: new Map() }))]
  const placeOfNode = new Map<string, number>()
  for (const [at, { node }] of places.entries()) if (!placeOfNode.has(node)) placeOfNode.set(node, at)
  const drawn = new Map<string, string>()
  for (const { source, exit, target } of graph.edges) {
    const key = JSON.stringify([source, exit])
    if (!drawn.has(key)) drawn.set(key, target)
  }
  for (const place of places.slice(ordered.length)) {
    for (const exit of exitsOf(place.node)) {
      const to = placeOfNode.get(drawn.get(JSON.stringify([place.node, exit])) ?? '')
      if (to !== undefined) place.exits.set(exit, to)
    }
  }
  return places
}

function noteEdges(
  graph: NodeGraph,
  nodes: ReadonlyMap<string, MappedNode>,
  ordered: readonly Place[],
  report: ReportWriter,
): void {
  const titleOf = (id: string) => clip(nodes.get(id)?.title ?? '', 60)
  const byExit = new Map<string, NodeEdge[]>()
  for (const edge of graph.edges) {
    const key = JSON.stringify([edge.source, edge.exit])
    byExit.set(key, [...(byExit.get(key) ?? []), edge])
  }
  const places = new Map<string, number>()
  for (const { node } of ordered) places.set(node, (places.get(node) ?? 0) + 1)
  for (const node of graph.nodes) {
    const place = placeOf(node)
    const count = places.get(node.id) ?? 0
    if (count > 1)
      report.note('warning', place, `It stands here ${count} times, since what follows depends on what ran before.`)
    if (node.inside !== null)
      report.note('warning', place, `It ran in each round of '${clip(node.inside, 60)}': nothing leads to it here.`)
    else if (count === 0 && ordered.length > 0) report.note('info', place, 'Nothing leads to it, in the file either.')
  }
  const nodeById = new Map(graph.nodes.map((node) => [node.id, node]))
  for (const edges of byExit.values()) {
    const [first] = edges
    const source = first && nodeById.get(first.source)
    if (!first || !source) continue
    if (!nodes.get(source.id)?.ports.has(first.exit)) {
      for (const { target } of edges)
        report.note(
          'warning',
          placeOf(source),
          `The edge to '${titleOf(target)}' leaves by a way out that does not exist here and is left out.`,
        )
    } else if (edges.length > 1 && (places.get(source.id) ?? 0) > 0) {
      const names = edges.slice(0, 10).map(({ target }) => `'${titleOf(target)}'`)
      report.note(
        'info',
        placeOf(source),
        `What followed side by side runs one after the other here: ${names.join(', ')}${edges.length > 10 ? ' and more' : ''}.`,
      )
    }
  }
}
