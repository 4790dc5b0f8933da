import type { Golden } from '../../../server/contracts/golden'

/** A question's change since the previous run: null if there is none, or nothing to compare. */
export function changeOf({ result, before }: Golden): 'better' | 'worse' | null {
  if (!result || !before || result.passed === before.passed) return null
  return result.passed ? 'better' : 'worse'
}
