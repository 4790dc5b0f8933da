import type { Diagnostic, PathStep } from '../diagnostic'
import { type Exit, follow, type Node } from '../graph'
import { byPlace } from './entrances'
import { report } from './report'

/** Steps that are told of one loop. */
const LONGEST_PATH = 12

/** Ways round on which nothing is waited for: what a turn can't get out of, or only just. */
export function checkLoops(met: ReadonlySet<Node>): Diagnostic[] {
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

/** Like other flows, a part that a block comes back from is taken to wait. */
const ahead = (node: Node, exit: Exit): Node | null => (exit.visited ? null : follow(node, exit))

function leadsOut(node: Node, exit: Node['exits'][number], inside: ReadonlySet<Node>): boolean {
  const next = ahead(node, exit)
  return next === null || !inside.has(next)
}

/** Strongly connected parts of what does not wait, of one block only where it leads to itself (Tarjan, without recursion). */
function findLoops(met: ReadonlySet<Node>): Node[][] {
  const nodes: Node[] = []
  for (const node of met) {
    node.index = node.facts.waits ? -1 : nodes.length
    if (node.index >= 0) nodes.push(node)
  }
  const order = new Int32Array(nodes.length).fill(-1)
  const low = new Int32Array(nodes.length)
  const exitAt = new Int32Array(nodes.length)
  const onStack = new Uint8Array(nodes.length)
  const stack: number[] = []
  const loops: Node[][] = []
  let count = 0
  for (let root = 0; root < nodes.length; root++) {
    if (order[root] !== -1) continue
    const calls = [root]
    while (calls.length > 0) {
      const at = calls[calls.length - 1] as number
      const node = nodes[at] as Node
      if (order[at] === -1) {
        order[at] = low[at] = count++
        stack.push(at)
        onStack[at] = 1
      }
      const exit = node.exits[exitAt[at] as number]
      if (exit) {
        exitAt[at] = (exitAt[at] as number) + 1
        const next = ahead(node, exit)?.index ?? -1
        if (next < 0 || nodes[next] === undefined) continue
        if (order[next] === -1) calls.push(next)
        else if (onStack[next]) low[at] = Math.min(low[at] as number, order[next] as number)
        continue
      }
      calls.pop()
      const above = calls[calls.length - 1]
      if (above !== undefined) low[above] = Math.min(low[above] as number, low[at] as number)
      if (low[at] !== order[at]) continue
      const loop: Node[] = []
      let member: number
      do {
        member = stack.pop() as number
        onStack[member] = 0
        loop.push(nodes[member] as Node)
      } while (member !== at)
      if (loop.length > 1 || node.exits.some((exit) => ahead(node, exit) === node)) loops.push(loop)
    }
  }
  return loops
}

/** The shortest way from a block back to itself. */
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

/** The way that `from` tells to a block: a step where a group is left, and where an exit has a name. */
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
