import type { Golden } from '../../../server/contracts/golden'

/** How a question goes compared with the run before: null where there is nothing to compare or it goes as before. */
export function changeOf({ result, before }: Golden): 'better' | 'worse' | null {
  if (!result || !before || result.passed === before.passed) return null
  return result.passed ? 'better' : 'worse'
}
