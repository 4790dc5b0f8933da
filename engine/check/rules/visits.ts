import { type Exit, follow, type GroupNode, type Node } from '../graph'

/** What is surely set where a part of the flow runs out that was gone to: taken as sure, and if somebody answers in the end. */
export interface Given {
  assures: readonly string[]
  hopes: readonly string[]
}

/** Blocks that are looked at for this in one check; what lies beyond is taken to set nothing. */
const MOST = 20_000

/**
 * What a block that went to another part and came back can count on: the variables that every way through that part sets. Parts within
 * parts are looked at first; one that goes to itself is taken to set nothing there.
 * @returns by the exit that such a block leaves by when it is back
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
        // a block that goes somewhere and comes back: what is sure there is sure behind it too
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
