import type { EvaluationQuestion } from '../../../server/contracts/evaluations'

/** A question's change since the previous run: null if there is none, or nothing to compare. */
export function changeOf({ result, before }: EvaluationQuestion): 'better' | 'worse' | null {
  if (!result || !before || result.passed === before.passed) return null
  return result.passed ? 'better' : 'worse'
}
