import { type Comparison, finishedComparisons } from '../../engine/values/comparison'
import { isBlankValue } from '../../engine/values/dynamicValue'
import type { Branch, ConditionData } from './schema'

/**
 * Variables that certainly have a value after leaving by this port, according to the comparisons that held or did not.
 */
export function variablesKnownAfter({ branches }: ConditionData, portId: string): string[] {
  const at = branches.findIndex(({ id }) => id === portId)
  const taken = branches[at]
  const refused = at < 0 ? branches : branches.slice(0, at)
  return [...(taken ? known(taken, true) : []), ...refused.flatMap((branch) => known(branch, false))]
}

function known(branch: Branch, holds: boolean): string[] {
  const each = finishedComparisons(branch).map((comparison) =>
    shows(comparison, holds) ? comparison.variableId : null,
  )
  // that an incomplete branch did not hold proves nothing
  if (!holds && branch.match === 'all' && each.length < branch.comparisons.length) return []
  // all of them hold, or none does: each counts
  const all = each.length === 1 || (branch.match === 'all') === holds
  const ids = each.flatMap((id) => id ?? [])
  return all ? ids : ids.filter((id) => each.every((other) => other === id))
}

/** Whether a comparison that holds, or does not, proves that its variable is not empty. */
function shows({ subject, operator, value }: Comparison, holds: boolean): boolean {
  if (subject) return false
  const fixed = value.type === 'static' && !isBlankValue(value)
  switch (operator) {
    case 'is-set':
    case 'contains':
    case 'starts-with':
    case 'ends-with':
    case 'greater':
    case 'greater-or-equal':
    case 'less':
    case 'less-or-equal':
      return holds
    case 'equals':
      return holds && fixed
    case 'is-empty':
    case 'not-contains':
      return !holds
    case 'not-equals':
      return !holds && fixed
    default:
      return false
  }
}
