import type { Flow } from '../../../../engine/flow/schema'
import { emptyFlow } from '../../../../engine/flow/schema'
import {
  type Change,
  countGroups,
  diffFlows,
  type FlowDiff,
  type GroupCounts,
  isLayoutOnly,
} from '../../../../engine/graph/diff'
import type { FrozenFlow } from '../../../../server/contracts/versions'
import type { Which } from '../../../api/versions'

/** What is shown instead of the canvas: two states of the chatbot, or a single one. */
export interface Comparison {
  before: Which | null
  after: Which
}

/** One of the chatbot's flows in both states. */
export interface ComparedFlow {
  gid: string
  title: string
  /** null: the whole flow was added or removed */
  change: Change | null
  before: Flow
  after: Flow
  diff: FlowDiff
  groups: GroupCounts
}

/** All flows of two states of a chatbot, with their differences. */
export function compareFlows(before: readonly FrozenFlow[], after: readonly FrozenFlow[]): ComparedFlow[] {
  const was = new Map(before.map((flow) => [flow.gid, flow]))
  const is = new Map(after.map((flow) => [flow.gid, flow]))
  return [...after, ...before.filter(({ gid }) => !is.has(gid))].map(({ gid, title }) => {
    const sides = { before: was.get(gid)?.flow ?? emptyFlow(), after: is.get(gid)?.flow ?? emptyFlow() }
    const diff = diffFlows(sides.before, sides.after)
    const change = !was.has(gid) ? 'added' : !is.has(gid) ? 'removed' : null
    return { gid, title, change, ...sides, diff, groups: countGroups(diff, sides.before, sides.after) }
  })
}

/** The changes of all flows by group; `other`: something besides groups differs (a variable). */
export function sumChanges(flows: readonly ComparedFlow[]): GroupCounts & { any: boolean; layoutOnly: boolean } {
  const sum = { added: 0, removed: 0, changed: 0, moved: 0 }
  for (const { groups } of flows) {
    for (const kind of ['added', 'removed', 'changed', 'moved'] as const) sum[kind] += groups[kind]
  }
  const any = flows.some(({ change, diff }) => change !== null || sizeOf(diff) > 0)
  const layoutOnly = flows.every(({ change, diff }) => change === null && isLayoutOnly(diff))
  return { ...sum, any, layoutOnly }
}

export const sizeOf = ({ groups, blocks, edges, variables }: FlowDiff): number =>
  groups.length + blocks.length + edges.length + variables.length
