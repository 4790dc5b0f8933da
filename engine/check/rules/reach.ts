import type { Diagnostic } from '../diagnostic'
import { type Exit, type FlowGraph, follow, type Node } from '../graph'
import type { Entrance } from './entrances'
import { report } from './report'

/**
 * The reachable blocks, nearest first, numbered by `Node.index`, and their exits: those of block `at` are `first[at]`
 * up to `first[at + 1]`; `target` is -1 for an exit that leads nowhere. Computed once for all passes, as flat arrays,
 * since each pass visits everything.
 */
export interface Reach {
  readonly nodes: readonly Node[]
  readonly first: readonly number[]
  readonly exits: readonly Exit[]
  readonly target: readonly number[]
  has(node: Node): boolean
}

/** Follows all exits from the entrances. */
export function reached(entrances: readonly Entrance[]): Reach {
  const nodes: Node[] = []
  const first: number[] = []
  const exits: Exit[] = []
  const target: number[] = []
  // an index is valid only within the pass that assigned it
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

/**
 * Reports unreachable groups, and unreachable blocks in reachable groups. Triggers that start nothing have been
 * reported before.
 */
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
