import { type NodeEdge, RUN_FAILS } from '../nodes/nodeGraph'
import type { Schedule } from '../nodes/schedule'

/** The exit of a loop that goes back. */
export const AGAIN = 'again'

type State = [queue: string[], come: Record<string, string[]>]

/**
 * What a node waits for: all of the first set, and one of each other set; those are exits of the same branching node.
 */
interface Waits {
  all: readonly string[]
  oneOf: readonly (readonly string[])[]
}

/**
 * Flowise's scheduling: a queue. A node joins it once all nodes before it have run; of those behind the same branching
 * node one is enough. A person's decision starts a new run at that node, so that nothing else is due after it.
 * @param branching nodes that leave by one of several exits; `asking`: those where a person decides
 * @param loops where each loop goes back to
 */
export function flowiseSchedule(
  starts: readonly string[],
  edges: readonly NodeEdge[],
  branching: ReadonlySet<string>,
  asking: ReadonlySet<string>,
  loops: ReadonlyMap<string, string>,
): Schedule {
  const leaving = grouped(edges, ({ source }) => source)
  const entering = grouped(edges, ({ target }) => target)
  const waits = new Map<string, Waits>()
  const read = (state: string) => JSON.parse(state) as State

  function waitsOf(target: string): Waits {
    const known = waits.get(target)
    if (known) return known
    const sources = [...new Set((entering.get(target) ?? []).map(({ source }) => source))]
    const groups = grouped(sources, branchingBefore)
    const made = {
      all: groups.get(null) ?? [],
      oneOf: [...groups].flatMap(([parent, members]) => (parent === null ? [] : [members])),
    }
    waits.set(target, made)
    return made
  }
  /** The branching node before a node, or the node itself; follows the first incoming edge. */
  function branchingBefore(node: string): string | null {
    const seen = new Set<string>()
    for (let at: string | undefined = node; at !== undefined && !seen.has(at); at = entering.get(at)?.[0]?.source) {
      if (branching.has(at)) return at
      seen.add(at)
    }
    return null
  }

  return {
    begin: () => JSON.stringify([starts, {}]),
    next: (state) => read(state)[0][0] ?? null,
    leave(state, exit) {
      const [[node, ...rest], before] = read(state)
      if (exit === RUN_FAILS || node === undefined) return JSON.stringify([[], {}] satisfies State)
      const queue = asking.has(node) ? [] : rest
      const come = asking.has(node) ? {} : before
      const targets = (leaving.get(node) ?? []).filter((edge) => edge.exit === exit).map(({ target }) => target)
      for (const target of new Set(targets)) {
        const sources = [...new Set([...(come[target] ?? []), node])].sort()
        const { all, oneOf } = waitsOf(target)
        const has = (source: string) => sources.includes(source)
        if (all.every(has) && oneOf.every((members) => members.some(has))) {
          delete come[target]
          queue.push(target)
        } else come[target] = sources
      }
      const back = exit === AGAIN ? loops.get(node) : undefined
      if (back !== undefined) queue.push(back)
      const sorted = Object.fromEntries(Object.entries(come).sort(([a], [b]) => (a < b ? -1 : 1)))
      return JSON.stringify([queue, sorted] satisfies State)
    },
  }
}

function grouped<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}
