import type { Diagnostic } from '../diagnostic'
import { type FlowGraph, follow, type Node } from '../graph'
import type { Entrance } from './entrances'
import { report } from './report'

/** The blocks that conversations get to, in the order of the fewest steps. */
export function reached(entrances: readonly Entrance[]): Set<Node> {
  const found = new Set(entrances.map(({ node }) => node))
  for (const node of found) {
    for (const exit of node.exits) {
      const next = follow(node, exit)
      if (next) found.add(next)
    }
  }
  return found
}

/** Groups that no conversation gets to, and blocks in others. A trigger that begins nothing has been told of already. */
export function checkReach(graph: FlowGraph, met: ReadonlySet<Node>): Diagnostic[] {
  const found: Diagnostic[] = []
  if (met.size === graph.nodes.size) return found
  for (const [groupId, { nodes }] of graph.groups) {
    const first = nodes.findIndex((node) => !met.has(node))
    const node = nodes[first]
    if (node?.facts.begins !== 'never' || node.facts.intent) continue
    if (nodes.every((other) => !met.has(other))) {
      found.push(
        report(
          'unreachable-group',
          { groupId },
          {},
          {
            code: 'delete-group',
            commands: [{ name: 'deleteGroups', args: [[groupId]] }],
          },
        ),
      )
    } else {
      const length = nodes.slice(first).findIndex((other) => met.has(other))
      const blockIds = nodes.slice(first, length < 0 ? undefined : first + length).map(({ view }) => view.id)
      found.push(
        report(
          'unreachable-block',
          { groupId, blockId: node.view.id },
          {},
          {
            code: 'delete-block',
            commands: [{ name: 'deleteBlocks', args: [blockIds] }],
          },
        ),
      )
    }
  }
  return found
}
