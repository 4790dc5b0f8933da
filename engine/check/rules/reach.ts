import type { Diagnostic } from '../diagnostic'
import { type Exit, type FlowGraph, follow, type Node } from '../graph'
import type { Entrance } from './entrances'
import { report } from './report'

/**
 * The blocks that conversations get to, in the order of the fewest steps, by number (`Node.index`), and where their exits lead: those of
 * block `at` are the ones from `first[at]` up to `first[at + 1]`; `target` is -1 where one leads nowhere. Made once for all passes, and
 * flat, since each of them goes over all of it.
 */
export interface Reach {
  readonly nodes: readonly Node[]
  readonly first: readonly number[]
  readonly exits: readonly Exit[]
  readonly target: readonly number[]
  has(node: Node): boolean
}

/** Follows all exits from where conversations come in. */
export function reached(entrances: readonly Entrance[]): Reach {
  const nodes: Node[] = []
  const first: number[] = []
  const exits: Exit[] = []
  const target: number[] = []
  // a number is good only in the pass that gave it
  const has = (node: Node) => nodes[node.index] === node
  const numbered = (node: Node): number => {
    if (has(node)) return node.index
    node.index = nodes.length
    nodes.push(node)
    return node.index
  }
  for (const { node } of entrances) numbered(node)
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at] as Node
    first.push(exits.length)
    for (const exit of node.exits) {
      const next = follow(node, exit)
      exits.push(exit)
      target.push(next ? numbered(next) : -1)
    }
  }
  first.push(exits.length)
  return { nodes, first, exits, target, has }
}

/** Groups that no conversation gets to, and blocks in others. A trigger that begins nothing has been told of already. */
export function checkReach(graph: FlowGraph, met: Reach): Diagnostic[] {
  const found: Diagnostic[] = []
  if (met.nodes.length === graph.nodes.size) return found
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
