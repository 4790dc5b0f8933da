import { DEFAULT_EXIT, type NodeEdge, RUN_FAILS } from '../nodes/nodeGraph'
import type { Schedule } from '../nodes/schedule'

/**
 * The nodes that are due, the next one last; and for waiting nodes: how many incoming edges are undecided, and whether
 * one was taken.
 */
type State = [due: string[], waiting: Record<string, [open: number, come: boolean]>]

/**
 * Dify's scheduling: a node's exit takes all of its edges. A node is due once each incoming edge was taken or can't be
 * any more, and one was taken. Parallel branches have no order in Dify; here a branch is run to its end before the next
 * one starts.
 */
export function difySchedule(start: string | null, edges: readonly NodeEdge[]): Schedule {
  const leaving = new Map<string, NodeEdge[]>()
  const entering = new Map<string, number>()
  for (const edge of edges) {
    leaving.set(edge.source, [...(leaving.get(edge.source) ?? []), edge])
    entering.set(edge.target, (entering.get(edge.target) ?? 0) + 1)
  }
  const read = (state: string) => JSON.parse(state) as State

  return {
    begin: () => JSON.stringify([start === null ? [] : [start], {}] satisfies State),
    next: (state) => read(state)[0].at(-1) ?? null,
    leave(state, exit) {
      const [due, waiting] = read(state)
      const node = due.pop()
      if (exit === RUN_FAILS || node === undefined) return JSON.stringify([[], {}] satisfies State)
      const now: string[] = []
      /** Edges to process: whether the run takes them. */
      const open: [NodeEdge, boolean][] = (leaving.get(node) ?? []).map((edge) => [edge, edge.exit === exit])
      for (let at = 0; at < open.length; at++) {
        const [{ target }, comes] = open[at] as [NodeEdge, boolean]
        const [left, come] = waiting[target] ?? [entering.get(target) ?? 0, false]
        waiting[target] = [left - 1, come || comes]
        if (left !== 1) continue
        delete waiting[target]
        if (come || comes) now.push(target)
        else open.push(...(leaving.get(target) ?? []).map((edge): [NodeEdge, boolean] => [edge, false]))
      }
      const sorted = Object.fromEntries(Object.entries(waiting).sort(([a], [b]) => (a < b ? -1 : 1)))
      return JSON.stringify([[...due, ...now.reverse()], sorted] satisfies State)
    },
  }
}

/** The name of an exit on edges: most nodes have one, called `source`. */
export const exitOf = (handle: string): string => (handle === 'source' || handle === '' ? DEFAULT_EXIT : handle)
