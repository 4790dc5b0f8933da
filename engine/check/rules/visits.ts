import { type Exit, follow, type GroupNode, type Node } from '../graph'

/** What is set when a called part of the flow ends: certainly, and if visitors answer in the end. */
export interface Given {
  assures: readonly string[]
  hopes: readonly string[]
}

/** The most blocks examined for this in one check; what lies beyond counts as setting nothing. */
const MOST = 20_000

/**
 * What a block can rely on after it called another part and returned: the variables that every path through that part
 * sets. Nested parts are examined first; a recursive one counts as setting nothing.
 * @returns by the exit that the calling block leaves by after its return
 */
export function givenByVisits(met: Iterable<Node>): ReadonlyMap<Exit, Given> {
  const found = new Map<Exit, Given>()
  const known = new Map<Node | GroupNode, Given>()
  let left = MOST

  function given(part: Node | GroupNode): Given {
    const before = known.get(part)
    if (before) return before
    known.set(part, NOTHING)
    const first = 'nodes' in part ? part.nodes[0] : part
    const result = first ? { assures: through(first, 'assures'), hopes: through(first, 'hopes') } : NOTHING
    known.set(part, result)
    return result
  }

  function through(first: Node, trust: keyof Given): readonly string[] {
    const sure = new Map<Node, ReadonlySet<string>>([[first, new Set()]])
    const queue = [first]
    let atEnd: ReadonlySet<string> | null = null
    for (let node = queue.pop(); node && left > 0; node = queue.pop()) {
      left--
      const here = sure.get(node) ?? new Set()
      if (node.facts.returns) atEnd = atEnd ? common(atEnd, here) : here
      for (const exit of node.exits) {
        const sets = exit.visited ? given(exit.visited)[trust] : exit[trust]
        const after = new Set([...here, ...sets])
        // a block that calls a part and returns: what is certain at its end is certain after the block, too
        const next = follow(node, exit)
        if (!next) {
          atEnd = atEnd ? common(atEnd, after) : after
          continue
        }
        const present = sure.get(next)
        const joined = present ? common(present, after) : after
        if (present && joined.size === present.size) continue
        sure.set(next, joined)
        queue.push(next)
      }
    }
    return left > 0 && atEnd ? [...atEnd] : []
  }

  for (const node of met) for (const exit of node.exits) if (exit.visited) found.set(exit, given(exit.visited))
  return found
}

const NOTHING: Given = { assures: [], hopes: [] }

const common = (a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...a].filter((id) => b.has(id)))
