import type { Json } from '../../values/json'
import type { Exit, FlowGraph, Node } from '../graph'

/** The edges between blocks, by number, as computed by the calling pass. */
export interface Roads {
  readonly nodes: readonly Node[]
  readonly first: ArrayLike<number>
  readonly exits: readonly Exit[]
  readonly target: ArrayLike<number>
  readonly hears: ArrayLike<number>
  readonly global: readonly number[]
  named(node: Node): readonly number[]
}

/** A block on a path, and the exit it is left by; null where an intent interrupts, and at the end. */
export interface Leg {
  readonly node: Node
  readonly exit: Exit | null
}

type Known = ReadonlyMap<string, Json>
const NOTHING: Known = new Map()

/**
 * The most distinct sets of known values per block. Beyond that nothing counts as known there, so that counting loops
 * terminate.
 */
const MOST_PER_BLOCK = 8
/** Steps of all searches of one check together. */
const MOST_STEPS = 10_000

interface State {
  readonly at: number
  readonly known: Known
  readonly before: State | null
  /** of `before`; null: an intent interrupted */
  readonly by: Exit | null
}

/**
 * Decides which paths conversations can really take: variables with a known value decide the comparisons on a path
 * (`score` was set to 10, so `score >= 40` is never true). Create one per check; its searches share one allowance of
 * steps.
 */
export function createFeasibility(graph: FlowGraph, roads: Roads) {
  const { nodes, first, exits, target, hears, global, named } = roads
  const compared = new Set<string>()
  for (const { facts } of nodes) if (facts.definition?.admits) for (const id of facts.reads) compared.add(id)
  const initial: Known = new Map(
    graph.view.variables.flatMap(({ id, value }) => (compared.has(id) ? [[id, value] as const] : [])),
  )
  let steps = MOST_STEPS

  const admits = ({ facts }: Node, { port }: Exit, known: Known): boolean =>
    !port || !facts.definition?.admits || facts.definition.admits(facts.data, port.id, known)

  /** What is known after a block. */
  const after = ({ facts }: Node, known: Known): Known => {
    const changed = facts.writes.filter((id) => compared.has(id))
    if (changed.length === 0) return known
    const next = new Map(known)
    for (const id of changed) next.delete(id)
    for (const [id, value] of facts.definition?.sets?.(facts.data, known) ?? [])
      if (compared.has(id)) next.set(id, value)
    return next
  }

  return {
    /**
     * Whether a path is feasible.
     * @param given variables with unknown values at its start
     */
    holds(way: readonly Leg[], given: readonly string[] | null): boolean {
      if (compared.size === 0) return true
      let known = begin(given)
      for (const { node, exit } of way) {
        if (exit && !admits(node, exit, known)) return false
        known = exit ? after(node, known) : NOTHING
      }
      return true
    },

    /**
     * Finds the shortest feasible path from one of `starts` to a block that is `wanted`, by exits that are `open`.
     * @returns null when there is none; undefined when the allowance of steps was spent
     */
    search(
      starts: readonly { readonly at: number; readonly given: readonly string[] | null }[],
      wanted: (at: number) => boolean,
      open: (exit: Exit) => boolean,
    ): Leg[] | null | undefined {
      const seen = new Map<number, Set<string>>()
      const queue: State[] = []
      const visit = (at: number, known: Known, before: State | null, by: Exit | null) => {
        const there = seen.get(at) ?? new Set()
        seen.set(at, there)
        const held = there.size < MOST_PER_BLOCK ? known : NOTHING
        const key = JSON.stringify([...held].sort(([a], [b]) => (a < b ? -1 : 1)))
        if (there.has(key)) return
        there.add(key)
        queue.push({ at, known: held, before, by })
      }
      for (const { at, given } of starts) visit(at, begin(given), null, null)
      for (let next = 0; next < queue.length; next++) {
        if (steps-- <= 0) return undefined
        const state = queue[next] as State
        const node = nodes[state.at] as Node
        if (wanted(state.at)) return wayTo(state)
        const known = after(node, state.known)
        for (let exit = first[state.at] as number; exit < (first[state.at + 1] as number); exit++) {
          const to = target[exit] as number
          const by = exits[exit] as Exit
          if (to >= 0 && open(by) && admits(node, by, state.known)) visit(to, known, state, by)
        }
        for (const intent of named(node)) visit(intent, NOTHING, state, null)
        if (hears[state.at]) for (const intent of global) visit(intent, NOTHING, state, null)
      }
      return null
    },
  }

  function begin(given: readonly string[] | null): Known {
    if (given === null) return NOTHING
    if (given.length === 0) return initial
    return new Map([...initial].filter(([id]) => !given.includes(id)))
  }

  function wayTo(last: State): Leg[] {
    const way: Leg[] = [{ node: nodes[last.at] as Node, exit: null }]
    for (let { before, by } = last; before; { before, by } = before)
      way.unshift({ node: nodes[before.at] as Node, exit: by })
    return way
  }
}
