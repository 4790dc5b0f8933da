import type { Diagnostic } from '../diagnostic'
import type { Exit, FlowGraph, Node } from '../graph'
import { report } from './report'

/** Problems of a block's exits: edges without a target, and exits that lead nowhere. */
export function checkWays(node: Node, graph: FlowGraph): Diagnostic[] {
  return [...danglingEdges(node, graph), ...openExits(node)]
}

function danglingEdges({ view, facts, exits }: Node, graph: FlowGraph): Diagnostic[] {
  const found: Diagnostic[] = []
  const place = { groupId: view.groupId, blockId: view.id }
  const node = graph.nodes.get(view.id)
  for (const { from, to } of node ? graph.edgesOf(node).values() : []) {
    const isThere = facts.ports.some(({ id }) => id === from.portId)
    if (isThere && graph.resolve(to)) continue
    // the exits of a block that can't run are unknown
    if (!isThere && !facts.runs) continue
    found.push(
      report(
        isThere ? 'edge-to-nothing' : 'edge-from-nothing',
        { ...place, portId: from.portId, edge: { from, to } },
        {},
        {
          code: 'delete-edge',
          commands: [{ name: 'disconnect', args: [[{ ...from }]] }],
        },
      ),
    )
  }
  if (exits.some(({ port, broken }) => port === null && broken)) found.push(report('jump-to-nothing', place))
  return found
}

/** Edges whose source block is gone. */
export const checkOrphans = (graph: FlowGraph): Diagnostic[] =>
  [...graph.orphans.values()].map(({ from, to }) =>
    report(
      'edge-without-block',
      { edge: { from, to } },
      {},
      {
        code: 'delete-edge',
        commands: [{ name: 'disconnect', args: [[{ ...from }]] }],
      },
    ),
  )

const leadsOn = (node: Node, { to }: Exit) => (to === null ? node.below !== null : 'group' in to || to.nodes.length > 0)

function openExits(node: Node): Diagnostic[] {
  const { view, facts, exits } = node
  if (node.below || !facts.runs || exits.length === 0) return []
  const open = exits.filter(({ to, port }) => to === null && !port?.spare)
  if (open.length === 0) return []
  const place = { groupId: view.groupId, blockId: view.id }
  // no note for the last block: the canvas shows that nothing follows
  if (exits.every(({ to }) => to === null)) return []
  const asks = facts.definition?.category === 'input'
  const leading = exits.find((exit) => leadsOn(node, exit) && exit.own && exit.port)
  const edge = leading?.port ? node.view.id : null
  return open.flatMap(({ port }) => {
    if (!port) return []
    const code = port.row !== undefined ? 'option-unhandled' : asks ? 'dead-end' : 'branch-ends'
    const to = leading?.to
    const remedy =
      edge && to
        ? {
            code: 'connect-alike' as const,
            commands: [
              {
                name: 'connect' as const,
                args: [{ blockId: view.id, portId: port.id }, targetOf(to)] as const,
              },
            ],
          }
        : undefined
    return report(code, { ...place, portId: port.id }, {}, remedy)
  })
}

const targetOf = (to: NonNullable<Exit['to']>) =>
  'nodes' in to ? { groupId: to.view.id } : { groupId: to.view.groupId, blockId: to.view.id }
