import type { Diagnostic, PathStep } from '../diagnostic'
import { type Exit, follow, type Node, role } from '../graph'
import { byPlace } from './entrances'
import type { Reach } from './reach'
import { report } from './report'

/** Steps listed for one loop. */
const LONGEST_PATH = 12

/** Reports loops in which no block waits: endless within a turn, or almost. */
export function checkLoops(met: Reach): Diagnostic[] {
  return findLoops(met).map((loop) => {
    const first = loop.reduce((a, b) => (byPlace(b, a) < 0 ? b : a))
    const inside = new Set(loop)
    const leaves = loop.some(
      (node) => node.exits.length === 0 || node.exits.some((exit) => leadsOut(node, exit, inside)),
    )
    const changes = loop.some(({ facts }) => facts.writes.length > 0 || facts.definition?.category === 'other')
    const place = { groupId: first.view.groupId, blockId: first.view.id }
    return report(leaves ? (changes ? 'loop-without-wait' : 'idle-loop') : 'endless-loop', place, {
      path: { steps: wayRound(first, inside) },
    })
  })
}

/** A part that a block returns from is assumed to wait, like another flow. */
const ahead = (node: Node, exit: Exit): Node | null => (exit.visited ? null : follow(node, exit))

function leadsOut(node: Node, exit: Node['exits'][number], inside: ReadonlySet<Node>): boolean {
  const next = ahead(node, exit)
  return next === null || !inside.has(next)
}

/**
 * Strongly connected components of non-waiting blocks; single blocks only if they lead to themselves (Tarjan,
 * iterative).
 */
function findLoops({ nodes, first, exits, target }: Reach): Node[][] {
  const order = new Int32Array(nodes.length).fill(-1)
  const low = new Int32Array(nodes.length)
  const exitAt = new Int32Array(nodes.length)
  const onStack = new Uint8Array(nodes.length)
  const waits = new Uint8Array(nodes.length)
  for (let at = 0; at < nodes.length; at++) if ((nodes[at] as Node).role & role.waits) waits[at] = 1
  // `ahead`, by number
  const leadsTo = exits.map((exit, at) => (exit.visited ? -1 : (target[at] as number)))
  const stack: number[] = []
  const calls: number[] = []
  const loops: Node[][] = []
  let count = 0
  for (let root = 0; root < nodes.length; root++) {
    if (order[root] !== -1 || waits[root]) continue
    calls.push(root)
    while (calls.length > 0) {
      const at = calls[calls.length - 1] as number
      if (order[at] === -1) {
        order[at] = low[at] = count++
        exitAt[at] = first[at] as number
        stack.push(at)
        onStack[at] = 1
      }
      const exit = exitAt[at] as number
      if (exit < (first[at + 1] as number)) {
        exitAt[at] = exit + 1
        const next = leadsTo[exit] as number
        if (next < 0 || waits[next]) continue
        if (order[next] === -1) calls.push(next)
        else if (onStack[next]) low[at] = Math.min(low[at] as number, order[next] as number)
        continue
      }
      calls.pop()
      const above = calls[calls.length - 1]
      if (above !== undefined) low[above] = Math.min(low[above] as number, low[at] as number)
      if (low[at] !== order[at]) continue
      let member = stack.pop() as number
      onStack[member] = 0
      // most blocks form a component of their own
      if (member === at && !leadsTo.slice(first[at], first[at + 1]).includes(at)) continue
      const loop: Node[] = [nodes[member] as Node]
      while (member !== at) {
        member = stack.pop() as number
        onStack[member] = 0
        loop.push(nodes[member] as Node)
      }
      loops.push(loop)
    }
  }
  return loops
}

/** The shortest path from a block back to itself. */
function wayRound(first: Node, inside: ReadonlySet<Node>): PathStep[] {
  const from = new Map<Node, { node: Node; portId?: string }>()
  const queue = [first]
  for (const node of queue) {
    for (const exit of node.exits) {
      const next = ahead(node, exit)
      if (!next || !inside.has(next) || from.has(next)) continue
      from.set(next, { node, ...(exit.port?.label !== undefined && { portId: exit.port.id }) })
      queue.push(next)
    }
    if (from.has(first)) break
  }
  return stepsTo(first, (node) => from.get(node), first).slice(0, LONGEST_PATH)
}

/** The path to a block, read back from `from`: a step for each group left and each exit with a name. */
export function stepsTo(
  last: Node,
  from: (node: Node) => { readonly node: Node; readonly portId?: string } | undefined,
  end: Node | null,
): PathStep[] {
  const steps: PathStep[] = [{ groupId: last.view.groupId, blockId: last.view.id }]
  let node = last
  for (let step = from(node); step; step = from(node)) {
    const before = steps[0]
    const { node: earlier, portId } = step
    const here = { groupId: earlier.view.groupId, blockId: earlier.view.id, ...(portId !== undefined && { portId }) }
    if (portId !== undefined || earlier === end || before?.groupId !== here.groupId) steps.unshift(here)
    node = earlier
    if (node === end) break
  }
  return steps
}
