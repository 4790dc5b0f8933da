import {
  type Comparison,
  comparisonIsSettled,
  conditionHolds,
  finishedComparisons,
} from '../../engine/values/comparison'
import type { Json } from '../../engine/values/json'
import type { Branch, ConditionData } from './schema'

type Known = ReadonlyMap<string, Json>

/** Whether it can leave by the port when these variables have these values, and all others any. */
export function admitsPort({ branches }: ConditionData, portId: string, known: Known): boolean {
  for (const branch of branches) {
    const holds = branchHolds(branch, known)
    if (branch.id === portId) return holds !== false
    if (holds) return false
  }
  return true
}

/** Null if it depends on unknown values. */
function branchHolds(branch: Branch, known: Known): boolean | null {
  const each = finishedComparisons(branch).map((comparison) => comparisonHolds(comparison, known))
  const all = branch.match === 'all'
  if (each.length === 0 || (all && each.length < branch.comparisons.length)) return false
  if (each.includes(!all)) return !all
  return each.includes(null) ? null : all
}

function comparisonHolds(comparison: Comparison, known: Known): boolean | null {
  if (!comparisonIsSettled(comparison, known)) return null
  return conditionHolds({ match: 'all', comparisons: [comparison] }, Object.fromEntries(known))
}
